#include "support/extract.hpp"

namespace mo::onnx {

// Pictures; volumes are front/volume_sample.cpp. From version 20 on modes are called linear and cubic.
static void extract_grid_sample(SourceNode& n) {
  for (const size_t i : {0, 1})
    only_when(!n.is_in_port_connected(i) || n.in_port(i).get_source().shape().rank() != 5,
              "it is about volumes");
  auto mode = n.native("mode", n.version() < 20 ? "bilinear" : "linear");
  if (mode == "linear") mode = "bilinear";
  if (mode == "cubic") mode = "bicubic";
  require(mode == "bilinear" || mode == "bicubic" || mode == "nearest", "attribute 'mode' is '", mode,
          "', expected linear, cubic or nearest");
  const bool aligned = n.native("align_corners", 0) != 0;
  const auto padding = n.native("padding_mode", "zeros");
  n.set_op("GridSample", "opset9");
  n.set("mode", mode).set("padding_mode", padding).set("align_corners", aligned);
}

void register_grid_sample(Registry& r) { extract<extract_grid_sample>(r, "GridSample"); }

}  // namespace mo::onnx
