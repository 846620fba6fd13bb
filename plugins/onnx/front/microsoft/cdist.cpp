// CDist: distances between the rows of two matrices, by |a - b|^2 = |a|^2 + |b|^2 - 2ab.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static Ports cdist(Build& b, const SourceNode& n) {
  const auto metric = n.native("metric", "sqeuclidean");
  require(metric == "sqeuclidean" || metric == "euclidean", "attribute 'metric' is '", metric,
          "', expected sqeuclidean or euclidean");
  const auto norms = [&](const OutPort& x, bool keep) {
    return b.reduce("ReduceSum", b.multiply(x, x), b.list({1}), keep);
  };
  const OutPort product = b.multiply(b.matmul(b.in(0), b.in(1), false, true), b.like(b.in(0), 2));
  const OutPort sum = b.subtract(b.add(norms(b.in(0), true), norms(b.in(1), false)), product);
  const OutPort square = b.op("Maximum", "opset1", {sum, b.like(b.in(0), 0)});  // rounding may go below
  return {metric == "euclidean" ? b.op("Sqrt", "opset1", {square}) : square};
}

}  // namespace ms

void register_cdist(Registry& r) {
  replace<ms::cdist>(r, {"CDist", "CDist(a, b)", "|a|^2 + |b|^2 - 2 * MatMul(a, b^T)", ms::domain});
}

}  // namespace mo::onnx
