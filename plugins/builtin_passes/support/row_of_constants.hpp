#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Whether what a node gives is combined with constants of several elements, by itself or through what a device takes
// with it. back.squeeze_reductions writes a reduction apart from the Squeeze behind it then.
bool meets_row_of_constants(Node);

}  // namespace mo::builtin_passes
