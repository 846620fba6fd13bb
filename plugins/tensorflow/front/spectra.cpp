// Complex numbers and Fourier transforms. A complex tensor has one more dimension here, the last one, for
// real and imaginary parts.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace spectra {

static OutPort part(const Build& b, const OutPort& x, int64_t index) {
  return b.op("Gather", "opset7", {x, b.integer(index), b.integer(-1)});
}
static OutPort join(const Build& b, const OutPort& real, const OutPort& imaginary) {
  const OutPort last = b.list({-1});
  return b.concat({b.unsqueeze(real, last), b.unsqueeze(imaginary, last)}, -1);
}

// "FFT2D": 2.
static int64_t transformed(const SourceNode& n) {
  const std::string op = n.op();
  return op.back() == 'D' ? op[op.size() - 2] - '0' : 1;
}
static OutPort last_axes(const Build& b, int64_t count) {
  Ints axes;
  for (int64_t a = -count; a < 0; ++a) axes.push_back(a);
  return b.list(axes);
}

}  // namespace spectra

static Ports complex_from_parts(Build& b, const SourceNode&) { return {spectra::join(b, b.in(0), b.in(1))}; }
static Ports real_part(Build& b, const SourceNode&) { return {spectra::part(b, b.in(0), 0)}; }
static Ports imaginary_part(Build& b, const SourceNode&) { return {spectra::part(b, b.in(0), 1)}; }
static Ports conjugate(Build& b, const SourceNode& n) {
  if (n.out_port().type() != ElementType::unknown) return bypass(n, b.in(0));  // of real numbers
  return {spectra::join(b, spectra::part(b, b.in(0), 0),
                        b.op("Negative", "opset1", {spectra::part(b, b.in(0), 1)}))};
}
static Ports complex_abs(Build& b, const SourceNode&) {
  return {b.reduce("ReduceL2", b.in(0), b.list({-1}), false)};
}

static Ports fourier(Build& b, const SourceNode& n) {
  const bool inverse = n.op()[0] == 'I';
  return {
      b.op(inverse ? "IDFT" : "DFT", "opset7", {b.in(0), spectra::last_axes(b, spectra::transformed(n))})};
}
static Ports real_fourier(Build& b, const SourceNode& n) {
  const bool inverse = n.op()[0] == 'I';
  return {
      b.op(inverse ? "IRDFT" : "RDFT", "opset9",
           {b.in(0), spectra::last_axes(b, spectra::transformed(n)), b.convert(b.in(1), ElementType::i64)})};
}

void register_spectra(Registry& r) {
  replace<complex_from_parts>(r, {"Complex", "Complex(real, imaginary)", "Concat(real, imaginary)"});
  replace<real_part>(r, {"Real", "Real(x)", "Gather(x, 0)"});
  replace<imaginary_part>(r, {"Imag", "Imag(x)", "Gather(x, 1)"});
  replace<conjugate>(r, {"Conj", "Conj(x)", "Concat(real, Negative(imaginary))"});
  replace<complex_abs>(r, {"ComplexAbs", "ComplexAbs(x)", "ReduceL2(x)"});
  for (const char* op : {"FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D"})
    replace<fourier>(r, {op, text(op, "(x)"), op[0] == 'I' ? "IDFT(x, axes)" : "DFT(x, axes)"});
  for (const char* op : {"RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D"})
    replace<real_fourier>(
        r, {op, text(op, "(x, length)"), op[0] == 'I' ? "IRDFT(x, axes, length)" : "RDFT(x, axes, length)"});
}

}  // namespace mo::tensorflow
