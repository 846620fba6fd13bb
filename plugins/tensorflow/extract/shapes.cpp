// Shapes as tensors, and operators that give a tensor another shape or order.
#include "support/extract.hpp"

namespace mo::tensorflow {

static void extract_shape(SourceNode& n) {
  const auto type = n.native("out_type", ElementType::i32);
  n.set_op("ShapeOf", "opset3");
  n.set("output_type", type);
}

static void extract_reshape(SourceNode& n) {
  n.set_op("Reshape", "opset1");
  n.set("special_zero", false);
}

static void extract_broadcast_to(SourceNode& n) {
  n.set_op("Broadcast", "opset3");
  n.set("mode", "numpy");
}

static void extract_range(SourceNode& n) {
  const auto type = n.native("Tidx", ElementType::i32);
  n.set_op("Range", "opset4");
  n.set("output_type", type);
}

static void extract_roll(SourceNode& n) { n.set_op("Roll", "opset7"); }

static void extract_reverse_sequence(SourceNode& n) {
  const auto batch = n.native("batch_dim", 0), sequence = n.native<int64_t>("seq_dim");
  n.set_op("ReverseSequence", "opset1");
  n.set("batch_axis", batch).set("seq_axis", sequence);
}

void register_shapes(Registry& r) {
  extract<extract_shape>(r, "Shape");
  extract<extract_reshape>(r, "Reshape");
  extract<extract_broadcast_to>(r, "BroadcastTo");
  extract<extract_range>(r, "Range");
  extract<extract_roll>(r, "Roll");
  extract<extract_reverse_sequence>(r, "ReverseSequence");
  extract<becomes<"Tile">>(r, "Tile");
  extract<becomes<"Transpose">>(r, "Transpose");
  extract<becomes<"Transpose">>(r, "ConjugateTranspose");
}

}  // namespace mo::tensorflow
