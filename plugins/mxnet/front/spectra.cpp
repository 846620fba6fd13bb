// fft and ifft over the last dimension, with real and imaginary parts one after the other.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace spectra {

static Ports fft(Build& b, const SourceNode&) {
  const auto rank = static_cast<int64_t>(rank_of(b, b.in(0)));
  require(rank > 0, "it reads a scalar; expected a dimension to transform");
  const OutPort real = b.unsqueeze(b.in(0), b.list({rank}));
  const OutPort both = b.concat({real, b.multiply(real, b.like(real, 0))}, rank);
  const OutPort spectrum = b.op("DFT", "opset7", {both, b.list({rank - 1})});
  Ints dims(static_cast<size_t>(rank), 0);
  dims.back() = -1;
  return {b.reshape(spectrum, dims)};
}

// MXNet does not divide by the length.
static Ports ifft(Build& b, const SourceNode&) {
  const size_t rank = rank_of(b, b.in(0));
  require(rank > 0, "it reads a scalar; expected a dimension to transform");
  const auto last = static_cast<int64_t>(rank) - 1;
  Ints dims(rank, 0);
  dims.back() = -1;
  dims.push_back(2);
  const OutPort pairs = b.reshape(b.in(0), dims);
  const OutPort signal = b.op("IDFT", "opset7", {pairs, b.list({last})});
  const Node g = b.node("Gather", "opset7", {signal, b.integer(0), b.integer(last + 1)});
  g.set("batch_dims", 0);
  const OutPort length = b.convert(b.reshape(b.dim(g.out_port(), last), b.list({})), ElementType::f32);
  return {b.multiply(g.out_port(), length)};
}

}  // namespace spectra

void register_spectra(Registry& r) {
  convert<spectra::fft>(r, "fft _contrib_fft", "_contrib_fft(x)", "Reshape(DFT(Concat(Unsqueeze(x), 0)))");
  convert<spectra::ifft>(r, "ifft _contrib_ifft", "_contrib_ifft(x)",
                         "Multiply(Gather(IDFT(Reshape(x)), 0), length)");
}

}  // namespace mo::mxnet
