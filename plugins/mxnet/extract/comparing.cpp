// What compares, of two inputs or of one and an attribute `scalar`: the result are numbers.
#include "support/items.hpp"
#include "support/numbers.hpp"

namespace mo::mxnet {

namespace comparing {

template <Name Type>
static Ports inputs(Build& b, const SourceNode&) {
  return {as_number(b, b.op(Type, "opset1", {b.in(0), b.in(1)}), b.in(0))};
}

template <Name Type>
static Ports scalar(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {as_number(b, b.op(Type, "opset1", {x, b.like(x, n.native("scalar", 0.0))}), x)};
}

template <Name Type>
static Ports logical(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), y = b.in(1);
  return {as_number(b, b.op(Type, "opset1", {as_truth(b, x), as_truth(b, y)}), x)};
}

template <Name Type>
static Ports logical_scalar(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const OutPort y = b.constant(Tensor::scalar<bool>(b.context(), n.native("scalar", 0.0) != 0));
  return {as_number(b, b.op(Type, "opset1", {as_truth(b, x), y}), x)};
}

static Ports logical_not(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {as_number(b, b.op("LogicalNot", "opset1", {as_truth(b, x)}), x)};
}

}  // namespace comparing

void register_comparing(Items& items) {
  using namespace comparing;
  items.convert<inputs<"Equal">>("broadcast_equal _equal _Equal");
  items.convert<inputs<"NotEqual">>("broadcast_not_equal _not_equal _Not_Equal");
  items.convert<inputs<"Greater">>("broadcast_greater _greater _Greater");
  items.convert<inputs<"GreaterEqual">>("broadcast_greater_equal _greater_equal _Greater_Equal");
  items.convert<inputs<"Less">>("broadcast_lesser _lesser _Lesser");
  items.convert<inputs<"LessEqual">>("broadcast_lesser_equal _lesser_equal _Lesser_Equal");
  items.convert<scalar<"Equal">>("_equal_scalar _EqualScalar");
  items.convert<scalar<"NotEqual">>("_not_equal_scalar _NotEqualScalar");
  items.convert<scalar<"Greater">>("_greater_scalar _GreaterScalar");
  items.convert<scalar<"GreaterEqual">>("_greater_equal_scalar _GreaterEqualScalar");
  items.convert<scalar<"Less">>("_lesser_scalar _LesserScalar");
  items.convert<scalar<"LessEqual">>("_lesser_equal_scalar _LesserEqualScalar");
  items.convert<logical<"LogicalAnd">>("broadcast_logical_and _logical_and _Logical_And");
  items.convert<logical<"LogicalOr">>("broadcast_logical_or _logical_or _Logical_Or");
  items.convert<logical<"LogicalXor">>("broadcast_logical_xor _logical_xor _Logical_Xor");
  items.convert<logical_scalar<"LogicalAnd">>("_logical_and_scalar _LogicalAndScalar");
  items.convert<logical_scalar<"LogicalOr">>("_logical_or_scalar _LogicalOrScalar");
  items.convert<logical_scalar<"LogicalXor">>("_logical_xor_scalar _LogicalXorScalar");
  items.convert<logical_not>("logical_not");
}

}  // namespace mo::mxnet
