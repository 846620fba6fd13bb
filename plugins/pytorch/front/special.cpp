// The special functions of torch.special, in the precision of f32.
#include "support/values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace special {

constexpr double pi = 3.14159265358979323846, infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

static OutPort real(const Call& c) { return as_float(c, c.tensor("self")); }

static OutPort reciprocal(const Call& c, const OutPort& x) { return c.b.divide(c.like(x, 1), x); }
static OutPort is_whole_below_one(const Call& c, const OutPort& x) {
  return c.op1("LogicalAnd",
               {c.op1("Equal", {x, c.op1("Floor", {x})}), c.op1("LessEqual", {x, c.like(x, 0)})});
}

// Bernoulli numbers of the asymptotic series, which holds from here on.
constexpr int steps_up = 8;

// The derivative of the logarithm of gamma: digamma(x) = digamma(x + 1) - 1 / x, and for large numbers
// log(x) - 1/2x - 1/12x² + 1/120x⁴ - 1/252x⁶; below 0.5 by what mirrors it, digamma(1 - x) - pi / tan(pi x).
static OutPort digamma_of(const Call& c, const OutPort& x) {
  const OutPort low = is_less(c, x, c.like(x, 0.5)), one = c.like(x, 1);
  const OutPort start = c.b.select(low, c.b.subtract(one, x), x);
  OutPort sum = c.like(x, 0);
  for (int k = 0; k < steps_up; ++k) sum = c.b.add(sum, reciprocal(c, c.b.add(start, c.like(x, k))));
  const OutPort far = c.b.add(start, c.like(x, steps_up)), inverse = reciprocal(c, far);
  const OutPort square = c.b.multiply(inverse, inverse);
  const OutPort series = c.b.multiply(polynomial(c, square, {1 / 252., -1 / 120., 1 / 12.}), square);
  OutPort y = c.b.subtract(c.op1("Log", {far}), c.b.multiply(inverse, c.like(x, 0.5)));
  y = c.b.subtract(c.b.subtract(y, series), sum);
  // Whole turns do not matter to the tangent, and cost digits.
  const OutPort part = c.b.subtract(x, c.op1("Floor", {c.b.add(x, c.like(x, 0.5))}));
  const OutPort mirror = c.b.divide(c.like(x, pi), c.op1("Tan", {c.b.multiply(part, c.like(x, pi))}));
  y = c.b.select(low, c.b.subtract(y, mirror), y);
  // 0 is a pole of either sign, which is that of 1 / x, and there is no value at -1, -2 …
  const OutPort at_zero = c.op1("Negative", {reciprocal(c, x)});
  const OutPort pole = c.b.select(c.op1("Equal", {x, c.like(x, 0)}), at_zero, c.like(x, not_a_number));
  return c.b.select(is_whole_below_one(c, x), pole, y);
}
static Ports digamma(const Call& c) { return {digamma_of(c, real(c))}; }

// The derivative of digamma: trigamma(x) = trigamma(x + 1) + 1 / x², and for large numbers
// 1/x + 1/2x² + 1/6x³ - 1/30x⁵ + 1/42x⁷; below 0.5 (pi / sin(pi x))² - trigamma(1 - x).
static OutPort trigamma_of(const Call& c, const OutPort& x) {
  const OutPort low = is_less(c, x, c.like(x, 0.5));
  const OutPort start = c.b.select(low, c.b.subtract(c.like(x, 1), x), x);
  OutPort sum = c.like(x, 0);
  for (int k = 0; k < steps_up; ++k) {
    const OutPort inverse = reciprocal(c, c.b.add(start, c.like(x, k)));
    sum = c.b.add(sum, c.b.multiply(inverse, inverse));
  }
  const OutPort inverse = reciprocal(c, c.b.add(start, c.like(x, steps_up)));
  const OutPort square = c.b.multiply(inverse, inverse);
  const OutPort odd = c.b.multiply(polynomial(c, square, {1 / 42., -1 / 30., 1 / 6., 1}), inverse);
  const OutPort y = c.b.add(c.b.add(odd, c.b.multiply(square, c.like(x, 0.5))), sum);
  const OutPort part = c.b.subtract(x, c.op1("Floor", {x}));
  const OutPort slope = c.b.divide(c.like(x, pi), c.op1("Sin", {c.b.multiply(part, c.like(x, pi))}));
  const OutPort mirrored = c.b.subtract(c.b.multiply(slope, slope), y);
  return c.b.select(is_whole_below_one(c, x), c.like(x, infinity), c.b.select(low, mirrored, y));
}
// Hurwitz's sum of 1 / (q + k)^x over all k: as many terms as there are steps, and for the others, with w = q +
// steps, w^(1 - x) / (x - 1) + w^-x / 2 and the terms of Euler and Maclaurin, each of which is the one before times
// (x + 2j - 1) (x + 2j) / w², by Bernoulli numbers. Where q is no more than -steps it gives no number.
constexpr int zeta_steps = 16;

static OutPort zeta_of(const Call& c, const OutPort& x, const OutPort& q) {
  std::vector<double> places(zeta_steps);
  for (int k = 0; k < zeta_steps; ++k) places[static_cast<size_t>(k)] = k;
  const auto power = [&](const OutPort& base, const OutPort& exponent) {
    return c.op1("Power", {base, c.op1("Negative", {exponent})});
  };
  const OutPort last = c.b.list({-1});
  const OutPort each = c.b.add(c.b.unsqueeze(q, last), c.b.like(q, places, {zeta_steps}));
  const OutPort exponent = c.rank(x) == 0 ? x : c.b.unsqueeze(x, last);
  // Powers of numbers below 0: those of their magnitude, whose signs odd exponents keep.
  const OutPort rest = c.op1("FloorMod", {exponent, c.like(x, 2)});
  const OutPort odd = c.op1("Equal", {rest, c.like(x, 1)});
  const OutPort terms = power(c.op1("Abs", {each}), exponent);
  const OutPort turned = c.op1("LogicalAnd", {odd, is_less(c, each, c.like(q, 0))});
  const OutPort sum =
      c.b.reduce("ReduceSum", c.b.select(turned, c.op1("Negative", {terms}), terms), last, false);
  const OutPort w = c.b.add(q, c.like(q, zeta_steps)), whole = power(w, x), one = c.like(x, 1);
  OutPort y = c.b.divide(c.b.multiply(w, whole), c.b.subtract(x, one));
  y = c.b.add(y, c.b.multiply(whole, c.like(x, 0.5)));
  OutPort term = c.b.divide(c.b.multiply(x, whole), w);
  constexpr double factors[] = {1 / 12.,       -1 / 720.,     1 / 30240.,
                                -1 / 1209600., 1 / 47900160., -691 / 1307674368e3};
  for (int j = 0; j < 6; ++j) {
    if (j != 0)
      for (const int more : {2 * j - 1, 2 * j})
        term = c.b.multiply(term, c.b.divide(c.b.add(x, c.like(x, more)), w));
    y = c.b.add(y, c.b.multiply(term, c.like(x, factors[j])));
  }
  return c.b.add(sum, y);
}
static Ports zeta(const Call& c) {
  const ElementType type = c.promoted_type({"self", "other"});
  const ElementType kind = is_float(type) ? type : ElementType::f32;
  const OutPort x = c.as("self", kind), q = c.as("other", kind);
  const OutPort one = c.like(x, 1), zero = c.like(q, 0), none = c.like(x, not_a_number);
  OutPort y = zeta_of(c, x, q);
  // Below 0 the powers are numbers of whole exponents only.
  const OutPort low = is_less(c, q, zero), broken = c.op1("NotEqual", {x, c.op1("Floor", {x})});
  const OutPort far = c.op1("LessEqual", {q, c.like(q, -zeta_steps)});
  y = c.b.select(c.op1("LogicalOr", {far, c.op1("LogicalAnd", {low, broken})}), none, y);
  y = c.b.select(is_whole_below_one(c, q), c.like(x, infinity), y);
  y = c.b.select(is_less(c, x, one), none, y);
  return {c.b.select(c.op1("Equal", {x, one}), c.like(x, infinity), y)};
}

// The derivatives of digamma beyond the first, (-1)^(n + 1) n! zeta(n + 1, x). What mirrors them at 0 is the
// derivative of pi cot(pi x): pi^(n + 1) times a polynomial of the cotangent, each of which is the one before derived
// and multiplied by -(1 + cot²).
static OutPort polygamma_of(const Call& c, const OutPort& x, int64_t n) {
  const OutPort low = is_less(c, x, c.like(x, 0)), one = c.like(x, 1);
  const OutPort start = c.b.select(low, c.b.subtract(one, x), x);
  const double sign = n % 2 == 0 ? -1 : 1, factorial = std::tgamma(static_cast<double>(n) + 1);
  const OutPort right =
      c.b.multiply(zeta_of(c, c.like(x, static_cast<double>(n) + 1), start), c.like(x, sign * factorial));
  std::vector<double> factors{0, 1};  // of the powers of the cotangent
  for (int64_t k = 0; k < n; ++k) {
    std::vector<double> next(factors.size() + 1);
    for (size_t i = 1; i < factors.size(); ++i) {
      const double derived = factors[i] * static_cast<double>(i);
      next[i - 1] -= derived;
      next[i + 1] -= derived;
    }
    factors = std::move(next);
  }
  const double scale = std::pow(pi, static_cast<double>(n) + 1);
  for (double& f : factors) f *= scale;
  std::reverse(factors.begin(), factors.end());
  const OutPort part = c.b.subtract(x, c.op1("Floor", {c.b.add(x, c.like(x, 0.5))}));
  const OutPort cotangent = reciprocal(c, c.op1("Tan", {c.b.multiply(part, c.like(x, pi))}));
  const OutPort mirror = polynomial(c, cotangent, factors);
  const OutPort left = n % 2 == 0 ? c.b.subtract(right, mirror) : c.op1("Negative", {c.b.add(right, mirror)});
  return c.b.select(is_whole_below_one(c, x), c.like(x, sign * infinity), c.b.select(low, left, right));
}
static Ports polygamma(const Call& c) {
  const auto n = c.integer("n");
  const std::string_view name = c.is_given("self") ? "self" : "x";
  const OutPort x = as_float(c, c.tensor(name));
  if (n == 0) return {digamma_of(c, x)};
  if (n == 1) return {trigamma_of(c, x)};
  // Factorials beyond are infinite in f32.
  if (n < 0 || n > 34) decline(text("argument 'n' is ", n, ", expected 0 to 34"));
  return {polygamma_of(c, x, n)};
}

// exp(x²) erfc(x) of 0 and more: t exp(a polynomial of t), t = 1 / (1 + x / 2), a
// Chebyshev fit that is right to 1.2e-7 of the value everywhere.
static OutPort scaled_rest_of_erf(const Call& c, const OutPort& x) {
  const OutPort t = reciprocal(c, c.b.add(c.b.multiply(x, c.like(x, 0.5)), c.like(x, 1)));
  const OutPort exponent = polynomial(c, t,
                                      {0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807,
                                       -0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223});
  return c.b.multiply(t, c.op1("Exp", {exponent}));
}
// Below 0 what mirrors it: 2 exp(x²) less that of -x.
static Ports erfcx(const Call& c) {
  const OutPort x = real(c);
  const OutPort y = scaled_rest_of_erf(c, c.op1("Abs", {x}));
  const OutPort whole = c.b.multiply(c.op1("Exp", {c.b.multiply(x, x)}), c.like(x, 2));
  return {c.b.select(is_less(c, x, c.like(x, 0)), c.b.subtract(whole, y), y)};
}
// The logarithm of the share of the normal distribution below x. Left of 1 it is log(erfcx(-x / √2) / 2) - x² / 2,
// right of it log(1 - a small rest), of which the first terms are all that counts.
static Ports log_normal_share(const Call& c) {
  const OutPort x = real(c), z = c.b.multiply(x, c.like(x, -std::sqrt(0.5)));
  const OutPort size = c.op1("Abs", {z}), square = c.b.multiply(size, size);
  const OutPort scaled = scaled_rest_of_erf(c, size);
  const OutPort left = c.b.subtract(c.op1("Log", {c.b.multiply(scaled, c.like(x, 0.5))}), square);
  const OutPort rest =
      c.b.multiply(c.b.multiply(scaled, c.op1("Exp", {c.op1("Negative", {square})})), c.like(x, 0.5));
  // log(1 - r) = -(r + r²/2 + r³/3 …) where r is small.
  const OutPort series =
      c.b.multiply(polynomial(c, rest, {-1 / 6., -1 / 5., -1 / 4., -1 / 3., -1 / 2., -1}), rest);
  const OutPort direct = c.op1("Log", {c.b.subtract(c.like(x, 1), rest)});
  const OutPort right = c.b.select(is_less(c, rest, c.like(x, 0.05)), series, direct);
  return {c.b.select(is_less(c, x, c.like(x, 0)), left, right)};
}

// erfinv(x) / x for f32 by M. Giles (2010): polynomials of w = -log(1 - x²), and of its root in the tails.
static OutPort inverse_of_erf_by(const Call& c, const OutPort& w) {
  const OutPort inner = polynomial(c, c.b.subtract(w, c.like(w, 2.5)),
                                   {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06,
                                    0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  const OutPort outer = polynomial(c, c.b.subtract(c.op1("Sqrt", {c.op1("Abs", {w})}), c.like(w, 3)),
                                   {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                                    0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  return c.b.select(is_less(c, w, c.like(w, 5)), inner, outer);
}
static OutPort negative_log(const Call& c, const OutPort& x) {
  return c.op1("Negative", {c.op1("Log", {x})});
}

static Ports inverse_of_erf(const Call& c) {
  const OutPort x = real(c), one = c.like(x, 1);
  const OutPort product = c.b.multiply(c.b.subtract(one, x), c.b.add(one, x));
  const OutPort y = c.b.multiply(inverse_of_erf_by(c, negative_log(c, product)), x);
  // The ends are infinite.
  const OutPort end = c.op1("Equal", {c.op1("Abs", {x}), one});
  return {c.b.select(end, c.b.multiply(x, c.like(x, infinity)), y)};
}

// The inverse of the share below x, √2 erfinv(2p - 1). 1 - (2p - 1)² is 4 p (1 - p), which keeps the digits of
// small shares.
static Ports normal_quantile(const Call& c) {
  const OutPort p = real(c), one = c.like(p, 1);
  const OutPort product = c.b.multiply(c.b.multiply(p, c.like(p, 4)), c.b.subtract(one, p));
  const OutPort twice = c.b.subtract(c.b.multiply(p, c.like(p, 2)), one);
  OutPort y = c.b.multiply(inverse_of_erf_by(c, negative_log(c, product)), twice);
  y = c.b.multiply(y, c.like(p, std::sqrt(2.0)));
  y = c.b.select(c.op1("Equal", {p, c.like(p, 0)}), c.like(p, -infinity), y);
  return {c.b.select(c.op1("Equal", {p, one}), c.like(p, infinity), y)};
}

// Modified Bessel functions, by the polynomials of Abramowitz and Stegun, 9.8.1 to 9.8.4: up to 3.75 of
// (x / 3.75)², beyond of 3.75 / |x|.
template <bool Scaled, bool First>
static Ports bessel(const Call& c) {
  const OutPort x = real(c), size = c.op1("Abs", {x}), limit = c.like(x, 3.75);
  const OutPort near = c.b.divide(c.op1("Minimum", {size, limit}), limit);
  const OutPort far = c.b.divide(limit, c.op1("Maximum", {size, limit}));
  const OutPort square = c.b.multiply(near, near);
  OutPort inner = polynomial(
      c, square,
      First ? std::vector<double>{0.00032411, 0.00301532, 0.02658733, 0.15084934, 0.51498869, 0.87890594, 0.5}
            : std::vector<double>{0.0045813, 0.0360768, 0.2659732, 1.2067492, 3.0899424, 3.5156229, 1});
  if (First) inner = c.b.multiply(inner, size);
  OutPort outer =
      polynomial(c, far,
                 First ? std::vector<double>{-0.00420059, 0.01787654, -0.02895312, 0.02282967, -0.01031555,
                                             0.00163801, -0.00362018, -0.03988024, 0.39894228}
                       : std::vector<double>{0.00392377, -0.01647633, 0.02635537, -0.02057706, 0.00916281,
                                             -0.00157565, 0.00225319, 0.01328592, 0.39894228});
  outer = c.b.divide(outer, c.op1("Sqrt", {c.op1("Maximum", {size, limit})}));
  const OutPort is_near = is_less(c, size, limit);
  if (Scaled)
    inner = c.b.multiply(inner, c.op1("Exp", {c.op1("Negative", {size})}));
  else
    outer = c.b.multiply(outer, c.op1("Exp", {size}));
  OutPort y = c.b.select(is_near, inner, outer);
  if (First) y = c.b.multiply(y, c.op1("Sign", {x}));
  return {keeping_nan(c, x, y)};
}

// x log(1 + y), which is 0 where x is, unless y is no number.
static Ports times_log_of_more(const Call& c) {
  const ElementType type = c.promoted_type({"self", "other"});
  const ElementType kind = is_float(type) ? type : ElementType::f32;
  const OutPort x = c.as("self", kind), y = c.as("other", kind);
  const OutPort product = c.b.multiply(x, c.op1("Log", {c.b.add(y, c.like(y, 1))}));
  const OutPort nothing = c.op1("LogicalAnd", {c.op1("Equal", {x, c.like(x, 0)}), c.op1("Equal", {y, y})});
  return {c.b.select(nothing, c.like(x, 0), product)};
}

}  // namespace special

void register_special(Registry& r) {
  using namespace special;
  convert<digamma>(r, "aten.digamma.default aten.special_digamma.default aten.special_psi.default",
                   "digamma(x)", "Log(x + 8) less a series and Divide(1, x + k); below 0.5 mirrored");
  convert<polygamma>(r, "aten.polygamma.default aten.special_polygamma.default", "polygamma(n, x)",
                     "digamma(x), or series of Power(x + k, -n - 1); below 0 mirrored");
  convert<zeta>(r, "aten.special_zeta.default aten.special_zeta.other_scalar aten.special_zeta.self_scalar",
                "special_zeta(x, q)", "ReduceSum(Power(q + k, -x)) and the series of Euler and Maclaurin");
  convert<erfcx>(r, "aten.special_erfcx.default", "special_erfcx(x)",
                 "Multiply(t, Exp(polynomial of t)), t = 1 / (1 + x / 2)");
  convert<inverse_of_erf>(r, "aten.erfinv.default aten.special_erfinv.default", "erfinv(x)",
                          "Multiply(Select(Less(w, 5), polynomial, polynomial), x), w = -Log(1 - x²)");
  convert<log_normal_share>(r, "aten.special_log_ndtr.default", "special_log_ndtr(x)",
                            "Log of erfcx(-x / sqrt(2)) / 2 less x² / 2, right of 0 of 1 less the rest");
  convert<normal_quantile>(r, "aten.special_ndtri.default", "special_ndtri(p)",
                           "Multiply(polynomial of w, 2 p - 1), w = -Log(4 p (1 - p))");
  convert<bessel<false, false>>(
      r, "aten.i0.default aten.special_i0.default aten.special_modified_bessel_i0.default", "i0(x)",
      "polynomials, times Exp(|x|)");
  convert<bessel<true, false>>(r, "aten.special_i0e.default", "special_i0e(x)",
                               "polynomials, times Exp(-|x|)");
  convert<bessel<false, true>>(r, "aten.special_i1.default aten.special_modified_bessel_i1.default",
                               "special_i1(x)", "polynomials, times Exp(|x|)");
  convert<bessel<true, true>>(r, "aten.special_i1e.default", "special_i1e(x)",
                              "polynomials, times Exp(-|x|)");
  convert<times_log_of_more>(r,
                             "aten.special_xlog1py.default aten.special_xlog1py.other_scalar "
                             "aten.special_xlog1py.self_scalar",
                             "special_xlog1py(x, y)", "Select(Equal(x, 0), 0, Multiply(x, Log(y + 1)))");
}

}  // namespace mo::pytorch
