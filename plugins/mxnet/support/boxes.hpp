// Boxes in rows: [batch, rows, numbers].
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// `count` numbers of each row.
OutPort columns(const Build& b, const OutPort& x, int64_t begin, int64_t count);
// Centers and sizes become corners, and the way back.
OutPort to_corners(const Build& b, const OutPort& boxes);
OutPort to_centers(const Build& b, const OutPort& boxes);

}  // namespace mo::mxnet
