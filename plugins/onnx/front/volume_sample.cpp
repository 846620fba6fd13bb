// GridSample of volumes, which the operation of the IR does not take.
#include "support/build.hpp"

#include <mo/volume_sampler.hpp>

namespace mo::onnx {

static Ports volume_sample(Build& b, const SourceNode& n) {
  auto mode = n.native("mode", "linear");
  if (mode == "bilinear") mode = "linear";
  const auto padding = n.native("padding_mode", "zeros");
  return {VolumeSampler(b, b.in(0), b.in(1), mode, padding, n.native("align_corners", 0) != 0).result()};
}

void register_volume_sample(Registry& r) {
  replace<volume_sample>(
      r, {"GridSample", "GridSample(volume, grid)", "weighted sum of Gather(volume, corner)"});
}

}  // namespace mo::onnx
