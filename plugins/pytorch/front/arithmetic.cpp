// Arithmetic of two tensors, or of a tensor and a number, in the type that torch promotes both to.
#include "support/values.hpp"

#include <mo/bodies.hpp>
#include <mo/extract.hpp>

namespace mo::pytorch {

namespace arithmetic {

static bool is_truth(const OutPort& x) { return x.type() == ElementType::boolean; }

static Ports multiply(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  if (!c.is_complex("self") && !c.is_complex("other"))
    return {is_truth(x) ? c.op1("LogicalAnd", {x, y}) : c.b.multiply(x, y)};
  // Of a complex number and a real one, the latter gets a dimension for the parts to share.
  const auto parts = [&](std::string_view name, const OutPort& v) {
    return c.is_complex(name) ? v : c.rank(v) == 0 ? v : c.b.unsqueeze(v, c.b.list({-1}));
  };
  if (!c.is_complex("self") || !c.is_complex("other"))
    return {c.b.multiply(parts("self", x), parts("other", y))};
  return {complex_product(c, x, y)};
}

// x / y = x conj(y) / |y|².
static OutPort complex_quotient(const Call& c, const OutPort& x, const OutPort& y) {
  const OutPort square = c.b.reduce("ReduceSum", c.b.multiply(y, y), c.b.list({-1}), true);
  return c.b.divide(complex_product(c, x, conjugate(c, y)), square);
}

static std::array<OutPort, 2> as_floats(const Call& c) {
  const ElementType type = c.promoted_type({"self", "other"});
  const ElementType real = is_float(type) ? type : ElementType::f32;
  return {c.as("self", real), c.as("other", real)};
}

// Of integers it is exact: what is divided is a multiple.
static OutPort floor_of_quotient(const Call& c, const OutPort& x, const OutPort& y) {
  if (is_float(x.type())) return c.op1("Floor", {c.b.divide(x, y)});
  const OutPort rest = c.op1("FloorMod", {x, y});
  return c.b.divide(c.b.subtract(x, rest), y);
}

static OutPort towards_zero(const Call& c, const OutPort& x) {
  return c.b.multiply(c.op1("Sign", {x}), c.op1("Floor", {c.op1("Abs", {x})}));
}

static OutPort cut_quotient(const Call& c, const OutPort& x, const OutPort& y) {
  if (is_float(x.type())) return towards_zero(c, c.b.divide(x, y));
  return c.b.node("Divide", "opset1", {x, y}).set("m_pythondiv", false).out_port();
}

static Ports divide(const Call& c) {
  if (c.is_complex("other")) {
    const ElementType type = c.promoted_type({"self", "other"});
    return {complex_quotient(c, as_complex(c, "self", type), as_complex(c, "other", type))};
  }
  const auto mode = c.word("rounding_mode");
  if (mode == "floor" || mode == "trunc") {
    const auto [x, y] = c.promoted("self", "other");
    return {mode == "floor" ? floor_of_quotient(c, x, y) : cut_quotient(c, x, y)};
  }
  require(mode.empty(), "argument 'rounding_mode' is '", mode, "', expected floor, trunc or none");
  const auto [x, y] = as_floats(c);
  if (c.is_complex("self") && c.rank(y) != 0) return {c.b.divide(x, c.b.unsqueeze(y, c.b.list({-1})))};
  return {c.b.divide(x, y)};
}

static Ports floor_divide(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {floor_of_quotient(c, x, y)};
}

template <Name Type>
static Ports promoted(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {c.op1(Type, {x, y})};
}

// Of truth values Minimum is `and`, Maximum is `or`.
template <Name Type, Name OfTruth>
static Ports extreme(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {c.op1(is_truth(x) ? std::string_view(OfTruth) : std::string_view(Type), {x, y})};
}

static Ports float_power(const Call& c) {
  return {c.op1("Power", {c.as("self", ElementType::f64), c.as("exponent", ElementType::f64)})};
}

// The angle of the point (x, y): that of atan(y / x) in the right half, and half a turn more in the left one.
constexpr double pi = 3.14159265358979323846;

static OutPort angle_of(const Call& c, const OutPort& y, const OutPort& x) {
  const OutPort zero = c.like(y, 0);
  const OutPort angle = c.op1("Atan", {c.b.divide(y, x)});
  const OutPort half_turn = c.b.select(is_less(c, y, zero), c.like(y, -pi), c.like(y, pi));
  const OutPort left = c.b.select(is_less(c, x, zero), c.b.add(angle, half_turn), angle);
  const OutPort upright = c.b.multiply(c.op1("Sign", {y}), c.like(y, pi / 2));
  return c.b.select(c.op1("Equal", {x, zero}), upright, left);
}
// To a real power: by size and angle, where it is not two.
static Ports complex_power(const Call& c) {
  const ElementType type = c.promoted_type({"self", "exponent"});
  const OutPort z = c.as("self", type);
  if (!c.is_tensor("exponent") && c.number("exponent") == 2) return {complex_product(c, z, z)};
  const Parts p = taken_apart(c, z);
  const OutPort n = c.as("exponent", type), size = c.b.reduce("ReduceL2", z, c.b.list({-1}), false);
  const OutPort grown = c.op1("Power", {size, n});
  const OutPort turned = c.b.multiply(angle_of(c, p.imaginary, p.real), n);
  return {turned_by(c, grown, turned)};
}
static Ports power(const Call& c) {
  require(!c.is_complex("exponent"), "powers that are complex are not supported");
  if (c.is_complex("self")) return complex_power(c);
  const auto [x, y] = c.promoted("self", "exponent");
  return {c.op1("Power", {x, y})};
}

static Ports angle_of_point(const Call& c) {
  const auto [y, x] = as_floats(c);
  return {angle_of(c, y, x)};
}
// Of real numbers pi where they are negative.
static Ports angle(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const auto part = [&](int64_t i) { return gather(c, x, c.b.integer(i), -1); };
  if (c.is_complex("self")) return {angle_of(c, part(1), part(0))};
  const OutPort turned = c.b.select(is_less(c, x, c.like(x, 0)), c.like(x, pi), c.like(x, 0));
  return {c.b.select(c.op1("NotEqual", {x, x}), x, turned)};
}

// Times two to the power of the other.
static Ports times_power(const Call& c) {
  const auto [x, y] = as_floats(c);
  return {c.b.multiply(x, c.op1("Power", {c.like(y, 2), y}))};
}

static Ports hypotenuse(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {c.op1("Sqrt", {c.b.add(c.b.multiply(x, x), c.b.multiply(y, y))})};
}

// The greater one and log(1 + exp(-distance)); equal infinities have no distance.
template <bool Twos>
static Ports log_of_sum(const Call& c) {
  constexpr double ln2 = 0.693147180559945309417;
  auto [x, y] = as_floats(c);
  if (Twos) {
    x = c.b.multiply(x, c.like(x, ln2));
    y = c.b.multiply(y, c.like(y, ln2));
  }
  const OutPort distance =
      c.b.select(c.op1("Equal", {x, y}), c.like(x, 0), c.op1("Abs", {c.b.subtract(x, y)}));
  const OutPort more = c.b.op("SoftPlus", "opset4", {c.op1("Negative", {distance})});
  const OutPort sum = c.b.add(c.op1("Maximum", {x, y}), more);
  return {Twos ? c.b.divide(sum, c.like(x, ln2)) : sum};
}

static Ports x_log_y(const Call& c) {
  const auto [x, y] = as_floats(c);
  const OutPort zero = c.like(x, 0), product = c.b.multiply(x, c.op1("Log", {y}));
  const OutPort value = c.b.select(c.op1("Equal", {x, zero}), zero, product);
  return {c.b.select(c.op1("NotEqual", {y, y}), y, value)};
}

static Ports copy_sign(const Call& c) {
  const auto [x, y] = as_floats(c);
  const OutPort size = c.op1("Abs", {x});
  return {c.b.select(is_less(c, y, c.like(y, 0)), c.op1("Negative", {size}), size)};
}

static Ports heaviside(const Call& c) {
  const OutPort x = c.tensor("self"), zero = c.like(x, 0);
  const OutPort step = c.convert_like(c.op1("Greater", {x, zero}), x);
  return {c.b.select(c.op1("Equal", {x, zero}), c.as("values", x.type()), step)};
}

// self + value * tensor1 * tensor2, or with a quotient.
template <bool Quotient>
static Ports add_combined(const Call& c) {
  ElementType type = c.promoted_type({"self", "tensor1", "tensor2"});
  if (Quotient && !is_float(type)) type = ElementType::f32;
  const OutPort x = c.as("tensor1", type), y = c.as("tensor2", type);
  OutPort both = Quotient ? c.b.divide(x, y) : c.b.multiply(x, y);
  if (c.number("value", 1) != 1) both = c.b.multiply(both, c.scalar("value", type));
  return {c.b.add(c.as("self", type), both)};
}

static Ports lerp(const Call& c) {
  const ElementType type = c.promoted_type({"self", "end"});
  const OutPort x = c.as("self", type);
  return {c.b.add(x, c.b.multiply(c.b.subtract(c.as("end", type), x), c.as("weight", type)))};
}

// With limits that are numbers; one that is below the other is the result everywhere, as torch has it.
static Ports clamp(const Call& c) {
  const bool low = c.is_given("min"), high = c.is_given("max");
  std::vector<std::string_view> names{"self"};
  if (low) names.emplace_back("min");
  if (high) names.emplace_back("max");
  const ElementType type = c.promoted_type(names);
  OutPort x = c.as("self", type);
  const bool numbers = low && high && !c.is_tensor("min") && !c.is_tensor("max");
  if (numbers && is_float(type)) {
    const auto least = c.number("min"), most = c.number("max");
    if (least <= most) return {c.b.clamp(x, least, most)};
  }
  if (low) x = c.op1("Maximum", {x, c.as("min", type)});
  if (high) x = c.op1("Minimum", {x, c.as("max", type)});
  return {x};
}

// Euclid's: the rest of a division takes the place of what was divided, until none is left.
static OutPort divisor_of(const Call& c, const OutPort& x, const OutPort& y) {
  const ElementType type = x.type();
  const OutPort shape = c.b.shape_of(c.b.add(x, y)),
                truth = c.b.constant(Tensor::scalar<bool>(c.b.context(), true));
  constexpr int64_t most_rounds = 100;  // of 64 bits, whose worst are Fibonacci's numbers
  BodyBuilder body(c.b.graph().create_sub_graph(text(c.node.name(), "/body")),
                   Ports{c.b.integer(most_rounds), truth});
  const Build in(body.graph(), c.node);
  const auto state = [&](std::string_view name, const OutPort& v) {
    return body.in(name, c.b.broadcast(c.op1("Abs", {v}), shape), {}, type);
  };
  const OutPort a = state("a", x), b = state("b", y);
  const auto number = [&](double value) {
    return in.constant(Tensor::filled(c.b.context(), type, {value}, {}));
  };
  const OutPort done = in.op("Equal", "opset1", {b, number(0)});
  const OutPort rest = in.op("FloorMod", "opset1", {a, in.select(done, number(1), b)});
  const OutPort next_b = in.select(done, b, rest);
  body.next(body.out("next_a", in.select(done, a, b), 0), a);
  body.next(body.out("next_b", next_b), b);
  const OutPort left = in.op("NotEqual", "opset1", {next_b, number(0)});
  const size_t rank = std::max(c.rank(x), c.rank(y));
  body.condition(rank == 0 ? left : in.reduce("ReduceLogicalOr", left, in.list(counted(rank)), false));
  const Node loop = c.b.node("Loop", "opset5", body.inputs());
  body.set(loop);
  return loop.out_port();
}
static Ports greatest_divisor(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {divisor_of(c, x, y)};
}
static Ports least_multiple(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  const OutPort divisor = divisor_of(c, x, y), zero = c.op1("Equal", {divisor, c.like(divisor, 0)});
  const OutPort share = c.b.divide(x, c.b.select(zero, c.like(divisor, 1), divisor));
  return {c.op1("Abs", {c.b.multiply(share, y)})};
}

// Of a number and none the number.
static Ports number_of_both(const Call& c, std::string_view type) {
  const auto [x, y] = c.promoted("self", "other");
  const OutPort both = c.op1(type, {x, y});
  if (!is_float(x.type())) return {both};
  return {c.b.select(c.op1("NotEqual", {x, x}), y, c.b.select(c.op1("NotEqual", {y, y}), x, both))};
}
static Ports greater_number(const Call& c) { return number_of_both(c, "Maximum"); }
static Ports lesser_number(const Call& c) { return number_of_both(c, "Minimum"); }

}  // namespace arithmetic

void register_arithmetic(Registry& r) {
  using namespace arithmetic;
  convert<multiply>(
      r, "aten.mul.Tensor aten.mul.Scalar aten.multiply.Tensor aten.multiply.Scalar prims.mul.default",
      "mul(x, y)", "Multiply(x, y), of truth values LogicalAnd(x, y)");
  convert<divide>(
      r,
      "aten.div.Tensor aten.div.Scalar aten.div.Tensor_mode aten.div.Scalar_mode aten.divide.Tensor "
      "aten.divide.Scalar aten.divide.Tensor_mode aten.divide.Scalar_mode aten.true_divide.Tensor "
      "aten.true_divide.Scalar",
      "div(x, y)", "Divide(x, y), with Floor or without what is behind the point by the mode");
  convert<floor_divide>(r, "aten.floor_divide.default aten.floor_divide.Scalar", "floor_divide(x, y)",
                        "Floor(Divide(x, y)), of integers Divide(Subtract(x, FloorMod(x, y)), y)");
  convert<promoted<"FloorMod">>(r, "aten.remainder.Tensor aten.remainder.Scalar aten.remainder.Scalar_Tensor",
                                "remainder(x, y)", "FloorMod(x, y)");
  convert<promoted<"Mod">>(r, "aten.fmod.Tensor aten.fmod.Scalar", "fmod(x, y)", "Mod(x, y)");
  convert<extreme<"Maximum", "LogicalOr">>(r, "aten.maximum.default aten.max.other", "maximum(x, y)",
                                           "Maximum(x, y)");
  convert<extreme<"Minimum", "LogicalAnd">>(r, "aten.minimum.default aten.min.other", "minimum(x, y)",
                                            "Minimum(x, y)");
  convert<power>(r, "aten.pow.Tensor_Tensor aten.pow.Tensor_Scalar aten.pow.Scalar", "pow(x, y)",
                 "Power(x, y)");
  convert<float_power>(
      r, "aten.float_power.Tensor_Tensor aten.float_power.Tensor_Scalar aten.float_power.Scalar",
      "float_power(x, y)", "Power(Convert(x), Convert(y))");
  convert<angle_of_point>(r, "aten.atan2.default aten.arctan2.default", "atan2(y, x)",
                          "Select(Equal(x, 0), ±pi/2, Atan(Divide(y, x)) + 0 or ±pi)");
  convert<angle>(r, "aten.angle.default", "angle(x)",
                 "Select(Less(x, 0), pi, 0), of complex numbers atan2(imag, real)");
  convert<times_power>(r, "aten.ldexp.Tensor", "ldexp(x, y)", "Multiply(x, Power(2, y))");
  convert<hypotenuse>(r, "aten.hypot.default", "hypot(x, y)", "Sqrt(Add(Multiply(x, x), Multiply(y, y)))");
  convert<log_of_sum<false>>(r, "aten.logaddexp.default", "logaddexp(x, y)",
                             "Add(Maximum(x, y), SoftPlus(Negative(Abs(Subtract(x, y)))))");
  convert<log_of_sum<true>>(r, "aten.logaddexp2.default", "logaddexp2(x, y)",
                            "Add(Maximum(x, y), SoftPlus(Negative(Abs(Subtract(x, y))))) in powers of two");
  convert<x_log_y>(
      r, "aten.xlogy.Tensor aten.xlogy.Scalar_Other aten.xlogy.Scalar_Self aten.special_xlogy.default",
      "xlogy(x, y)", "Select(Equal(x, 0), 0, Multiply(x, Log(y)))");
  convert<copy_sign>(r, "aten.copysign.Tensor aten.copysign.Scalar", "copysign(x, y)",
                     "Select(Less(y, 0), Negative(Abs(x)), Abs(x))");
  convert<heaviside>(r, "aten.heaviside.default", "heaviside(x, values)",
                     "Select(Equal(x, 0), values, Convert(Greater(x, 0)))");
  convert<add_combined<false>>(r, "aten.addcmul.default", "addcmul(x, a, b, value)",
                               "Add(x, Multiply(Multiply(a, b), value))");
  convert<add_combined<true>>(r, "aten.addcdiv.default", "addcdiv(x, a, b, value)",
                              "Add(x, Multiply(Divide(a, b), value))");
  convert<lerp>(r, "aten.lerp.Scalar aten.lerp.Tensor", "lerp(x, end, weight)",
                "Add(x, Multiply(Subtract(end, x), weight))");
  convert<clamp>(r,
                 "aten.clamp.default aten.clamp.Tensor aten.clamp_min.default aten.clamp_min.Tensor "
                 "aten.clamp_max.default aten.clamp_max.Tensor aten.clip.default aten.clip.Tensor",
                 "clamp(x, min, max)", "Clamp(x), or Minimum(Maximum(x, min), max)");
  convert<greatest_divisor>(r, "aten.gcd.default", "gcd(x, y)", "Loop of FloorMod(a, b)");
  convert<least_multiple>(r, "aten.lcm.default", "lcm(x, y)", "Abs(Multiply(Divide(x, gcd(x, y)), y))");
  convert<greater_number>(r, "aten.fmax.default", "fmax(x, y)",
                          "Maximum(x, y); Select where one is no number");
  convert<lesser_number>(r, "aten.fmin.default", "fmin(x, y)",
                         "Minimum(x, y); Select where one is no number");
}

}  // namespace mo::pytorch
