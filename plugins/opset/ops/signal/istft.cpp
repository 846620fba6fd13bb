// ISTFT: a real signal from the Fourier transforms of its frames, each weighed by the window once more: where
// frames overlap, their sum divided by the sum of the squared windows.
#include "support/first_releases.hpp"
#include "support/short_time.hpp"

namespace mo::opset {

struct Istft {
  static constexpr std::string_view type = "ISTFT", opset = "opset16";
  static void schema(OpSchema& s) {
    s.doc("data [..., bins, frames, 2], window, frame_size, frame_step, [signal_length]: signal")
        .input("data", Role::fixed, float_types)
        .input("window", Role::fixed)
        .inputs({"frame_size", "frame_step"}, Role::any)
        .optional_input("signal_length", Role::any)
        .outputs(1);
    s.attr<bool>("center").attr<bool>("normalized");
  }

  static void infer(InferContext& c) {
    const Shape data = c.shape(0);
    require_rank(data, "the data", 3, 4);
    const Interval size = short_time::size_input(c, 2, "frame_size");
    const Interval step = short_time::size_input(c, 3, "frame_step");
    short_time::check_window(c, size);
    const ElementType t = common_type(c, {0, 1});
    Interval given;
    if (c.has(4)) {
      require_integer(c, 4);
      require_elements(c, 4, "signal_length", 1);
      given = intervals_or_unknown(c, 4, 1)[0];
      require(given.hi >= 0, "signal_length is ", given.hi, "; expected 0 or more");
    }
    if (!data.has_rank()) return c.output(0, t, Shape::unknown());
    const size_t n = data.size();
    same_dim(data[n - 1], 2, "last dimension of the data, real and imaginary part");
    const Dim bins =
        Interval(size.lo / 2 + 1, size.hi == Interval::highest ? size.hi : size.hi / 2 + 1).to_dim();
    const Dim seen = same_dim(data[n - 3], bins, "bins of the data and of frame_size");
    const Dim frames = data[n - 2];
    require(frames.is_unbounded() || frames.max > 0, "the data has no frames");
    Shape out;
    if (n == 4) out.push_back(data[0]);
    out.push_back(c.has(4) ? given.to_dim()
                           : length(frames, fitting(size, seen), step, c.attr<bool>("center")));
    c.output(0, t, out);
  }

  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const short_time::Frames f(c);
    require((data.rank() == 3 || data.rank() == 4) && data.dims().back() == 2, "the data has shape ",
            data.shape(), "; expected [..., bins, frames, 2]");
    const size_t n = data.rank();
    const int64_t batch = n == 4 ? data.dim(0) : 1, bins = data.dim(n - 3), frames = data.dim(n - 2);
    require(bins == f.size / 2 + 1 && frames > 0, "the data has shape ", data.shape(), "; expected ",
            f.size / 2 + 1, " bins and at least one frame");
    const bool center = c.attr<bool>("center");
    const int64_t whole = detail::checked_add(detail::checked_mul(frames - 1, f.step), f.size);
    int64_t length = center ? whole - f.size : whole;
    if (c.has(4)) {
      const auto given = c.input(4).to_ints();
      require(given.size() == 1 && given[0] >= 0, "signal_length is ", given,
              "; expected one number, 0 or more");
      length = given[0];
    }
    Dims dims{length};
    if (n == 4) dims.insert(dims.begin(), batch);
    check_spectrum({whole}, data.size());
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, dims, data.bytes());
      const Numbers<E> x(data);
      const std::vector<double> window = short_time::padded_window<E>(c.input(1), f.size);
      const double scale = c.attr<bool>("normalized") ? std::sqrt(static_cast<double>(f.size)) : 1;
      const int64_t margin = center ? f.size / 2 : 0;
      Fourier run(window.size(), true);
      std::vector<Complex> line(window.size());
      for (int64_t b = 0; b < batch; ++b) {
        std::vector<double> sum(static_cast<size_t>(whole)), weight(sum.size());
        for (int64_t k = 0; k < frames; ++k) {
          for (int64_t i = 0; i < f.size; ++i) {
            const bool mirrored = i >= bins;  // a real line: the conjugate of its other half
            const auto from =
                static_cast<size_t>(2 * ((b * bins + (mirrored ? f.size - i : i)) * frames + k));
            const auto im = static_cast<double>(x[from + 1]);
            line[static_cast<size_t>(i)] = {static_cast<double>(x[from]), mirrored ? -im : im};
          }
          run(line.data());
          for (int64_t i = 0; i < f.size; ++i) {
            const double w = window[static_cast<size_t>(i)];
            sum[static_cast<size_t>(k * f.step + i)] += line[static_cast<size_t>(i)].re * w;
            weight[static_cast<size_t>(k * f.step + i)] += w * w;
          }
        }
        for (int64_t i = 0; i < std::min(length, whole - margin); ++i) {
          const auto at = static_cast<size_t>(i + margin);
          const double v = weight[at] == 0 ? 0 : sum[at] * scale / weight[at];
          out[static_cast<size_t>(b * length + i)] = static_cast<typename E::computed>(v);
        }
      }
      c.output(0, out.tensor());
    });
  }

 private:
  // The frame sizes that have so many bins.
  static Interval fitting(const Interval& size, const Dim& bins) {
    Interval r = size;
    if (bins.min > 1 && bins.min < int64_t{1} << 61) r.lo = std::max(r.lo, 2 * (bins.min - 1));
    if (!bins.is_unbounded() && bins.max < int64_t{1} << 61) r.hi = std::min(r.hi, 2 * bins.max - 1);
    return r;
  }
  static Dim length(const Dim& frames, const Interval& size, const Interval& step, bool center) {
    const Interval between = interval::difference(
        Interval(std::max<int64_t>(frames.min, 1), frames.is_unbounded() ? Interval::highest : frames.max),
        Interval(1));
    const Interval span = interval::product(between, step);
    return (center ? span : interval::sum(span, size)).to_dim();
  }
};

void register_istft(Registry& r) {
  r.operation<Istft>();
  came_with("2025.1", "ISTFT", "opset16");
}

}  // namespace mo::opset
