#include "support/extract.hpp"

namespace mo::onnx {

static void extract_reverse_sequence(SourceNode& n) {
  const auto batch = n.native("batch_axis", 1), time = n.native("time_axis", 0);
  n.set_op("ReverseSequence", "opset1");
  n.set("batch_axis", batch).set("seq_axis", time);
}

void register_reverse_sequence(Registry& r) { extract<extract_reverse_sequence>(r, "ReverseSequence"); }

}  // namespace mo::onnx
