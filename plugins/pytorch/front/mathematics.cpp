// Functions of one number. Those of real numbers read integers as floats.
#include "support/values.hpp"

#include <mo/extract.hpp>

#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace mathematics {

constexpr double pi = 3.14159265358979323846;

static OutPort real(const Call& c) { return as_float(c, c.tensor("self")); }

// Complex numbers are read by those that ask for them.
template <Name Type, Name Opset = "opset1">
static Ports of_real(const Call& c) {
  return {c.b.op(Type, Opset, {real(c)})};
}

// Integers are whole already.
template <Name Type>
static Ports whole(const Call& c) {
  const OutPort x = c.tensor("self");
  return {is_float(x.type()) ? c.op1(Type, {x}) : x};
}

static Ports round(const Call& c) {
  const OutPort x = c.tensor("self");
  const auto decimals = c.integer("decimals", 0);
  if (!is_float(x.type())) return {x};
  require(decimals >= -300 && decimals <= 300, "argument 'decimals' is ", decimals, ", expected -300 to 300");
  const double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  const OutPort scale = c.like(x, power);
  const auto rounded = [&](const OutPort& v) {
    return c.b.node("Round", "opset5", {v}).set("mode", "half_to_even").out_port();
  };
  if (decimals == 0) return {rounded(x)};
  if (decimals > 0) return {c.b.divide(rounded(c.b.multiply(x, scale)), scale)};
  return {c.b.multiply(rounded(c.b.divide(x, scale)), scale)};
}

static OutPort without_fraction(const Call& c, const OutPort& x) {
  return c.b.multiply(c.op1("Sign", {x}), c.op1("Floor", {c.op1("Abs", {x})}));
}
static Ports trunc(const Call& c) {
  const OutPort x = c.tensor("self");
  return {is_float(x.type()) ? without_fraction(c, x) : x};
}
static Ports fraction(const Call& c) {
  const OutPort x = c.tensor("self");
  return {c.b.subtract(x, without_fraction(c, x))};
}

static Ports abs(const Call& c) {
  const OutPort x = c.tensor("self");
  if (c.is_complex("self")) return {c.b.reduce("ReduceL2", x, c.b.list({-1}), false)};
  return {info(x.type()).kind == 'u' ? x : c.op1("Abs", {x})};
}
static Ports negative(const Call& c) {
  c.does_same_to_parts();
  return {c.op1("Negative", {c.tensor("self")})};
}
static OutPort square_of_size(const Call& c, const OutPort& z) {
  return c.b.reduce("ReduceSum", c.b.multiply(z, z), c.b.list({-1}), true);
}
// Of complex numbers what has their angle and the size 1, or 0.
static Ports sign(const Call& c) {
  const OutPort x = c.tensor("self");
  if (c.is_complex("self")) {
    const OutPort size = c.b.reduce("ReduceL2", x, c.b.list({-1}), true), zero = c.like(x, 0);
    return {c.b.divide(x, c.b.select(c.op1("Equal", {size, zero}), c.like(x, 1), size))};
  }
  return {x.type() == ElementType::boolean ? x : c.op1("Sign", {x})};
}
static Ports same(const Call& c) {
  c.does_same_to_parts();
  return {c.tensor("self")};
}
static Ports conjugated(const Call& c) {
  const OutPort x = c.tensor("self");
  return {c.is_complex("self") ? conjugate(c, x) : x};
}
static Ports square(const Call& c) {
  const OutPort x = c.tensor("self");
  return {c.is_complex("self") ? complex_product(c, x, x) : c.b.multiply(x, x)};
}
static Ports exponential(const Call& c) {
  const OutPort x = real(c);
  if (!c.is_complex("self")) return {c.op1("Exp", {x})};
  const auto [re, im] = taken_apart(c, x);
  return {turned_by(c, c.op1("Exp", {re}), im)};
}
static Ports from_size_and_angle(const Call& c) {
  require(c.result_is_complex(), "its result is real, expected complex numbers");
  return {turned_by(c, c.tensor("abs"), c.tensor("angle"))};
}

static Ports reciprocal(const Call& c) {
  const OutPort x = real(c);
  if (c.is_complex("self")) return {c.b.divide(conjugate(c, x), square_of_size(c, x))};
  return {c.b.divide(c.like(x, 1), x)};
}
static Ports reciprocal_root(const Call& c) {
  const OutPort x = real(c);
  return {c.op1("Power", {x, c.like(x, -0.5)})};
}
static Ports power_of_two(const Call& c) {
  const OutPort x = real(c);
  return {c.op1("Power", {c.like(x, 2), x})};
}
// exp(x) - 1 without losing digits near 0.
static Ports exp_minus_one(const Call& c) {
  const OutPort x = real(c);
  const OutPort half = c.op1("Tanh", {c.b.multiply(x, c.like(x, 0.5))});
  return {c.b.multiply(half, c.b.add(c.op1("Exp", {x}), c.like(x, 1)))};
}
static Ports log_of_more(const Call& c) {
  const OutPort x = real(c);
  return {c.op1("Log", {c.b.add(x, c.like(x, 1))})};
}
template <int Base>
static Ports log_of_base(const Call& c) {
  const OutPort x = real(c);
  return {c.b.multiply(c.op1("Log", {x}), c.like(x, 1 / std::log(Base)))};
}
static Ports rest_of_erf(const Call& c) {
  const OutPort x = real(c);
  return {c.b.subtract(c.like(x, 1), c.op1("Erf", {x}))};
}

// The logarithm of the gamma function of x > 0.5, by Lanczos' sum.
static OutPort log_gamma_of(const Call& c, const OutPort& x) {
  static constexpr double factors[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                       -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                       9.9843695780195716e-6, 1.5056327351493116e-7};
  const OutPort z = c.b.subtract(x, c.like(x, 1));
  OutPort sum = c.like(x, 0.99999999999980993);
  double place = 1;
  for (const double f : factors) {
    sum = c.b.add(sum, c.b.divide(c.like(x, f), c.b.add(z, c.like(x, place))));
    place += 1;
  }
  const OutPort t = c.b.add(z, c.like(x, 7.5));
  const OutPort grown = c.b.multiply(c.b.add(z, c.like(x, 0.5)), c.op1("Log", {t}));
  const OutPort rest = c.b.add(c.b.subtract(grown, t), c.op1("Log", {sum}));
  return c.b.add(rest, c.like(x, 0.5 * std::log(2 * pi)));
}

// Below 0.5 by what mirrors it: pi / (sin(pi x) gamma(1 - x)).
static OutPort log_gamma_anywhere(const Call& c, const OutPort& x) {
  const OutPort one = c.like(x, 1);
  const OutPort low = is_less(c, x, c.like(x, 0.5));
  const OutPort value = log_gamma_of(c, c.b.select(low, c.b.subtract(one, x), x));
  const OutPort sine = c.op1("Abs", {c.op1("Sin", {c.b.multiply(x, c.like(x, pi))})});
  const OutPort mirrored = c.b.subtract(c.b.subtract(c.like(x, std::log(pi)), c.op1("Log", {sine})), value);
  // Numbers 0, -1, -2 … are poles.
  const OutPort whole =
      c.op1("LogicalAnd", {c.op1("Equal", {x, c.op1("Floor", {x})}), c.op1("LessEqual", {x, c.like(x, 0)})});
  return c.b.select(whole, c.like(x, std::numeric_limits<double>::infinity()),
                    c.b.select(low, mirrored, value));
}
static Ports log_gamma(const Call& c) { return {log_gamma_anywhere(c, real(c))}; }

// Of p variables the sum of those of x, x - 1/2, x - 1 …, and a constant.
static Ports log_gamma_of_several(const Call& c) {
  const OutPort x = real(c);
  const auto p = c.integer("p");
  require(p >= 1 && p <= 64, "argument 'p' is ", p, ", expected 1 to 64");
  const auto pairs = static_cast<double>(p * (p - 1)) / 4;
  OutPort sum = c.like(x, pairs * std::log(pi));
  for (int64_t j = 0; j < p; ++j)
    sum = c.b.add(sum, log_gamma_anywhere(c, c.b.subtract(x, c.like(x, static_cast<double>(j) / 2))));
  return {sum};
}

static Ports sinc(const Call& c) {
  const OutPort x = real(c), angle = c.b.multiply(x, c.like(x, pi));
  const OutPort at_zero = c.op1("Equal", {x, c.like(x, 0)});
  const OutPort divisor = c.b.select(at_zero, c.like(x, 1), angle);
  return {c.b.select(at_zero, c.like(x, 1), c.b.divide(c.op1("Sin", {angle}), divisor))};
}

static Ports to_degrees(const Call& c) {
  const OutPort x = real(c);
  return {c.b.multiply(x, c.like(x, 180 / pi))};
}
static Ports to_radians(const Call& c) {
  const OutPort x = real(c);
  return {c.b.multiply(x, c.like(x, pi / 180))};
}

// Of shares of 0 to 1.
static Ports entropy(const Call& c) {
  const OutPort x = real(c), zero = c.like(x, 0);
  const OutPort below = c.like(x, -std::numeric_limits<double>::infinity());
  const OutPort y = c.op1("Negative", {c.b.multiply(x, c.op1("Log", {x}))});
  return {c.b.select(c.op1("Equal", {x, zero}), zero, c.b.select(is_less(c, x, zero), below, y))};
}

static Ports logit(const Call& c) {
  OutPort x = real(c);
  if (const auto eps = c.find_number("eps"))
    if (*eps >= 0 && *eps <= 0.5) x = c.b.clamp(x, *eps, 1 - *eps);
  return {c.op1("Log", {c.b.divide(x, c.b.subtract(c.like(x, 1), x))})};
}

}  // namespace mathematics

void register_mathematics(Registry& r) {
  using namespace mathematics;
  convert<abs>(r, "aten.abs.default aten.absolute.default", "abs(x)",
               "Abs(x), of complex numbers ReduceL2(x)");
  convert<negative>(r, "aten.neg.default aten.negative.default", "neg(x)", "Negative(x)");
  convert<sign>(r, "aten.sign.default aten.sgn.default", "sign(x)", "Sign(x)");
  convert<same>(r, "aten.positive.default", "positive(x)", "x");
  convert<square>(r, "aten.square.default", "square(x)", "Multiply(x, x)");
  convert<whole<"Ceiling">>(r, "aten.ceil.default", "ceil(x)", "Ceiling(x)");
  convert<whole<"Floor">>(r, "aten.floor.default", "floor(x)", "Floor(x)");
  convert<round>(r, "aten.round.default aten.round.decimals aten.special_round.default", "round(x, decimals)",
                 "Round(x), half to even");
  convert<trunc>(r, "aten.trunc.default aten.fix.default", "trunc(x)", "Multiply(Sign(x), Floor(Abs(x)))");
  convert<fraction>(r, "aten.frac.default", "frac(x)", "Subtract(x, Multiply(Sign(x), Floor(Abs(x))))");
  convert<of_real<"Acos">>(r, "aten.acos.default aten.arccos.default", "acos(x)", "Acos(x)");
  convert<of_real<"Acosh", "opset4">>(r, "aten.acosh.default aten.arccosh.default", "acosh(x)", "Acosh-4(x)");
  convert<of_real<"Asin">>(r, "aten.asin.default aten.arcsin.default", "asin(x)", "Asin(x)");
  convert<of_real<"Asinh", "opset4">>(r, "aten.asinh.default aten.arcsinh.default", "asinh(x)", "Asinh-4(x)");
  convert<of_real<"Atan">>(r, "aten.atan.default aten.arctan.default", "atan(x)", "Atan(x)");
  convert<of_real<"Atanh", "opset4">>(r, "aten.atanh.default aten.arctanh.default", "atanh(x)", "Atanh-4(x)");
  convert<of_real<"Cos">>(r, "aten.cos.default", "cos(x)", "Cos(x)");
  convert<of_real<"Cosh">>(r, "aten.cosh.default", "cosh(x)", "Cosh(x)");
  convert<of_real<"Sin">>(r, "aten.sin.default", "sin(x)", "Sin(x)");
  convert<of_real<"Sinh">>(r, "aten.sinh.default", "sinh(x)", "Sinh(x)");
  convert<of_real<"Tan">>(r, "aten.tan.default", "tan(x)", "Tan(x)");
  convert<of_real<"Tanh">>(r, "aten.tanh.default", "tanh(x)", "Tanh(x)");
  convert<of_real<"Sigmoid">>(r, "aten.sigmoid.default aten.special_expit.default", "sigmoid(x)",
                              "Sigmoid(x)");
  convert<exponential>(r, "aten.exp.default", "exp(x)",
                       "Exp(x), of complex numbers Multiply(Exp(real), Cos(imag)) and Sin");
  convert<conjugated>(
      r,
      "aten._conj.default aten.conj.default aten._conj_copy.default aten.conj_physical.default "
      "aten._conj_physical.default",
      "conj(x)", "Multiply(x, [1, -1]), of real numbers x");
  convert<from_size_and_angle>(r, "aten.polar.default", "polar(abs, angle)",
                               "Concat(Multiply(abs, Cos(angle)), Multiply(abs, Sin(angle)))");
  convert<of_real<"Log">>(r, "aten.log.default", "log(x)", "Log(x)");
  convert<of_real<"Sqrt">>(r, "aten.sqrt.default", "sqrt(x)", "Sqrt(x)");
  convert<of_real<"Erf">>(r, "aten.erf.default aten.special_erf.default", "erf(x)", "Erf(x)");
  convert<reciprocal>(r, "aten.reciprocal.default", "reciprocal(x)", "Divide(1, x)");
  convert<reciprocal_root>(r, "aten.rsqrt.default", "rsqrt(x)", "Power(x, -0.5)");
  convert<power_of_two>(r, "aten.exp2.default aten.special_exp2.default", "exp2(x)", "Power(2, x)");
  convert<exp_minus_one>(r, "aten.expm1.default aten.special_expm1.default", "expm1(x)",
                         "Multiply(Tanh(x / 2), Add(Exp(x), 1))");
  convert<log_of_more>(r, "aten.log1p.default aten.special_log1p.default", "log1p(x)", "Log(Add(x, 1))");
  convert<log_of_base<2>>(r, "aten.log2.default", "log2(x)", "Multiply(Log(x), 1 / log(2))");
  convert<log_of_base<10>>(r, "aten.log10.default", "log10(x)", "Multiply(Log(x), 1 / log(10))");
  convert<rest_of_erf>(r, "aten.erfc.default aten.special_erfc.default", "erfc(x)", "Subtract(1, Erf(x))");
  convert<log_gamma>(r, "aten.lgamma.default aten.special_gammaln.default", "lgamma(x)",
                     "Add(Multiply(Log(t), x - 0.5), Log(sum)), below 0.5 mirrored");
  convert<log_gamma_of_several>(r, "aten.mvlgamma.default aten.special_multigammaln.default",
                                "mvlgamma(x, p)", "sum of lgamma(x - j / 2)");
  convert<sinc>(r, "aten.sinc.default aten.special_sinc.default", "sinc(x)",
                "Select(Equal(x, 0), 1, Divide(Sin(pi x), pi x))");
  convert<to_degrees>(r, "aten.rad2deg.default", "rad2deg(x)", "Multiply(x, 180 / pi)");
  convert<to_radians>(r, "aten.deg2rad.default", "deg2rad(x)", "Multiply(x, pi / 180)");
  convert<entropy>(r, "aten.special_entr.default", "special_entr(x)", "Negative(Multiply(x, Log(x)))");
  convert<logit>(r, "aten.logit.default aten.special_logit.default", "logit(x, eps)",
                 "Log(Divide(x, Subtract(1, x))) of Clamp(x)");
}

}  // namespace mo::pytorch
