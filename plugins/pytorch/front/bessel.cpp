// Bessel functions in the precision of f32. The polynomials were fitted to values of double precision.
#include "support/values.hpp"

#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace bessel {

using Factors = std::vector<double>;
constexpr double pi = 3.14159265358979323846, infinity = std::numeric_limits<double>::infinity();

static OutPort real(const Call& c) { return as_float(c, c.tensor(c.is_given("self") ? "self" : "x")); }
static OutPort is(const Call& c, const OutPort& x, double value) {
  return c.op1("Equal", {x, c.like(x, value)});
}

// Near 0, up to 4, polynomials of (x / 4)²: of J, and of what is left of Y without its logarithm; those of
// order 1 are divided by x. Far from it P and Q x / 4 are polynomials of (4 / x)².
struct Order {
  Factors first, second, p, q;
};
static const Order& order_of(bool one) {
  static const Order zero{
      {3.22432835e-05, -0.000630409365, 0.00788674864, -0.0711026666, 0.444441542, -1.77777722, 3.99999995,
       -4, 1},
      {-4.341537e-05, 0.000806853787, -0.0093996157, 0.0772251813, -0.426139996, 1.42163359, -2.34985094,
       1.07661147, 0.367466905},
      {1.27040087e-05, -4.58034574e-05, 8.2170214e-05, -0.000140691978, 0.000438646047, -0.0043945766, 1},
      {0.000224672723, -0.000710173135, 0.000811349438, -0.000358432792, -0.000119748202, 0.001136648,
       -0.0312499092}};
  static const Order first{
      {-3.22446749e-05, 0.000551729837, -0.00591542008, 0.0444395733, -0.222220991, 0.666666514, -0.999999993,
       0.5},
      {-2.53650527e-06, 5.22549085e-05, -0.000697467986, 0.00675018928, -0.0454436191, 0.19538814,
       -0.462377362, 0.42830781, 0.0245785095},
      {-2.04425377e-06, 1.77924085e-05, -5.99582686e-05, 0.000151545413, -0.000561139639, 0.00732409327, 1},
      {-0.000520943114, 0.00165422546, -0.0019190779, 0.00092785566, 3.92717622e-05, -0.00158450963,
       0.0937497933}};
  return one ? first : zero;
}

// What waves far from 0: sqrt(2 / pi x) (P cos(a) - Q sin(a)), of Y sqrt(2 / pi x) (P sin(a) + Q cos(a)), where a
// is x less an eighth of a turn, for order 1 three of them. Of x alone sine and cosine keep their digits.
template <bool One, bool Second>
static OutPort waves(const Call& c, const OutPort& x) {
  const Order& order = order_of(One);
  const OutPort inverse = c.b.divide(c.like(x, 4), x), square = c.b.multiply(inverse, inverse);
  const OutPort p = polynomial(c, square, order.p);
  const OutPort q = c.b.multiply(polynomial(c, square, order.q), inverse);
  const OutPort sine = c.op1("Sin", {x}), cosine = c.op1("Cos", {x});
  const OutPort sum = c.b.add(sine, cosine), difference = c.b.subtract(sine, cosine);
  OutPort y;
  if (One == Second)
    y = One ? c.b.subtract(c.b.multiply(q, difference), c.b.multiply(p, sum))
            : c.b.subtract(c.b.multiply(p, sum), c.b.multiply(q, difference));
  else
    y = c.b.add(c.b.multiply(p, difference), c.b.multiply(q, sum));
  return c.b.divide(y, c.op1("Sqrt", {c.b.multiply(x, c.like(x, pi))}));
}

static OutPort near_square(const Call& c, const OutPort& near) {
  const OutPort part = c.b.multiply(near, c.like(near, 0.25));
  return c.b.multiply(part, part);
}
template <bool One>
static OutPort near_first(const Call& c, const OutPort& near) {
  const OutPort y = polynomial(c, near_square(c, near), order_of(One).first);
  return One ? c.b.multiply(y, near) : y;
}

template <bool One>
static Ports first_kind(const Call& c) {
  const OutPort x = real(c), size = c.op1("Abs", {x}), limit = c.like(x, 4);
  const OutPort inner = near_first<One>(c, c.op1("Minimum", {size, limit}));
  const OutPort outer = waves<One, false>(c, c.op1("Maximum", {size, limit}));
  OutPort y = c.b.select(is_less(c, size, limit), inner, outer);
  if (One) y = c.b.multiply(y, c.op1("Sign", {x}));
  return {keeping_nan(c, x, y)};
}

// Numbers below 0 have a logarithm that is none, and 0 an infinite one.
template <bool One>
static Ports second_kind(const Call& c) {
  const OutPort x = real(c), limit = c.like(x, 4);
  const OutPort near = c.op1("Minimum", {x, limit});
  const OutPort log = c.op1("Log", {c.b.multiply(near, c.like(x, 0.5))});
  OutPort turning = c.b.multiply(log, near_first<One>(c, near));
  if (One) turning = c.b.subtract(turning, c.b.divide(c.like(x, 1), near));
  OutPort rest = polynomial(c, near_square(c, near), order_of(One).second);
  if (One) rest = c.b.multiply(rest, near);
  OutPort inner = c.b.add(c.b.multiply(turning, c.like(x, 2 / pi)), rest);
  if (One) inner = c.b.select(is(c, x, 0), c.like(x, -infinity), inner);
  const OutPort outer = waves<One, true>(c, c.op1("Maximum", {x, limit}));
  return {keeping_nan(c, x, c.b.select(is_less(c, x, limit), inner, outer))};
}

// The modified ones of the second kind: up to 2 by the logarithm, beyond Exp(-x) / Sqrt(x) times a polynomial
// of 2 / x.
template <bool One, bool Scaled>
static Ports modified_second_kind(const Call& c) {
  const OutPort x = real(c), limit = c.like(x, 2), half = c.like(x, 0.5);
  const OutPort near = c.op1("Minimum", {x, limit}), far = c.op1("Maximum", {x, limit});
  const OutPort part = c.b.multiply(near, half), square = c.b.multiply(part, part);
  const OutPort other = polynomial(
      c, square,
      One ? Factors{1.46659595e-07, 5.77471561e-06, 0.000173619554, 0.00347221926, 0.0416666672, 0.25, 0.5}
          : Factors{2.07151117e-06, 6.92463254e-05, 0.00173624694, 0.0277777301, 0.250000008, 1, 1});
  const OutPort rest = polynomial(c, square,
                                  One ? Factors{-4.53301788e-05, -0.00110991341, -0.0191859281, -0.181573853,
                                                -0.672784555, 0.154431344, 1}
                                      : Factors{3.90044976e-06, 0.000118079954, 0.00261506225, 0.034892061,
                                                0.2306961, 0.422784334, -0.577215665});
  const OutPort log = c.op1("Log", {part});
  OutPort inner;
  if (One) {
    const OutPort turning = c.b.multiply(c.b.multiply(log, other), c.b.multiply(near, near));
    inner = c.b.divide(c.b.add(rest, turning), near);
    inner = c.b.select(is(c, x, 0), c.like(x, infinity), inner);
  } else {
    inner = c.b.subtract(rest, c.b.multiply(log, other));
  }
  OutPort outer =
      polynomial(c, c.b.divide(limit, far),
                 One ? Factors{0.000264116614, -0.00152753471, 0.00405483331, -0.00682009466, 0.00883944958,
                               -0.0108560275, 0.0160058972, -0.0367140898, 0.234996286, 1.25331414}
                     : Factors{-0.000222499236, 0.00128220051, -0.00338294043, 0.00562729637, -0.00713896752,
                               0.00840691971, -0.0114243243, 0.0220273965, -0.0783320353, 1.25331414});
  outer = c.b.divide(outer, c.op1("Sqrt", {far}));
  if (Scaled)
    inner = c.b.multiply(inner, c.op1("Exp", {near}));
  else
    outer = c.b.multiply(outer, c.op1("Exp", {c.op1("Negative", {far})}));
  return {keeping_nan(c, x, c.b.select(is_less(c, x, limit), inner, outer))};
}

// sin(x) / x
static Ports spherical(const Call& c) {
  const OutPort x = real(c), zero = is(c, x, 0), one = c.like(x, 1);
  const OutPort y = c.b.divide(c.op1("Sin", {x}), c.b.select(zero, one, x));
  const OutPort far = is(c, c.op1("Abs", {x}), infinity);
  return {c.b.select(zero, one, c.b.select(far, c.like(x, 0), y))};
}

}  // namespace bessel

void register_bessel(Registry& r) {
  using namespace bessel;
  constexpr std::string_view waving = "a polynomial of x², or Sin(x) and Cos(x) times polynomials of 1 / x²";
  convert<first_kind<false>>(r, "aten.special_bessel_j0.default", "special_bessel_j0(x)", waving);
  convert<first_kind<true>>(r, "aten.special_bessel_j1.default", "special_bessel_j1(x)", waving);
  constexpr std::string_view second =
      "polynomials of x² and Log(x), or Sin(x) and Cos(x) times polynomials of 1 / x²";
  convert<second_kind<false>>(r, "aten.special_bessel_y0.default", "special_bessel_y0(x)", second);
  convert<second_kind<true>>(r, "aten.special_bessel_y1.default", "special_bessel_y1(x)", second);
  constexpr std::string_view falling =
      "polynomials of x² and Log(x), or Exp(-x) / Sqrt(x) times one of 1 / x";
  convert<modified_second_kind<false, false>>(r, "aten.special_modified_bessel_k0.default",
                                              "special_modified_bessel_k0(x)", falling);
  convert<modified_second_kind<true, false>>(r, "aten.special_modified_bessel_k1.default",
                                             "special_modified_bessel_k1(x)", falling);
  constexpr std::string_view scaled = "those of special_modified_bessel_k0 times Exp(x)";
  convert<modified_second_kind<false, true>>(r, "aten.special_scaled_modified_bessel_k0.default",
                                             "special_scaled_modified_bessel_k0(x)", scaled);
  convert<modified_second_kind<true, true>>(r, "aten.special_scaled_modified_bessel_k1.default",
                                            "special_scaled_modified_bessel_k1(x)", scaled);
  convert<spherical>(r, "aten.special_spherical_bessel_j0.default", "special_spherical_bessel_j0(x)",
                     "Divide(Sin(x), x)");
}

}  // namespace mo::pytorch
