#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

// Weights are [outputs, inputs]. With flatten, all but the batch counts as one dimension.
static Ports fully_connected(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  if (n.native("flatten", true) && shape_of(b, x).rank() != 2) x = b.reshape(x, Ints{0, -1});
  const Node m = b.node("MatMul", "opset1", {x, b.in(1)});
  m.set("transpose_a", false).set("transpose_b", true);
  if (n.native("no_bias", false) || !b.has(2)) return {m.out_port()};
  return {b.add(m.out_port(), b.in(2))};
}

void register_fully_connected(Registry& r) {
  convert<fully_connected>(r, "FullyConnected _npx_fully_connected", "FullyConnected(x, weights, bias)",
                           "Add(MatMul(Reshape(x), weights), bias)");
}

}  // namespace mo::mxnet
