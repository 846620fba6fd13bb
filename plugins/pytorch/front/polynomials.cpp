// Orthogonal polynomials of a degree that is known, each by the two before it.
#include "support/values.hpp"

namespace mo::pytorch {

namespace polynomials {

// The next one is (a x + b) times the last, less c times the one before it.
struct Step {
  double a, b, c;
};
struct Family {
  Step first;              // what follows 1
  Step (*next)(double k);  // what follows the one of degree k
};

static Ports of_degree(const Call& c, const Family& family) {
  const OutPort x = as_float(c, c.tensor("x"));
  const double degree = c.number("n");
  constexpr double most = 256;
  require(degree <= most, "argument 'n' is ", degree, ", at most ", most, " is supported");
  const int64_t last = degree < 1 ? 0 : static_cast<int64_t>(degree);
  const auto followed = [&](const Step& s, const OutPort& y, const OutPort& before) {
    OutPort z = s.a == 1 ? x : c.b.multiply(x, c.like(x, s.a));
    if (s.b != 0) z = c.b.add(z, c.like(x, s.b));
    if (y) z = c.b.multiply(z, y);
    return before ? c.b.subtract(z, s.c == 1 ? before : c.b.multiply(before, c.like(x, s.c))) : z;
  };
  const OutPort one = c.b.broadcast(c.like(x, degree < 0 ? 0 : 1), c.b.shape_of(x));
  if (last < 1) return {one};
  OutPort before = one, y = followed(family.first, {}, {});
  for (int64_t k = 1; k < last; ++k) {
    const OutPort next = followed(family.next(static_cast<double>(k)), y, before);
    before = y;
    y = next;
  }
  return {y};
}

// Chebyshev's four kinds, of x or of 2x - 1, differ in the first step only.
static Step doubled(double) { return {2, 0, 1}; }
static Step doubled_and_shifted(double) { return {4, -2, 1}; }
template <int A, int B>
static Ports chebyshev(const Call& c) {
  return of_degree(c, {{A, B, 0}, doubled});
}
template <int A, int B>
static Ports shifted_chebyshev(const Call& c) {
  return of_degree(c, {{A, B, 0}, doubled_and_shifted});
}
static Ports hermite(const Call& c) {
  return of_degree(c, {{2, 0, 0}, [](double k) { return Step{2, 0, 2 * k}; }});
}
static Ports hermite_of_chances(const Call& c) {
  return of_degree(c, {{1, 0, 0}, [](double k) { return Step{1, 0, k}; }});
}
static Ports laguerre(const Call& c) {
  return of_degree(c, {{-1, 1, 0}, [](double k) {
                         return Step{-1 / (k + 1), (2 * k + 1) / (k + 1), k / (k + 1)};
                       }});
}
static Ports legendre(const Call& c) {
  return of_degree(c, {{1, 0, 0}, [](double k) { return Step{(2 * k + 1) / (k + 1), 0, k / (k + 1)}; }});
}

static Ports of_computed_degree(const Call&) {
  decline("it has as many steps as its degree 'n', which is computed; a number of Python is converted");
}

}  // namespace polynomials

void register_polynomials(Registry& r) {
  using namespace polynomials;
  constexpr std::string_view steps = "for each degree Subtract(Multiply(a x + b, last), c * before)";
  convert<chebyshev<1, 0>>(r, "aten.special_chebyshev_polynomial_t.n_scalar",
                           "special_chebyshev_polynomial_t(x, n)", steps);
  convert<chebyshev<2, 0>>(r, "aten.special_chebyshev_polynomial_u.n_scalar",
                           "special_chebyshev_polynomial_u(x, n)", steps);
  convert<chebyshev<2, -1>>(r, "aten.special_chebyshev_polynomial_v.n_scalar",
                            "special_chebyshev_polynomial_v(x, n)", steps);
  convert<chebyshev<2, 1>>(r, "aten.special_chebyshev_polynomial_w.n_scalar",
                           "special_chebyshev_polynomial_w(x, n)", steps);
  convert<shifted_chebyshev<2, -1>>(r, "aten.special_shifted_chebyshev_polynomial_t.n_scalar",
                                    "special_shifted_chebyshev_polynomial_t(x, n)", steps);
  convert<shifted_chebyshev<4, -2>>(r, "aten.special_shifted_chebyshev_polynomial_u.n_scalar",
                                    "special_shifted_chebyshev_polynomial_u(x, n)", steps);
  convert<shifted_chebyshev<4, -3>>(r, "aten.special_shifted_chebyshev_polynomial_v.n_scalar",
                                    "special_shifted_chebyshev_polynomial_v(x, n)", steps);
  convert<shifted_chebyshev<4, -1>>(r, "aten.special_shifted_chebyshev_polynomial_w.n_scalar",
                                    "special_shifted_chebyshev_polynomial_w(x, n)", steps);
  convert<hermite>(r, "aten.special_hermite_polynomial_h.n_scalar", "special_hermite_polynomial_h(x, n)",
                   steps);
  convert<hermite_of_chances>(r, "aten.special_hermite_polynomial_he.n_scalar",
                              "special_hermite_polynomial_he(x, n)", steps);
  convert<laguerre>(r, "aten.special_laguerre_polynomial_l.n_scalar", "special_laguerre_polynomial_l(x, n)",
                    steps);
  convert<legendre>(r, "aten.special_legendre_polynomial_p.n_scalar", "special_legendre_polynomial_p(x, n)",
                    steps);
  convert<of_computed_degree>(
      r,
      "aten.special_chebyshev_polynomial_t.default "
      "aten.special_chebyshev_polynomial_t.x_scalar "
      "aten.special_chebyshev_polynomial_u.default "
      "aten.special_chebyshev_polynomial_u.x_scalar "
      "aten.special_chebyshev_polynomial_v.default "
      "aten.special_chebyshev_polynomial_v.x_scalar "
      "aten.special_chebyshev_polynomial_w.default "
      "aten.special_chebyshev_polynomial_w.x_scalar "
      "aten.special_shifted_chebyshev_polynomial_t.default "
      "aten.special_shifted_chebyshev_polynomial_t.x_scalar "
      "aten.special_shifted_chebyshev_polynomial_u.default "
      "aten.special_shifted_chebyshev_polynomial_u.x_scalar "
      "aten.special_shifted_chebyshev_polynomial_v.default "
      "aten.special_shifted_chebyshev_polynomial_v.x_scalar "
      "aten.special_shifted_chebyshev_polynomial_w.default "
      "aten.special_shifted_chebyshev_polynomial_w.x_scalar "
      "aten.special_hermite_polynomial_h.default aten.special_hermite_polynomial_h.x_scalar "
      "aten.special_hermite_polynomial_he.default "
      "aten.special_hermite_polynomial_he.x_scalar "
      "aten.special_laguerre_polynomial_l.default "
      "aten.special_laguerre_polynomial_l.x_scalar "
      "aten.special_legendre_polynomial_p.default "
      "aten.special_legendre_polynomial_p.x_scalar",
      "special_chebyshev_polynomial_t(x, n) of a tensor n", "declined: the number of steps is not known");
}

}  // namespace mo::pytorch
