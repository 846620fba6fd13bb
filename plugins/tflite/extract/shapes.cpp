// Shapes as tensors, and operators that give a tensor another shape or order.
#include "support/extract.hpp"

namespace mo::tflite {

static void extract_shape(SourceNode& n) {
  const ElementType type = n.out_port().type();
  n.set_op("ShapeOf", "opset3");
  n.set("output_type", type == ElementType::i64 ? type : ElementType::i32);
}

static void extract_broadcast_to(SourceNode& n) {
  n.set_op("Broadcast", "opset3");
  n.set("mode", "numpy");
}

static void extract_reverse_sequence(SourceNode& n) {
  const auto batch = n.native("batch_dim", 0), sequence = n.native<int64_t>("seq_dim");
  n.set_op("ReverseSequence", "opset1");
  n.set("batch_axis", batch).set("seq_axis", sequence);
}

static void extract_cast(SourceNode& n) {
  const ElementType type = n.out_port().type();
  n.set_op("Convert", "opset1");
  n.set("destination_type", type);
}

static void extract_gather_nd(SourceNode& n) {
  n.set_op("GatherND", "opset5");
  n.set("batch_dims", 0);
}

static void extract_batch_matmul(SourceNode& n) {
  const bool a = n.native("adj_x", false), b = n.native("adj_y", false);
  n.set_op("MatMul", "opset1");
  n.set("transpose_a", a).set("transpose_b", b);
}

static void extract_log_softmax(SourceNode& n) {
  n.set_op("LogSoftmax", "opset5");
  n.set("axis", -1);
}

void register_shapes(Registry& r) {
  extract<extract_shape>(r, "SHAPE");
  extract<extract_broadcast_to>(r, "BROADCAST_TO");
  extract<extract_reverse_sequence>(r, "REVERSE_SEQUENCE");
  extract<extract_cast>(r, "CAST");
  extract<extract_gather_nd>(r, "GATHER_ND");
  extract<extract_batch_matmul>(r, "BATCH_MATMUL");
  extract<extract_log_softmax>(r, "LOG_SOFTMAX");
  extract<becomes<"Tile">>(r, "TILE");
  extract<becomes<"Transpose">>(r, "TRANSPOSE");
  extract<becomes<"Select">>(r, "SELECT_V2");
}

}  // namespace mo::tflite
