// Shapes and indices as tensors.
#include "support/extract.hpp"

namespace mo::onnx {

static void extract_shape(SourceNode& n) {
  only_when(!n.has_native("start") && !n.has_native("end"), "a part of the shape is asked for");
  n.set_op("ShapeOf", "opset3");
  n.set("output_type", ElementType::i64);
}

static void extract_non_zero(SourceNode& n) {
  n.set_op("NonZero", "opset3");
  n.set("output_type", ElementType::i64);
}

static void extract_reshape(SourceNode& n) {
  const bool zero_is_zero = n.native("allowzero", 0) != 0;
  n.set_op("Reshape", "opset1");
  n.set("special_zero", !zero_is_zero);
}

static void extract_expand(SourceNode& n) {
  n.set_op("Broadcast", "opset3");
  n.set("mode", "bidirectional");
}

void register_shapes(Registry& r) {
  extract<extract_shape>(r, "Shape");
  extract<extract_non_zero>(r, "NonZero");
  extract<extract_reshape>(r, "Reshape", 5);
  extract<extract_expand>(r, "Expand");
  extract<becomes<"Tile">>(r, "Tile", 6);
}

}  // namespace mo::onnx
