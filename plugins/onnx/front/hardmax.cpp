// The first of the largest entries is 1, all others are 0.
#include "support/build.hpp"

namespace mo::onnx {

static OutPort first_largest(const Build& b, const OutPort& x, int64_t axis, const OutPort& like) {
  const Node top = b.node("TopK", "opset3", {x, b.integer(1)}, 2);
  top.set("axis", axis).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const OutPort index = b.squeeze(top.out_port(1), {axis});
  const OutPort depth = as_scalar(b, b.dim(x, axis));
  const Node hot = b.node("OneHot", "opset1", {index, depth, b.like(like, 1), b.like(like, 0)});
  hot.set("axis", axis);
  return hot.out_port();
}

// Up to version 12 it works on a matrix, see flat_softmax.cpp.
static Ports hardmax(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  if (n.version() >= 13) return {first_largest(b, x, axis_of(n, -1), x)};
  const OutPort matrix = to_matrix(b, x, axis_of(n, 1));
  return {b.reshape(first_largest(b, matrix, 1, x), b.shape_of(x))};
}

void register_hardmax(Registry& r) { replace<hardmax>(r, {"Hardmax", "Hardmax(x)", "OneHot(TopK(x, 1).1)"}); }

}  // namespace mo::onnx
