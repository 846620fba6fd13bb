// Up to version 12 they work on a matrix: dimensions before `axis` are its rows, the others its columns.
// onnx.middle.drop_softmax_reshape removes the reshaping where it makes no difference.
#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

static Ports flat(const Build& b, const SourceNode& n, std::string_view type, std::string_view opset) {
  const OutPort x = b.in(0);
  const auto axis = axis_of(n, 1);
  const Node softmax = b.node(type, opset, {to_matrix(b, x, axis)});
  softmax.set("axis", 1).set("onnx_axis", axis);
  return {b.reshape(softmax.out_port(), b.shape_of(x))};
}

static Ports flat_softmax(Build& b, const SourceNode& n) { return flat(b, n, "SoftMax", "opset1"); }
static Ports flat_log_softmax(Build& b, const SourceNode& n) { return flat(b, n, "LogSoftmax", "opset5"); }

void register_flat_softmax(Registry& r) {
  says_rank({"Softmax"}, Rank::kept);
  replace<flat_softmax>(r,
                        {"Softmax", "Softmax(x) of version 12", "Reshape(SoftMax(Reshape(x)), ShapeOf(x))"});
  replace<flat_log_softmax>(
      r, {"LogSoftmax", "LogSoftmax(x) of version 12", "Reshape(LogSoftmax(Reshape(x)), ShapeOf(x))"});
}

}  // namespace mo::onnx
