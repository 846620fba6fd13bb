// Fourier transforms. Complex numbers have a last dimension of two.
#include "support/values.hpp"

#include <cmath>

namespace mo::pytorch {

namespace spectra {

enum class Scaling { none, by_root, by_count };

constexpr size_t every = SIZE_MAX;  // dimension

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
  const OutPort n = c.convert_like(count, y);
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

static OutPort real_forward(const Call& c, const OutPort& x, const Ints& axes, const OutPort& length,
                            Scaling s, bool half) {
  require(!c.is_complex("self"), "it reads complex numbers, expected real ones");
  Ports inputs{half ? x : with_imaginary_zeros(c, x), c.b.list(axes)};
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

static OutPort real_back(const Call& c, const OutPort& x, const Ints& axes, const OutPort& lengths,
                         Scaling s) {
  const OutPort y = c.b.op("IRDFT", "opset9", {x, c.b.list(axes), lengths});
  return scaled(c, y, product(c, lengths), s, Scaling::by_count);
}
// The length along the last of the axes is twice the number of frequencies less two, unless it is given.
static OutPort lengths_back(const Call& c, const OutPort& x, const Ints& axes, OutPort last) {
  require(!axes.empty(), "argument 'dim' names no dimension");
  if (!last) last = c.b.multiply(c.b.subtract(c.b.dim(x, axes.back()), c.b.list({1})), c.b.list({2}));
  if (axes.size() == 1) return last;
  return c.b.concat({sizes_along(c, x, Ints(axes.begin(), axes.end() - 1)), last});
}
static OutPort complex_self(const Call& c) {
  const OutPort given = c.tensor("self");
  return c.is_complex("self") ? given : with_imaginary_zeros(c, as_float(c, given));
}
static Ports irfft(const Call& c) {
  const OutPort x = complex_self(c);
  const Ints axes = transformed(c, c.rank(x) - 1);
  const OutPort last = c.is_given("n") ? c.size_list("n") : OutPort();
  return {real_back(c, x, axes, lengths_back(c, x, axes, last), scaling_of(c, true))};
}
static Ports complex_to_real(const Call& c) {
  const OutPort x = complex_self(c);
  const Ints axes = transformed(c, c.rank(x) - 1);
  return {real_back(c, x, axes, lengths_back(c, x, axes, c.size_list("last_dim_size")), stated_scaling(c))};
}

// A signal of which half is given, as the other half mirrors it, has a real spectrum: the way there is the way
// back of what is conjugated, and only the scale differs.
static Ports hermitian(const Call& c) {
  const OutPort x = complex_self(c);
  const Ints axes = transformed(c, c.rank(x) - 1);
  const OutPort last = c.is_given("n") ? c.size_list("n") : OutPort();
  const OutPort lengths = lengths_back(c, x, axes, last);
  return {real_back(c, conjugate(c, x), axes, lengths, scaling_of(c, false))};
}
static Ports hermitian_back(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const OutPort length = c.is_given("n") ? c.size_list("n") : OutPort();
  const OutPort y = real_forward(c, x, transformed(c, c.rank(x)), length, scaling_of(c, true), true);
  return {conjugate(c, y)};
}

static OutPort complex_both(const Call& c, const OutPort& x, const Ints& axes, const OutPort& length,
                            bool back, Scaling s) {
  Ports inputs{x, c.b.list(axes)};
  if (length) inputs.push_back(length);
  const OutPort y = c.b.op(back ? "IDFT" : "DFT", "opset7", inputs);
  const OutPort count = product(c, length ? length : sizes_along(c, x, axes));
  return scaled(c, y, count, s, back ? Scaling::by_count : Scaling::none);
}
template <bool Back>
static Ports fft(const Call& c) {
  const OutPort x = complex_self(c);
  const OutPort length = c.is_given("n") ? c.size_list("n") : OutPort();
  return {complex_both(c, x, transformed(c, c.rank(x) - 1), length, Back, scaling_of(c, Back))};
}
static Ports complex_to_complex(const Call& c) {
  const OutPort x = complex_self(c);
  return {complex_both(c, x, transformed(c, c.rank(x) - 1), {}, !c.flag("forward", true), stated_scaling(c))};
}

// Over several dimensions: those of 'dim'; else the last ones, as many as lengths are given, two, or all.
static Ints several(const Call& c, size_t rank, size_t usual) {
  Ints axes = c.ints("dim", {});
  const Ints lengths = c.ints("s", {});
  if (axes.empty()) {
    if (!lengths.empty()) usual = lengths.size();
    require(usual == every || usual <= rank, "it transforms ", usual, " dimensions of ", rank);
    for (size_t i = rank - std::min(usual, rank); i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  }
  require(lengths.empty() || lengths.size() == axes.size(), "argument 's' is ", lengths, ", expected ",
          axes.size(), " lengths");
  for (int64_t& a : axes) a = static_cast<int64_t>(normalize_axis(a, rank, "argument 'dim'"));
  return axes;
}
// The lengths of 's'; -1 is that of x, and so are all where there is no 's'.
static OutPort given_lengths(const Call& c, const OutPort& x, const Ints& axes, bool back) {
  if (!c.is_given("s")) return back ? lengths_back(c, x, axes, {}) : OutPort();
  Ints lengths = c.ints("s");
  const OutPort own = back ? lengths_back(c, x, axes, {}) : sizes_along(c, x, axes);
  const OutPort stated = c.b.list(lengths);
  if (std::find(lengths.begin(), lengths.end(), -1) == lengths.end()) return stated;
  return c.b.select(c.op1("Less", {stated, c.b.integer(0)}), own, stated);
}
template <size_t Usual>
static Ports rfft_of_several(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const Ints axes = several(c, c.rank(x), Usual);
  return {real_forward(c, x, axes, given_lengths(c, x, axes, false), scaling_of(c, false), true)};
}
// OpenVINO 2026.4 gives other numbers where IRDFT makes a dimension longer that is not the last one of its axes:
// all others go back before.
static OutPort real_back_over(const Call& c, OutPort x, const Ints& axes, Scaling s) {
  const OutPort lengths = given_lengths(c, x, axes, true);
  if (!c.is_given("s") || axes.size() == 1) return real_back(c, x, axes, lengths, s);
  const Ints others(axes.begin(), axes.end() - 1), last{axes.back()};
  x = c.b.op("IDFT", "opset7", {x, c.b.list(others), c.b.part(lengths, 0, -1)});
  x = c.b.op("IRDFT", "opset9", {x, c.b.list(last), c.b.part(lengths, -1, INT64_MAX)});
  return scaled(c, x, product(c, lengths), s, Scaling::by_count);
}
template <size_t Usual>
static Ports irfft_of_several(const Call& c) {
  const OutPort x = complex_self(c);
  return {real_back_over(c, x, several(c, c.rank(x) - 1, Usual), scaling_of(c, true))};
}
template <size_t Usual>
static Ports hermitian_of_several(const Call& c) {
  const OutPort x = complex_self(c);
  return {real_back_over(c, conjugate(c, x), several(c, c.rank(x) - 1, Usual), scaling_of(c, false))};
}
template <size_t Usual>
static Ports hermitian_back_of_several(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const Ints axes = several(c, c.rank(x), Usual);
  return {
      conjugate(c, real_forward(c, x, axes, given_lengths(c, x, axes, false), scaling_of(c, true), true))};
}
template <bool Back, size_t Usual>
static Ports fft_of_several(const Call& c) {
  const OutPort x = complex_self(c);
  const Ints axes = several(c, c.rank(x) - 1, Usual);
  return {complex_both(c, x, axes, given_lengths(c, x, axes, false), Back, scaling_of(c, Back))};
}

// The frequencies that belong to the elements of a spectrum, in parts of what is measured in a unit of time.
template <bool Half>
static Ports frequencies(const Call& c) {
  const OutPort count = c.size("n");
  const OutPort places = Half ? count_to(c, c.b.add(c.op1("Divide", {count, c.b.integer(2)}), c.b.integer(1)))
                              : count_to(c, count);
  OutPort signed_places = places;
  if (!Half) {
    const OutPort positive = c.op1("Divide", {c.b.add(count, c.b.integer(1)), c.b.integer(2)});
    signed_places = c.b.select(c.op1("Less", {places, positive}), places, c.b.subtract(places, count));
  }
  const ElementType type = c.result_type();
  const OutPort span =
      c.b.multiply(c.b.convert(count, ElementType::f64),
                   c.b.constant(Tensor::filled(c.b.context(), ElementType::f64, {c.number("d", 1)}, {})));
  return {c.b.convert(c.b.divide(c.b.convert(signed_places, ElementType::f64), span), type)};
}

// Halves along dimensions change places.
template <bool Back>
static Ports halves(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x) - (c.is_complex("self") ? 1 : 0);
  const Ints axes = c.axes("dim", rank);
  Ports shifts;
  for (const int64_t a : axes) {
    const OutPort size = c.b.dim(x, a), odd = c.b.list({Back ? 1 : 0});
    shifts.push_back(c.op1("Divide", {c.b.add(size, odd), c.b.list({2})}));
  }
  return {c.b.op("Roll", "opset7", {x, c.b.concat(shifts), c.b.list(axes)})};
}

template <int Part>
static Ports part(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!c.is_complex("self")) return {x};
  return {gather(c, x, c.b.integer(Part), -1)};
}
static Ports complex_of(const Call& c) {
  require(c.result_is_complex(), "its result is real, expected complex numbers");
  const auto [re, im] = c.promoted("real", "imag");
  return {joined(c, {re, im})};
}

// Windows that are shorter than the frames stand in their middle.
struct Frames {
  int64_t size, step;
  OutPort window;
};
static Frames frames_of(const Call& c, const OutPort& x) {
  const auto size = c.integer("n_fft"), step = c.integer("hop_length", size / 4),
             width = c.integer("win_length", size);
  require(size > 0 && step > 0 && width > 0 && width <= size,
          "arguments 'n_fft', 'hop_length' and 'win_length' are ", size, ", ", step, " and ", width);
  OutPort window = c.find_tensor("window");
  require(!c.is_complex("window"), "windows of complex numbers are not supported");
  if (!window) window = c.b.broadcast(c.like(x, 1), c.b.list({width}));
  if (width < size) {
    const int64_t before = (size - width) / 2;
    window = c.b.pad(window, c.b.list({before}), c.b.list({size - width - before}), c.like(window, 0));
  }
  return {size, step, window};
}

// [..., bins, frames, 2] of one side, and behind it the mirror image of all bins but the first, and the last one
// of an even size.
static OutPort both_sides(const Call& c, const OutPort& y, int64_t size) {
  Ints mirrored;
  for (int64_t i = size / 2 + 1; i < size; ++i) mirrored.push_back(size - i);
  if (mirrored.empty()) return y;
  return c.b.concat({y, conjugate(c, gather(c, y, c.b.list(mirrored), -3))}, -3);
}

static Ports short_time(const Call& c) {
  OutPort x = c.tensor("self");
  require(!c.is_complex("self"), "short-time spectra of complex signals are not supported");
  const Frames f = frames_of(c, x);
  if (c.flag("center", false)) {
    const size_t rank = c.rank(x);
    Ints pads(rank, 0);
    pads.back() = f.size / 2;
    const auto mode = c.word("pad_mode", "reflect");
    require(mode == "reflect" || mode == "constant", "argument 'pad_mode' is '", mode,
            "', expected reflect or constant");
    Ports inputs{x, c.b.list(pads), c.b.list(pads)};
    if (mode == "constant") inputs.push_back(c.like(x, 0));
    x = c.b.node("Pad", "opset1", inputs).set("pad_mode", mode).out_port();
  }
  const bool single = c.rank(x) == 1;
  if (single) x = c.b.unsqueeze(x, c.b.list({0}));
  const Node n = c.b.node("STFT", "opset15", {x, f.window, c.b.integer(f.size), c.b.integer(f.step)});
  OutPort y = n.set("transpose_frames", true).out_port();
  if (!c.flag("onesided", true)) y = both_sides(c, y, f.size);
  if (single) y = c.b.squeeze(y, {0});
  if (c.flag("normalized", false)) y = c.b.divide(y, c.like(y, std::sqrt(static_cast<double>(f.size))));
  return {y};
}

// Of a spectrum of both sides one is read, as torch does.
static Ports short_time_back(const Call& c) {
  OutPort x = c.tensor("self");
  require(c.is_complex("self") && !c.result_is_complex(),
          "short-time spectra of complex signals are not supported");
  const Frames f = frames_of(c, x);
  const Dim bins = x.shape().has_rank() ? x.shape()[c.rank(x) - 3] : Dim();
  const bool one =
      c.is_given("onesided") ? c.flag("onesided", true) : f.size / 2 + 1 == f.size || bins != Dim(f.size);
  if (!one) x = slice(c, x, -3, 0, f.size / 2 + 1);
  Ports inputs{x, f.window, c.b.integer(f.size), c.b.integer(f.step)};
  if (c.is_given("length")) inputs.push_back(c.size("length"));
  const Node n = c.b.node("ISTFT", "opset16", inputs);
  n.set("center", c.flag("center", true)).set("normalized", c.flag("normalized", false));
  return {n.out_port()};
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
  convert<complex_to_complex>(r, "aten._fft_c2c.default", "_fft_c2c(x, dim, forward)",
                              "DFT-7 or IDFT-7(x, dim)");
  convert<rfft_of_several<2>>(r, "aten.fft_rfft2.default", "fft_rfft2(x, dim)", "RDFT-9(x, dim)");
  convert<rfft_of_several<every>>(r, "aten.fft_rfftn.default", "fft_rfftn(x, dim)", "RDFT-9(x, dim)");
  convert<irfft_of_several<2>>(r, "aten.fft_irfft2.default", "fft_irfft2(x, dim)", "IRDFT-9(x, dim)");
  convert<irfft_of_several<every>>(r, "aten.fft_irfftn.default", "fft_irfftn(x, dim)", "IRDFT-9(x, dim)");
  convert<fft_of_several<false, 2>>(r, "aten.fft_fft2.default", "fft_fft2(x, dim)", "DFT-7(x, dim)");
  convert<fft_of_several<false, every>>(r, "aten.fft_fftn.default", "fft_fftn(x, dim)", "DFT-7(x, dim)");
  convert<fft_of_several<true, 2>>(r, "aten.fft_ifft2.default", "fft_ifft2(x, dim)", "IDFT-7(x, dim)");
  convert<fft_of_several<true, every>>(r, "aten.fft_ifftn.default", "fft_ifftn(x, dim)", "IDFT-7(x, dim)");
  convert<hermitian>(r, "aten.fft_hfft.default", "fft_hfft(x, n, dim)", "IRDFT-9(conj(x), dim, n)");
  convert<hermitian_back>(r, "aten.fft_ihfft.default", "fft_ihfft(x, n, dim)", "conj(RDFT-9(x, dim, n))");
  convert<hermitian_of_several<2>>(r, "aten.fft_hfft2.default", "fft_hfft2(x, s, dim)",
                                   "IRDFT-9(conj(x), dim, s)");
  convert<hermitian_of_several<every>>(r, "aten.fft_hfftn.default", "fft_hfftn(x, s, dim)",
                                       "IRDFT-9(conj(x), dim, s)");
  convert<hermitian_back_of_several<2>>(r, "aten.fft_ihfft2.default", "fft_ihfft2(x, s, dim)",
                                        "conj(RDFT-9(x, dim, s))");
  convert<hermitian_back_of_several<every>>(r, "aten.fft_ihfftn.default", "fft_ihfftn(x, s, dim)",
                                            "conj(RDFT-9(x, dim, s))");
  convert<frequencies<false>>(r, "aten.fft_fftfreq.default", "fft_fftfreq(n, d)", "Divide(Range, n d)");
  convert<frequencies<true>>(r, "aten.fft_rfftfreq.default", "fft_rfftfreq(n, d)", "Divide(Range, n d)");
  convert<halves<false>>(r, "aten.fft_fftshift.default", "fft_fftshift(x, dim)", "Roll-7(x, size / 2)");
  convert<halves<true>>(r, "aten.fft_ifftshift.default", "fft_ifftshift(x, dim)",
                        "Roll-7(x, (size + 1) / 2)");
  convert<part<0>>(r, "aten.real.default", "real(x)", "Gather(x, 0)");
  convert<part<1>>(r, "aten.imag.default", "imag(x)", "Gather(x, 1)");
  convert<complex_of>(r, "aten.complex.default", "complex(real, imag)",
                      "Concat(Unsqueeze(real), Unsqueeze(imag))");
  convert<short_time>(r, "aten.stft.default aten.stft.center", "stft(x, n_fft, window)",
                      "STFT-15(x, window, n_fft, hop_length)");
  convert<short_time_back>(r, "aten.istft.default", "istft(x, n_fft, window)",
                           "ISTFT-16(x, window, n_fft, hop_length, length)");
}

}  // namespace mo::pytorch
