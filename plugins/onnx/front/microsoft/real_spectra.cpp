// Rfft and Irfft over the last dimensions, and products of complex numbers.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static OutPort signal_axes(const SourceNode& n, const Build& b) {
  const auto count = n.native<int64_t>("signal_ndim");
  require(count >= 1 && count <= 3, "attribute 'signal_ndim' is ", count, ", expected 1 to 3");
  require(n.native("normalized", 0) == 0,
          "attribute 'normalized' is not 0, which the operator does not allow");
  require(n.native("onesided", 1) == 1, "attribute 'onesided' is not 1, which the operator does not allow");
  Ints axes;
  for (int64_t a = -count; a < 0; ++a) axes.push_back(a);
  return b.list(axes);
}

static Ports rfft(Build& b, const SourceNode& n) {
  return {b.op("RDFT", "opset9", {b.in(0), signal_axes(n, b)})};
}

// The last dimension has real and imaginary parts, which the operation does not count.
static Ports irfft(Build& b, const SourceNode& n) {
  return {b.op("IRDFT", "opset9", {b.in(0), signal_axes(n, b)})};
}

template <bool Conjugate>
static Ports complex_product(Build& b, const SourceNode&) {
  const Ports x = split(b, b.in(0), -1, 2), y = split(b, b.in(1), -1, 2);
  const OutPort rr = b.multiply(x[0], y[0]), ii = b.multiply(x[1], y[1]);
  const OutPort ri = b.multiply(x[0], y[1]), ir = b.multiply(x[1], y[0]);
  if (Conjugate) return {b.concat({b.add(rr, ii), b.subtract(ir, ri)}, -1)};
  return {b.concat({b.subtract(rr, ii), b.add(ri, ir)}, -1)};
}

}  // namespace ms

void register_real_spectra(Registry& r) {
  using namespace ms;
  replace<rfft>(r, {"Rfft", "Rfft(x)", "RDFT(x, axes)", domain});
  replace<irfft>(r, {"Irfft", "Irfft(x)", "IRDFT(x, axes)", domain});
  constexpr std::string_view parts = "real and imaginary parts are split, multiplied and put together";
  replace<complex_product<false>>(r, {"ComplexMul", "ComplexMul(x, y)", parts, domain});
  replace<complex_product<true>>(r, {"ComplexMulConj", "ComplexMulConj(x, y)", parts, domain});
}

}  // namespace mo::onnx
