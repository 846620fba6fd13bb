// Arithmetic with an attribute `scalar`, which has the type of the input.
#include "support/numbers.hpp"
#include "support/registering.hpp"

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
  return {b.op("Sqrt", "opset1", {b.add(b.multiply(x, x), b.like(x, y * y))})};
}

// Quadratic near 0, and linear from 1 / scalar^2 on.
static Ports smooth_l1(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), size = b.op("Abs", "opset1", {x});
  const double s = n.native("scalar", 1.0), square = s * s;
  require(square > 0, "attribute 'scalar' is ", s, "; expected another number than 0");
  const OutPort near = b.multiply(b.multiply(x, x), b.like(x, 0.5 * square));
  const OutPort far = b.subtract(size, b.like(x, 0.5 / square));
  return {b.select(b.op("Less", "opset1", {size, b.like(x, 1 / square)}), near, far)};
}

}  // namespace with_scalar

void register_scalar(Registry& r) {
  using namespace with_scalar;
  convert<right<"Add">>(r, "_plus_scalar _PlusScalar _npi_add_scalar", "_plus_scalar(x)", "Add(x, scalar)");
  convert<right<"Subtract">>(r, "_minus_scalar _MinusScalar _npi_subtract_scalar", "_minus_scalar(x)",
                             "Subtract(x, scalar)");
  convert<right<"Multiply">>(r, "_mul_scalar _MulScalar _npi_multiply_scalar", "_mul_scalar(x)",
                             "Multiply(x, scalar)");
  convert<right<"Divide">>(r, "_div_scalar _DivScalar _npi_true_divide_scalar", "_div_scalar(x)",
                           "Divide(x, scalar)");
  convert<right<"Maximum">>(r, "_maximum_scalar _MaximumScalar _npi_maximum_scalar", "_maximum_scalar(x)",
                            "Maximum(x, scalar)");
  convert<right<"Minimum">>(r, "_minimum_scalar _MinimumScalar _npi_minimum_scalar", "_minimum_scalar(x)",
                            "Minimum(x, scalar)");
  convert<right<"Power">>(r, "_power_scalar _PowerScalar _npi_power_scalar", "_power_scalar(x)",
                          "Power(x, scalar)");
  convert<right<"FloorMod">>(r, "_mod_scalar _ModScalar _npi_mod_scalar", "_mod_scalar(x)",
                             "FloorMod(x, scalar)");
  convert<left<"Subtract">>(r, "_rminus_scalar _RMinusScalar _npi_rsubtract_scalar", "_rminus_scalar(x)",
                            "Subtract(scalar, x)");
  convert<left<"Divide">>(r, "_rdiv_scalar _RDivScalar _npi_rtrue_divide_scalar", "_rdiv_scalar(x)",
                          "Divide(scalar, x)");
  convert<left<"Power">>(r, "_rpower_scalar _RPowerScalar _npi_rpower_scalar", "_rpower_scalar(x)",
                         "Power(scalar, x)");
  convert<left<"FloorMod">>(r, "_rmod_scalar _RModScalar _npi_rmod_scalar", "_rmod_scalar(x)",
                            "FloorMod(scalar, x)");
  convert<hypot>(r, "_hypot_scalar _HypotScalar", "_hypot_scalar(x)",
                 "Sqrt(Add(Multiply(x, x), scalar * scalar))");
  convert<smooth_l1>(
      r, "smooth_l1", "smooth_l1(x)",
      "Select(Less(Abs(x), 1 / s^2), Multiply(Multiply(x, x), s^2 / 2), Subtract(Abs(x), 1 / 2s^2))");
}

}  // namespace mo::mxnet
