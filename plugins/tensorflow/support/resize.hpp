// ResizeBicubic with half_pixel_centers, which has other weights at the borders than Interpolate.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

OutPort resize_cubic_by_weights(const Build& b, const SourceNode& n);

}  // namespace mo::tensorflow
