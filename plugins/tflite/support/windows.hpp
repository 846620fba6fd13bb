// Windows that move over pictures [batch, height, width, channels] and volumes.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

// A list for the spatial dimensions of the options <name>_d, <name>_h and <name>_w. Errors for numbers
// below 1.
Ints spatial_option(const SourceNode& n, std::string_view prefix, std::string_view suffix, size_t dims);
// Strides and, where the operator has them, dilations; padding as the IR has it.
void set_windows(const Node& made, const SourceNode& n, size_t dims, bool dilated);
// [out, in / groups, spatial…] becomes [groups, out / groups, in / groups, spatial…].
OutPort filters_in_groups(const Build& b, const OutPort& w, int64_t groups);

}  // namespace mo::tflite
