// Numbers of Python that the program computes: sizes of tensors, and arithmetic with them. Integers are i64,
// other numbers f64, without dimensions.
#include "support/call.hpp"

#include <mo/extract.hpp>

namespace mo::pytorch {

namespace symbols {

static OutPort scalar(const Call& c, const OutPort& x) {
  return c.rank(x) == 0 ? x : c.b.reshape(x, c.b.list({}));
}

static Ports size_of_dim(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t axis = c.axis("dim", 0, c.rank(x));
  return {scalar(c, c.b.dim(x, static_cast<int64_t>(axis)))};
}

static Ports element_count(const Call& c) {
  const OutPort sizes = c.b.shape_of(c.tensor("self"));
  return {c.b.reduce("ReduceProd", sizes, c.b.list({0}), false)};
}

static Ports only_element(const Call& c) { return {scalar(c, c.tensor("self"))}; }

// The type in which Python computes with both.
static std::array<OutPort, 2> operands(const Call& c, std::string_view a = "a", std::string_view b = "b") {
  const auto is_float = [&](std::string_view name) {
    if (c.is_tensor(name) || !c.node.has_native(name)) return mo::is_float(c.tensor(name).type());
    return c.node.native<mo_value>(name).kind == MO_VALUE_FLOAT;
  };
  const ElementType type = is_float(a) || is_float(b) ? ElementType::f64 : ElementType::i64;
  return {c.as(a, type), c.as(b, type)};
}

template <Name Type>
static Ports binary(const Call& c) {
  const auto [a, b] = operands(c);
  return {c.op1(Type, {a, b})};
}

// Python rounds quotients towards minus infinity.
static Ports floor_divide(const Call& c) {
  const auto [a, b] = operands(c);
  const Node d = c.b.node("Divide", "opset1", {a, b});
  if (is_float(a.type())) return {c.op1("Floor", {d.out_port()})};
  return {d.set("m_pythondiv", true).out_port()};
}

static Ports divide(const Call& c) {
  return {c.b.divide(c.as("a", ElementType::f64), c.as("b", ElementType::f64))};
}

static Ports negative(const Call& c) { return {c.op1("Negative", {c.tensor("a")})}; }

template <Name Type>
static Ports rounded(const Call& c) {
  const OutPort x = c.tensor("a");
  return {is_float(x.type()) ? c.b.convert(c.op1(Type, {x}), ElementType::i64) : x};
}

static Ports truncated(const Call& c) { return {c.b.convert(c.tensor("a"), ElementType::i64)}; }

static Ports as_float(const Call& c) { return {c.b.convert(c.tensor("a"), ElementType::f64)}; }

static Ports root(const Call& c) { return {c.op1("Sqrt", {c.as("a", ElementType::f64)})}; }

static Ports opposite(const Call& c) {
  const OutPort x = c.tensor("a");
  if (x.type() == ElementType::boolean) return {c.op1("LogicalNot", {x})};
  return {c.op1("Equal", {x, c.like(x, 0)})};
}

static Ports chosen(const Call& c) {
  const auto [yes, no] = operands(c, "t", "f");
  return {c.b.select(c.as("b", ElementType::boolean), yes, no)};
}

template <Name Logical, Name Type>
static Ports either(const Call& c) {
  if (c.is_given("a") && c.find_tensor("a") && c.tensor("a").type() == ElementType::boolean)
    return {c.op1(Logical, {c.tensor("a"), c.as("b", ElementType::boolean)})};
  const auto [a, b] = operands(c);
  return {c.b.op(Type, "opset13", {a, b})};
}

}  // namespace symbols

void register_symbols(Registry& r) {
  convert<symbols::size_of_dim>(r, "aten.sym_size.int", "sym_size(x, dim)", "Gather(ShapeOf(x), dim)");
  convert<symbols::element_count>(r, "aten.sym_numel.default", "sym_numel(x)", "ReduceProd(ShapeOf(x))");
  convert<symbols::only_element>(r, "aten.item.default aten._local_scalar_dense.default", "item(x)",
                                 "Reshape(x, [])");
  convert<symbols::binary<"Add">>(r, "_operator.add", "a + b", "Add(a, b)");
  convert<symbols::binary<"Subtract">>(r, "_operator.sub aten.sub.default", "a - b", "Subtract(a, b)");
  convert<symbols::binary<"Multiply">>(r, "_operator.mul", "a * b", "Multiply(a, b)");
  convert<symbols::binary<"FloorMod">>(r, "_operator.mod aten.remainder.default", "a % b", "FloorMod(a, b)");
  convert<symbols::binary<"Power">>(r, "_operator.pow", "a ** b", "Power(a, b)");
  convert<symbols::floor_divide>(r, "_operator.floordiv", "a // b", "Divide(a, b), or Floor(Divide(a, b))");
  convert<symbols::divide>(r, "_operator.truediv", "a / b", "Divide(a, b)");
  convert<symbols::negative>(r, "_operator.neg", "-a", "Negative(a)");
  convert<symbols::binary<"Equal">>(r, "_operator.eq", "a == b", "Equal(a, b)");
  convert<symbols::binary<"NotEqual">>(r, "_operator.ne", "a != b", "NotEqual(a, b)");
  convert<symbols::binary<"Less">>(r, "_operator.lt", "a < b", "Less(a, b)");
  convert<symbols::binary<"LessEqual">>(r, "_operator.le", "a <= b", "LessEqual(a, b)");
  convert<symbols::binary<"Greater">>(r, "_operator.gt", "a > b", "Greater(a, b)");
  convert<symbols::binary<"GreaterEqual">>(r, "_operator.ge", "a >= b", "GreaterEqual(a, b)");
  convert<symbols::either<"LogicalAnd", "BitwiseAnd">>(r, "_operator.and_", "a & b", "LogicalAnd(a, b)");
  convert<symbols::either<"LogicalOr", "BitwiseOr">>(r, "_operator.or_", "a | b", "LogicalOr(a, b)");
  convert<symbols::binary<"Maximum">>(r, "torch.sym_max", "max(a, b)", "Maximum(a, b)");
  convert<symbols::binary<"Minimum">>(r, "torch.sym_min", "min(a, b)", "Minimum(a, b)");
  convert<symbols::opposite>(r, "torch.sym_not _operator.not_", "not a", "LogicalNot(a)");
  convert<symbols::as_float>(r, "torch.sym_float", "float(a)", "Convert(a)");
  convert<symbols::truncated>(r, "torch.sym_int math.trunc", "int(a)", "Convert(a)");
  convert<symbols::rounded<"Floor">>(r, "math.floor", "floor(a)", "Convert(Floor(a))");
  convert<symbols::rounded<"Ceiling">>(r, "math.ceil", "ceil(a)", "Convert(Ceiling(a))");
  convert<symbols::root>(r, "math.sqrt torch._sym_sqrt", "sqrt(a)", "Sqrt(a)");
  convert<symbols::chosen>(r, "torch.sym_ite", "t if b else f", "Select(b, t, f)");
}

}  // namespace mo::pytorch
