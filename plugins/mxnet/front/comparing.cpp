// What compares, of two inputs or of one and an attribute `scalar`: the result are numbers.
#include "support/numbers.hpp"
#include "support/registering.hpp"

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

void register_comparing(Registry& r) {
  using namespace comparing;
  convert<inputs<"Equal">>(r, "broadcast_equal _equal _Equal", "broadcast_equal(x, y)",
                           "Convert(Equal(x, y))");
  convert<inputs<"NotEqual">>(r, "broadcast_not_equal _not_equal _Not_Equal", "broadcast_not_equal(x, y)",
                              "Convert(NotEqual(x, y))");
  convert<inputs<"Greater">>(r, "broadcast_greater _greater _Greater", "broadcast_greater(x, y)",
                             "Convert(Greater(x, y))");
  convert<inputs<"GreaterEqual">>(r, "broadcast_greater_equal _greater_equal _Greater_Equal",
                                  "broadcast_greater_equal(x, y)", "Convert(GreaterEqual(x, y))");
  convert<inputs<"Less">>(r, "broadcast_lesser _lesser _Lesser", "broadcast_lesser(x, y)",
                          "Convert(Less(x, y))");
  convert<inputs<"LessEqual">>(r, "broadcast_lesser_equal _lesser_equal _Lesser_Equal",
                               "broadcast_lesser_equal(x, y)", "Convert(LessEqual(x, y))");
  convert<scalar<"Equal">>(r, "_equal_scalar _EqualScalar", "_equal_scalar(x)", "Convert(Equal(x, scalar))");
  convert<scalar<"NotEqual">>(r, "_not_equal_scalar _NotEqualScalar", "_not_equal_scalar(x)",
                              "Convert(NotEqual(x, scalar))");
  convert<scalar<"Greater">>(r, "_greater_scalar _GreaterScalar", "_greater_scalar(x)",
                             "Convert(Greater(x, scalar))");
  convert<scalar<"GreaterEqual">>(r, "_greater_equal_scalar _GreaterEqualScalar", "_greater_equal_scalar(x)",
                                  "Convert(GreaterEqual(x, scalar))");
  convert<scalar<"Less">>(r, "_lesser_scalar _LesserScalar", "_lesser_scalar(x)", "Convert(Less(x, scalar))");
  convert<scalar<"LessEqual">>(r, "_lesser_equal_scalar _LesserEqualScalar", "_lesser_equal_scalar(x)",
                               "Convert(LessEqual(x, scalar))");
  convert<logical<"LogicalAnd">>(r, "broadcast_logical_and _logical_and _Logical_And",
                                 "broadcast_logical_and(x, y)",
                                 "Convert(LogicalAnd(NotEqual(x, 0), NotEqual(y, 0)))");
  convert<logical<"LogicalOr">>(r, "broadcast_logical_or _logical_or _Logical_Or",
                                "broadcast_logical_or(x, y)",
                                "Convert(LogicalOr(NotEqual(x, 0), NotEqual(y, 0)))");
  convert<logical<"LogicalXor">>(r, "broadcast_logical_xor _logical_xor _Logical_Xor",
                                 "broadcast_logical_xor(x, y)",
                                 "Convert(LogicalXor(NotEqual(x, 0), NotEqual(y, 0)))");
  convert<logical_scalar<"LogicalAnd">>(r, "_logical_and_scalar _LogicalAndScalar", "_logical_and_scalar(x)",
                                        "Convert(LogicalAnd(NotEqual(x, 0), scalar))");
  convert<logical_scalar<"LogicalOr">>(r, "_logical_or_scalar _LogicalOrScalar", "_logical_or_scalar(x)",
                                       "Convert(LogicalOr(NotEqual(x, 0), scalar))");
  convert<logical_scalar<"LogicalXor">>(r, "_logical_xor_scalar _LogicalXorScalar", "_logical_xor_scalar(x)",
                                        "Convert(LogicalXor(NotEqual(x, 0), scalar))");
  convert<logical_not>(r, "logical_not", "logical_not(x)", "Convert(LogicalNot(NotEqual(x, 0)))");
}

}  // namespace mo::mxnet
