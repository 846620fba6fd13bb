// Fourier transforms. A complex tensor has one more dimension here, the last one, for real and imaginary
// parts.
#include "support/build.hpp"

namespace mo::tflite {

static Ports real_transform(Build& b, const SourceNode&) {
  return {b.op("RDFT", "opset9", {b.in(0), b.list({-2, -1}), b.convert(b.in(1), ElementType::i64)})};
}

static Ports real_part(Build& b, const SourceNode&) { return {b.gather(b.in(0), b.integer(0), -1)}; }
static Ports imaginary_part(Build& b, const SourceNode&) { return {b.gather(b.in(0), b.integer(1), -1)}; }
static Ports length(Build& b, const SourceNode&) {
  return {b.reduce("ReduceL2", b.in(0), b.list({-1}), false)};
}

void register_spectra(Registry& r) {
  replace<real_transform>(r, {"RFFT2D", "RFFT2D(x, length)", "RDFT(x, axes, length)"});
  replace<real_part>(r, {"REAL", "REAL(x)", "Gather(x, 0)"});
  replace<imaginary_part>(r, {"IMAG", "IMAG(x)", "Gather(x, 1)"});
  replace<length>(r, {"COMPLEX_ABS", "COMPLEX_ABS(x)", "ReduceL2(x)"});
}

}  // namespace mo::tflite
