// Operators that leave the values alone.
#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

static Ports identity(Build& b, const SourceNode& n) { return bypass(n, b.in(0)); }

static Ports dropout(Build& b, const SourceNode& n) {
  if (const auto training = b.floats(2); training && *training != std::vector<double>{0})
    if (const auto ratio = b.floats(1); ratio != std::vector<double>{0})
      fail("a Dropout in training mode gives random values, which is not supported");
  if (n.out_count() > 1 && b.wants(1)) {
    const OutPort kept = b.constant(Tensor::scalar<bool>(b.context(), true));
    const Node mask = b.node("Broadcast", "opset3", {kept, b.shape_of(b.in(0))});
    mask.set("mode", "numpy");
    // Up to version 6 the mask has the type of the data.
    const OutPort typed =
        n.version() < 7 ? b.op("ConvertLike", "opset1", {mask.out_port(), b.in(0)}) : mask.out_port();
    n.out_port(1).get_connection().set_source(typed, Names::merge);
  }
  return identity(b, n);
}

void register_identity(Registry& r) {
  says_rank({"Identity", "Dropout"}, Rank::kept);
  replace<identity>(r, {"Identity", "f(Identity(x))", "f(x)"});
  replace<dropout>(r, {"Dropout", "f(Dropout(x))", "f(x)"});
}

}  // namespace mo::onnx
