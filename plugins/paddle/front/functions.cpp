// Functions of one tensor, element by element.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace functions {

static OutPort x_of(const Op& o) { return o.in("0 X x Input"); }

static Ports identity(const Op& o) { return {x_of(o)}; }

// x * scale + bias, or (x + bias) * scale; numbers take the type of x.
static Ports scale(const Op& o) {
  const OutPort x = x_of(o);
  const ElementType type = o.type_of(x);
  const double bias = o.real("bias", 0);
  const auto factor = o.known_real("1 ScaleTensor", "scale");
  const auto times = [&](const OutPort& y) {
    if (factor == -1 && o.is_real(x)) return o.op1("Negative", {y});  // as Paddle writes -x
    if (factor) return o.times(y, *factor);
    return o.has("1 ScaleTensor") ? o.multiply(y, o.convert(o.as_scalar(o.in("1 ScaleTensor")), type)) : y;
  };
  if (type == ElementType::boolean && (!factor || *factor != 1 || bias != 0)) fail("it scales flags");
  if (o.flag("bias_after_scale", true)) return {o.plus(times(x), bias)};
  return {times(o.plus(x, bias))};
}

static Ports square(const Op& o) { return {o.multiply(x_of(o), x_of(o))}; }
static Ports rsqrt(const Op& o) { return {o.power(x_of(o), -0.5)}; }
static Ports reciprocal(const Op& o) { return {o.power(x_of(o), -1)}; }
static Ports expm1(const Op& o) { return {o.plus(o.op1("Exp", {x_of(o)}), -1)}; }
static Ports log1p(const Op& o) { return {o.op1("Log", {o.plus(x_of(o), 1)})}; }

template <int Base>
static Ports logarithm(const Op& o) {
  const OutPort x = x_of(o);
  return {
      o.divide(o.op1("Log", {x}), o.like(x, Base == 2 ? 0.693147180559945309417 : 2.302585092994045684018))};
}

static Ports pow(const Op& o) {
  const OutPort x = x_of(o);
  if (o.has("1 FactorTensor"))
    return {o.op1("Power", {x, o.convert(o.as_scalar(o.in("1 FactorTensor")), o.type_of(x))})};
  return {o.power(x, o.real("y factor", 1))};
}

static OutPort rounded(const Op& o, const OutPort& x, std::string_view mode) {
  return o.node("Round", "opset5", {x}).set("mode", std::string(mode)).out_port();
}

// Paddle 3 rounds halves to even, Paddle 2 away from zero.
static Ports round(const Op& o) {
  const std::string_view mode = o.is_pir() ? "half_to_even" : "half_away_from_zero";
  const OutPort x = x_of(o);
  if (!o.is_real(x)) return {x};
  const int64_t decimals = o.integer("decimals", 0);
  if (decimals == 0) return {rounded(o, x, mode)};
  const double unit = std::pow(10.0, static_cast<double>(decimals));
  return {o.divide(rounded(o, o.times(x, unit), mode), o.like(x, unit))};
}

static Ports trunc(const Op& o) {
  const OutPort x = x_of(o);
  if (!o.is_real(x)) return {x};
  return {o.multiply(o.op1("Sign", {x}), o.op1("Floor", {o.op1("Abs", {x})}))};
}

template <Name Type>
static Ports special(const Op& o) {
  const OutPort x = x_of(o);
  if (o.is_real(x)) return {o.op(Type, "opset10", {x})};
  return {o.op1("NotEqual", {x, x})};
}

static Ports isfinite(const Op& o) {
  const OutPort x = x_of(o);
  if (o.is_real(x)) return {o.op("IsFinite", "opset10", {x})};
  return {o.op1("Equal", {x, x})};
}

static Ports clip(const Op& o) {
  OutPort x = x_of(o);
  const auto low = o.known_real("1 Min", "min"), high = o.known_real("2 Max", "max");
  if (low && high && o.is_real(x)) return {o.clamp(x, *low, *high)};
  const ElementType type = o.type_of(x);
  const auto bound = [&](std::string_view slots, const std::optional<double>& number) {
    return number ? o.like(x, *number) : o.convert(o.as_scalar(o.in(slots)), type);
  };
  if (o.has("1 Min") || low) x = o.op1("Maximum", {x, bound("1 Min", low)});
  if (o.has("2 Max") || high) x = o.op1("Minimum", {x, bound("2 Max", high)});
  return {x};
}

static Ports cast(const Op& o) {
  const OutPort x = x_of(o);
  const auto type = o.type("dtype out_dtype");
  require(type.has_value(), "attribute 'dtype' names a type that the IR does not have");
  return {o.convert(x, *type)};
}

static Ports dropout(const Op& o) {
  const OutPort x = x_of(o);
  const auto p = o.known_real("2", "p dropout_prob");
  const std::string mode = o.word("mode dropout_implementation", "downgrade_in_infer");
  if (mode == "upscale_in_train" || !p || *p == 0) return {x};
  require(mode == "downgrade_in_infer", "attribute 'mode' is '", mode,
          "', expected upscale_in_train or downgrade_in_infer");
  return {o.times(x, 1 - *p)};
}

// y with erf(y) = x, by two polynomials in the logarithm of 1 - x * x (M. Giles, 2010).
static Ports erfinv(const Op& o) {
  const OutPort x = x_of(o);
  const OutPort w =
      o.op1("Negative", {o.op1("Log", {o.multiply(o.subtract(o.like(x, 1), x), o.plus(x, 1))})});
  const auto polynomial = [&](const OutPort& at, std::initializer_list<double> factors) {
    OutPort p = o.like(x, *factors.begin());
    for (const double* f = factors.begin() + 1; f != factors.end(); ++f) p = o.plus(o.multiply(p, at), *f);
    return p;
  };
  const OutPort inner =
      polynomial(o.plus(w, -2.5), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06,
                                   0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  const OutPort near = o.op1("Minimum", {w, o.like(x, 1e4)});
  const OutPort outer = polynomial(o.plus(o.op1("Sqrt", {near}), -3),
                                   {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                                    0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  const OutPort y = o.multiply(o.select(o.op1("Less", {w, o.like(x, 5)}), inner, outer), x);
  const OutPort ends = o.op1("Equal", {o.op1("Abs", {x}), o.like(x, 1)});
  return {o.select(ends, o.times(x, std::numeric_limits<double>::infinity()), y)};
}

// Stirling's series of x + 8, less the logarithm of the product between; for less than 1/2 by its mirror image.
static Ports lgamma(const Op& o) {
  const OutPort x = x_of(o);
  constexpr double pi = 3.14159265358979323846;
  const OutPort mirrored = o.op1("Less", {x, o.like(x, 0.5)});
  const OutPort z = o.select(mirrored, o.subtract(o.like(x, 1), x), x);
  OutPort product = z;
  for (int i = 1; i < 8; ++i) product = o.multiply(product, o.plus(z, i));
  const OutPort s = o.plus(z, 8), one = o.like(x, 1);
  const OutPort inverse = o.divide(one, s), squared = o.multiply(inverse, inverse);
  const OutPort series = o.multiply(
      inverse, o.plus(o.multiply(squared, o.plus(o.times(squared, 1.0 / 1260), -1.0 / 360)), 1.0 / 12));
  const OutPort stirling = o.plus(
      o.add(o.subtract(o.multiply(o.plus(s, -0.5), o.op1("Log", {s})), s), series), 0.918938533204672741780);
  const OutPort right = o.subtract(stirling, o.op1("Log", {product}));
  const OutPort sine = o.op1("Abs", {o.op1("Sin", {o.times(x, pi)})});
  const OutPort left = o.subtract(o.op1("Log", {o.divide(o.like(x, pi), sine)}), right);
  return {o.select(mirrored, left, right)};
}

}  // namespace functions

void register_functions(Registry& r) {
  using namespace functions;
  convert<identity>(
      r, "assign share_data memcpy_h2d memcpy_d2h npu_identity depend c_identity assign_out_ share_buffer",
      "assign(x)", "x");
  convert<scale>(r, "scale", "scale(x, scale, bias)",
                 "Add(Multiply(x, scale), bias); Negative(x) for a scale of -1");
  convert<square>(r, "square", "square(x)", "Multiply(x, x)");
  convert<rsqrt>(r, "rsqrt", "rsqrt(x)", "Power(x, -0.5)");
  convert<reciprocal>(r, "reciprocal", "reciprocal(x)", "Power(x, -1)");
  convert<expm1>(r, "expm1", "expm1(x)", "Subtract(Exp(x), 1)");
  convert<log1p>(r, "log1p", "log1p(x)", "Log(Add(x, 1))");
  convert<logarithm<2>>(r, "log2", "log2(x)", "Divide(Log(x), log(2))");
  convert<logarithm<10>>(r, "log10", "log10(x)", "Divide(Log(x), log(10))");
  convert<pow>(r, "pow", "pow(x, y)", "Power(x, y)");
  convert<round>(r, "round", "round(x)", "Round(x)");
  convert<trunc>(r, "trunc", "trunc(x)", "Multiply(Sign(x), Floor(Abs(x)))");
  convert<special<"IsNaN">>(r, "isnan isnan_v2", "isnan(x)", "IsNaN(x)");
  convert<special<"IsInf">>(r, "isinf isinf_v2", "isinf(x)", "IsInf(x)");
  convert<isfinite>(r, "isfinite isfinite_v2", "isfinite(x)", "IsFinite(x)");
  convert<clip>(r, "clip", "clip(x, min, max)", "Clamp(x)");
  convert<cast>(r, "cast", "cast(x, dtype)", "Convert(x)");
  convert<dropout>(r, "dropout", "dropout(x)", "x, or Multiply(x, 1 - p)");
  convert<erfinv>(r, "erfinv", "erfinv(x)", "Multiply(polynomial(Log(1 - x * x)), x)");
  convert<lgamma>(r, "lgamma", "lgamma(x)", "Stirling's series");
}

}  // namespace mo::paddle
