// Fourier transforms. Complex numbers have a last dimension of two.
#include "support/values.hpp"

#include <cmath>

namespace mo::pytorch {

namespace spectra {

enum class Scaling { none, by_root, by_count };

// On the way there nothing is divided, on the way back the count; "ortho" shares it, "forward" turns it round.
static Scaling scaling_of(const Call& c, bool back) {
  const auto norm = c.word("norm", "backward");
  require(norm == "backward" || norm == "ortho" || norm == "forward", "argument 'norm' is '", norm,
          "', expected backward, ortho or forward");
  if (norm == "ortho") return Scaling::by_root;
  return (norm == "forward") != back ? Scaling::by_count : Scaling::none;
}
static Scaling stated_scaling(const Call& c) {
  const auto mode = c.integer("normalization");
  require(mode >= 0 && mode <= 2, "argument 'normalization' is ", mode, ", expected 0 to 2");
  return static_cast<Scaling>(mode);
}

// Operations divide by the count on the way back, and not at all there.
static OutPort scaled(const Call& c, const OutPort& y, const OutPort& count, Scaling wanted, Scaling done) {
  if (wanted == done) return y;
  const OutPort n = c.b.convert(count, y.type());
  const OutPort root = c.op1("Sqrt", {n});
  if (done == Scaling::none) return c.b.divide(y, wanted == Scaling::by_root ? root : n);
  return c.b.multiply(y, wanted == Scaling::by_root ? root : n);
}

static OutPort product(const Call& c, const OutPort& sizes) {
  return c.b.reduce("ReduceProd", sizes, c.b.list({0}), false);
}
static OutPort sizes_along(const Call& c, const OutPort& x, const Ints& axes) {
  return gather(c, c.b.shape_of(x), c.b.list(axes), 0);
}
static Ints transformed(const Call& c, size_t rank) {
  Ints axes = c.ints("dim", {-1});
  for (int64_t& a : axes) a = static_cast<int64_t>(normalize_axis(a, rank, "argument 'dim'"));
  return axes;
}

static OutPort as_complex(const Call& c, const OutPort& x) {
  const OutPort y = c.b.unsqueeze(x, c.b.list({-1}));
  return c.b.concat({y, c.b.multiply(y, c.like(x, 0))}, -1);
}

static OutPort real_forward(const Call& c, const OutPort& x, const Ints& axes, const OutPort& length, Scaling s,
                            bool half) {
  Ports inputs{half ? x : as_complex(c, x), c.b.list(axes)};
  if (length) inputs.push_back(length);
  const OutPort y = half ? c.b.op("RDFT", "opset9", inputs) : c.b.op("DFT", "opset7", inputs);
  return scaled(c, y, product(c, length ? length : sizes_along(c, x, axes)), s, Scaling::none);
}
static Ports rfft(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const OutPort length = c.is_given("n") ? c.size_list("n") : OutPort();
  return {real_forward(c, x, transformed(c, c.rank(x)), length, scaling_of(c, false), true)};
}
static Ports real_to_complex(const Call& c) {
  const OutPort x = c.tensor("self");
  return {real_forward(c, x, transformed(c, c.rank(x)), {}, stated_scaling(c), c.flag("onesided", true))};
}

// The length along the last of the axes is twice the number of frequencies less two, unless it is given.
static OutPort real_back(const Call& c, const OutPort& x, const Ints& axes, const OutPort& last, Scaling s) {
  OutPort lengths = last;
  if (axes.size() > 1) {
    const Ints others(axes.begin(), axes.end() - 1);
    lengths = c.b.concat({sizes_along(c, x, others), last});
  }
  const OutPort y = c.b.op("IRDFT", "opset9", {x, c.b.list(axes), lengths});
  return scaled(c, y, product(c, lengths), s, Scaling::by_count);
}
static Ports irfft(const Call& c) {
  const OutPort x = c.tensor("self");
  require(c.is_complex("self"), "it reads real numbers, expected complex ones");
  const Ints axes = transformed(c, c.rank(x) - 1);
  const OutPort frequencies = c.b.dim(x, axes.back());
  const OutPort last = c.is_given("n") ? c.size_list("n")
                                       : c.b.multiply(c.b.subtract(frequencies, c.b.list({1})), c.b.list({2}));
  return {real_back(c, x, axes, last, scaling_of(c, true))};
}
static Ports complex_to_real(const Call& c) {
  const OutPort x = c.tensor("self");
  return {real_back(c, x, transformed(c, c.rank(x) - 1), c.size_list("last_dim_size"), stated_scaling(c))};
}

static OutPort complex_both(const Call& c, const OutPort& x, const Ints& axes, const OutPort& length, bool back,
                            Scaling s) {
  Ports inputs{x, c.b.list(axes)};
  if (length) inputs.push_back(length);
  const OutPort y = c.b.op(back ? "IDFT" : "DFT", "opset7", inputs);
  const OutPort count = product(c, length ? length : sizes_along(c, x, axes));
  return scaled(c, y, count, s, back ? Scaling::by_count : Scaling::none);
}
template <bool Back>
static Ports fft(const Call& c) {
  const OutPort given = c.tensor("self");
  const OutPort x = c.is_complex("self") ? given : as_complex(c, as_float(c, given));
  const OutPort length = c.is_given("n") ? c.size_list("n") : OutPort();
  return {complex_both(c, x, transformed(c, c.rank(x) - 1), length, Back, scaling_of(c, Back))};
}
static Ports complex_to_complex(const Call& c) {
  const OutPort x = c.tensor("self");
  return {complex_both(c, x, transformed(c, c.rank(x) - 1), {}, !c.flag("forward", true), stated_scaling(c))};
}

template <int Part>
static Ports part(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!c.is_complex("self")) return {x};
  return {gather(c, x, c.b.integer(Part), -1)};
}
static Ports complex_of(const Call& c) {
  const OutPort last = c.b.list({-1});
  const auto [re, im] = c.promoted("real", "imag");
  return {c.b.concat({c.b.unsqueeze(re, last), c.b.unsqueeze(im, last)}, -1)};
}

// Windows that are shorter than the frames stand in their middle.
static Ports short_time(const Call& c) {
  OutPort x = c.tensor("self");
  require(!c.is_complex("self") && c.flag("onesided", true),
          "spectra of complex signals, or of both sides, are not supported");
  const auto frame = c.integer("n_fft"), step = c.integer("hop_length", frame / 4),
             width = c.integer("win_length", frame);
  require(frame > 0 && step > 0 && width > 0 && width <= frame, "arguments 'n_fft', 'hop_length' and 'win_length' "
          "are ", frame, ", ", step, " and ", width);
  if (c.flag("center", false)) {
    const size_t rank = c.rank(x);
    Ints pads(rank, 0);
    pads.back() = frame / 2;
    const auto mode = c.word("pad_mode", "reflect");
    require(mode == "reflect" || mode == "constant", "argument 'pad_mode' is '", mode,
            "', expected reflect or constant");
    Ports inputs{x, c.b.list(pads), c.b.list(pads)};
    if (mode == "constant") inputs.push_back(c.like(x, 0));
    x = c.b.node("Pad", "opset1", inputs).set("pad_mode", mode).out_port();
  }
  OutPort window = c.find_tensor("window");
  if (!window) window = c.b.broadcast(c.like(x, 1), c.b.list({width}));
  if (width < frame) {
    const int64_t before = (frame - width) / 2;
    window = c.b.pad(window, c.b.list({before}), c.b.list({frame - width - before}), c.like(window, 0));
  }
  const bool single = c.rank(x) == 1;
  if (single) x = c.b.unsqueeze(x, c.b.list({0}));
  const Node n = c.b.node("STFT", "opset15", {x, window, c.b.integer(frame), c.b.integer(step)});
  OutPort y = n.set("transpose_frames", true).out_port();
  if (single) y = c.b.squeeze(y, {0});
  if (c.flag("normalized", false)) y = c.b.divide(y, c.like(y, std::sqrt(static_cast<double>(frame))));
  return {y};
}

}  // namespace spectra

void register_spectra(Registry& r) {
  using namespace spectra;
  convert<rfft>(r, "aten.fft_rfft.default", "fft_rfft(x, n, dim)", "RDFT-9(x, dim, n)");
  convert<irfft>(r, "aten.fft_irfft.default", "fft_irfft(x, n, dim)", "IRDFT-9(x, dim, n)");
  convert<fft<false>>(r, "aten.fft_fft.default", "fft_fft(x, n, dim)", "DFT-7(x, dim, n)");
  convert<fft<true>>(r, "aten.fft_ifft.default", "fft_ifft(x, n, dim)", "IDFT-7(x, dim, n)");
  convert<real_to_complex>(r, "aten._fft_r2c.default", "_fft_r2c(x, dim)", "RDFT-9(x, dim)");
  convert<complex_to_real>(r, "aten._fft_c2r.default", "_fft_c2r(x, dim, last_dim_size)",
                           "IRDFT-9(x, dim, last_dim_size)");
  convert<complex_to_complex>(r, "aten._fft_c2c.default", "_fft_c2c(x, dim, forward)", "DFT-7 or IDFT-7(x, dim)");
  convert<part<0>>(r, "aten.real.default", "real(x)", "Gather(x, 0)");
  convert<part<1>>(r, "aten.imag.default", "imag(x)", "Gather(x, 1)");
  convert<complex_of>(r, "aten.complex.default", "complex(real, imag)",
                      "Concat(Unsqueeze(real), Unsqueeze(imag))");
  convert<short_time>(r, "aten.stft.default aten.stft.center", "stft(x, n_fft, window)",
                      "STFT-15(x, window, n_fft, hop_length)");
}

}  // namespace mo::pytorch
