// Discrete Fourier transforms in double.
#pragma once

#include "support/buffers.hpp"
#include "support/movement.hpp"

namespace mo::opset {

struct Complex {
  double re = 0, im = 0;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// Transforms lines of n numbers: sums of x[j] * exp(-+ 2 pi i j k / n); the inverse divides by n.
class Fourier {
 public:
  Fourier(size_t n, bool inverse);
  void operator()(Complex* line);

 private:
  void powers_of_two(std::vector<Complex>& v, bool inverse) const;
  size_t n_;
  bool inverse_;
  std::vector<Complex> roots_;                  // exp(-2 pi i k / m) for the m that is transformed directly
  std::vector<Complex> chirp_, filter_, work_;  // Bluestein: any length by a convolution of one of 2^p
};

// Complex numbers in the layout of a tensor.
struct Spectrum {
  Dims dims;
  std::vector<Complex> values;
};
// Cuts off or appends zeros along an axis. Refused where the result were absurdly large.
Spectrum resized(const Spectrum& s, size_t axis, int64_t size);
void transform(Spectrum& s, size_t axis, bool inverse);
// Refuses numbers of elements that would take gigabytes.
void check_spectrum(const Dims& dims, uint64_t input_elements);

// axes, and how long the data shall be along them: an entry of -1 leaves it.
struct FourierSizes {
  std::vector<size_t> axes;
  Dims sizes;  // -1 replaced, except where `keep` is asked for
};
// From inputs 1 and 2 of DFT and its kin; `rank` and `dims` are those of the complex data.
FourierSizes fourier_sizes(const EvalContext& c, const Dims& dims);

// The same for shapes; nothing where axes are not known.
struct FourierShape {
  std::vector<size_t> axes;
  std::vector<std::optional<Interval>> sizes;  // of signal_size; none without it
};
std::optional<FourierShape> fourier_shape(const InferContext& c, size_t rank);
// A dimension that becomes what signal_size says, or `same` for -1.
Dim sized(const std::optional<Interval>& size, const Dim& same);
// What the runtime asks of the element types, for `ir_attrs`.
void check_fourier_types(const Node& n);

}  // namespace mo::opset
