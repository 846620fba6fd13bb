// Before version 7 the second input is broadcast on demand (broadcast=1), from dimension `axis` of the first
// on.
#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

static OutPort aligned(const Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), y = b.in(1);
  if (n.native("broadcast", 0) == 0 || !n.has_native("axis")) return y;
  const int64_t axis = axis_of(n);
  const Shape xs = x.shape(), ys = y.shape();
  // Dimensions of 1 fill y up to the end of x.
  if (xs.has_rank() && y.value()) {
    const auto first = static_cast<int64_t>(normalize_axis(axis, xs.size()));
    Ints dims = y.value()->dims();
    require(first + ys.rank() <= xs.rank(), "shape ", ys, " does not fit into ", xs, " from dimension ",
            first, " on");
    dims.resize(static_cast<size_t>(xs.rank() - first), 1);
    return b.reshape(y, dims);
  }
  // Of the axes of the aligned y, which has rank(x) - axis dimensions, those behind y's own are new.
  const OutPort end = axis < 0 ? b.integer(-axis) : b.op("Subtract", "opset1", {b.rank(x), b.integer(axis)});
  return b.unsqueeze(y, b.range(b.rank(y), end, 1));
}

template <auto& Type>
static Ports legacy(Build& b, const SourceNode& n) {
  const Node o = b.node(Type, "opset1", {b.in(0), aligned(b, n)});
  if (o.is("Divide")) o.set("m_pythondiv", false);
  return {o.out_port()};
}

namespace legacy_types {
static constexpr char add[] = "Add", sub[] = "Subtract", mul[] = "Multiply", div[] = "Divide";
static constexpr char land[] = "LogicalAnd", lor[] = "LogicalOr", lxor[] = "LogicalXor";
static constexpr char equal[] = "Equal", greater[] = "Greater", less[] = "Less";
}  // namespace legacy_types

void register_legacy_broadcast(Registry& r) {
  using namespace legacy_types;
  says_rank({"Add", "Sub", "Mul", "Div"}, Rank::greatest);
  replace<legacy<add>>(r, {"Add", "Add(x, y) of version 6", "Add(x, Reshape(y))"});
  replace<legacy<sub>>(r, {"Sub", "Sub(x, y) of version 6", "Subtract(x, Reshape(y))"});
  replace<legacy<mul>>(r, {"Mul", "Mul(x, y) of version 6", "Multiply(x, Reshape(y))"});
  replace<legacy<div>>(r, {"Div", "Div(x, y) of version 6", "Divide(x, Reshape(y))"});
  replace<legacy<land>>(r, {"And", "And(x, y) of version 6", "LogicalAnd(x, Reshape(y))"});
  replace<legacy<lor>>(r, {"Or", "Or(x, y) of version 6", "LogicalOr(x, Reshape(y))"});
  replace<legacy<lxor>>(r, {"Xor", "Xor(x, y) of version 6", "LogicalXor(x, Reshape(y))"});
  replace<legacy<equal>>(r, {"Equal", "Equal(x, y) of version 6", "Equal(x, Reshape(y))"});
  says_rank({"Greater"}, Rank::kept);
  replace<legacy<greater>>(r, {"Greater", "Greater(x, y) of version 6", "Greater(x, Reshape(y))"});
  replace<legacy<less>>(r, {"Less", "Less(x, y) of version 6", "Less(x, Reshape(y))"});
}

}  // namespace mo::onnx
