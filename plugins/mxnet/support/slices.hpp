// Parts of a tensor.
#pragma once

#include <mo/build.hpp>

#include <optional>

namespace mo::mxnet {

// Dimensions before `axis` stay whole. Nothing stands for the beginning, and for the end.
struct Range {
  std::optional<int64_t> begin, end;
  int64_t step = 1;
};

OutPort slice(const Build& b, const OutPort& x, const std::vector<Range>& ranges);

}  // namespace mo::mxnet
