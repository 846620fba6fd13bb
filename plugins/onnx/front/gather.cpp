#include "support/build.hpp"

namespace mo::onnx {

// Indices below 0 count from the end, which Gather knows from opset8 on.
static Ports gather(Build& b, const SourceNode& n) {
  const auto indices = b.constant(1);
  bool may_be_negative = n.version() >= 11 || indices;
  if (indices && indices->size() <= 65536) {
    may_be_negative = false;
    for (size_t i = 0; i < indices->size(); ++i) may_be_negative = may_be_negative || indices->integer(i) < 0;
  }
  const Node g =
      b.node("Gather", may_be_negative ? "opset8" : "opset7", {b.in(0), b.in(1), b.integer(axis_of(n, 0))});
  g.set("batch_dims", 0);
  return {g.out_port()};
}

void register_gather(Registry& r) {
  replace<gather>(r, {"Gather", "Gather(x, indices)", "Gather(x, indices, axis)"});
}

}  // namespace mo::onnx
