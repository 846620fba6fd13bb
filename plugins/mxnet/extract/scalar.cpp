// Arithmetic with an attribute `scalar`, which has the type of the input.
#include "support/items.hpp"
#include "support/numbers.hpp"

namespace mo::mxnet {

namespace with_scalar {

template <Name Type>
static Ports right(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op(Type, "opset1", {x, b.like(x, n.native("scalar", 0.0))})};
}

// The scalar is on the left.
template <Name Type>
static Ports left(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op(Type, "opset1", {b.like(x, n.native("scalar", 0.0)), x})};
}

static Ports hypot(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const double y = n.native("scalar", 0.0);
  return {b.op("Sqrt", "opset1", {add(b, multiply(b, x, x), b.like(x, y * y))})};
}

// Quadratic near 0, and linear from 1 / scalar^2 on.
static Ports smooth_l1(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), size = b.op("Abs", "opset1", {x});
  const double s = n.native("scalar", 1.0), square = s * s;
  require(square > 0, "attribute 'scalar' is ", s, "; expected another number than 0");
  const OutPort near = multiply(b, multiply(b, x, x), b.like(x, 0.5 * square));
  const OutPort far = subtract(b, size, b.like(x, 0.5 / square));
  return {b.select(b.op("Less", "opset1", {size, b.like(x, 1 / square)}), near, far)};
}

}  // namespace with_scalar

void register_scalar(Items& items) {
  using namespace with_scalar;
  items.convert<right<"Add">>("_plus_scalar _PlusScalar _npi_add_scalar");
  items.convert<right<"Subtract">>("_minus_scalar _MinusScalar _npi_subtract_scalar");
  items.convert<right<"Multiply">>("_mul_scalar _MulScalar _npi_multiply_scalar");
  items.convert<right<"Divide">>("_div_scalar _DivScalar _npi_true_divide_scalar");
  items.convert<right<"Maximum">>("_maximum_scalar _MaximumScalar _npi_maximum_scalar");
  items.convert<right<"Minimum">>("_minimum_scalar _MinimumScalar _npi_minimum_scalar");
  items.convert<right<"Power">>("_power_scalar _PowerScalar _npi_power_scalar");
  items.convert<right<"FloorMod">>("_mod_scalar _ModScalar _npi_mod_scalar");
  items.convert<left<"Subtract">>("_rminus_scalar _RMinusScalar _npi_rsubtract_scalar");
  items.convert<left<"Divide">>("_rdiv_scalar _RDivScalar _npi_rtrue_divide_scalar");
  items.convert<left<"Power">>("_rpower_scalar _RPowerScalar _npi_rpower_scalar");
  items.convert<left<"FloorMod">>("_rmod_scalar _RModScalar _npi_rmod_scalar");
  items.convert<hypot>("_hypot_scalar _HypotScalar");
  items.convert<smooth_l1>("smooth_l1");
}

}  // namespace mo::mxnet
