// STFT: Fourier transforms of frames of a real signal, each weighed by a window.
#include "support/first_releases.hpp"
#include "support/short_time.hpp"

namespace mo::opset {

struct Stft {
  static constexpr std::string_view type = "STFT", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("signal, window, frame_size, frame_step: frames of complex numbers")
        .input("signal", Role::fixed, float_types)
        .input("window", Role::fixed)
        .inputs({"frame_size", "frame_step"}, Role::any)
        .outputs(1);
    s.attr<bool>("transpose_frames");
  }
  static void infer(InferContext& c) {
    const Shape signal = c.shape(0);
    require_rank(signal, "the signal", 1, 2);
    const Interval size = short_time::size_input(c, 2, "frame_size");
    const Interval step = short_time::size_input(c, 3, "frame_step");
    short_time::check_window(c, size);
    if (!signal.has_rank()) return c.output(0, common_type(c, {0, 1}), Shape::unknown());
    const Dim length = signal.back();
    require(length.is_unbounded() || size.lo <= length.max, "frame_size is ", size.lo,
            " for a signal of length ", length);
    // A frame is not longer than the signal.
    const int64_t longest = length.is_unbounded() ? size.hi : std::min(size.hi, length.max);
    Interval frames(1, Interval::highest);
    if (longest != Interval::highest && step.hi != Interval::highest && length.min > longest)
      frames.lo = (length.min - longest) / step.hi + 1;
    if (!length.is_unbounded()) frames.hi = (length.max - size.lo) / step.lo + 1;
    const Interval bins(size.lo / 2 + 1, longest == Interval::highest ? longest : longest / 2 + 1);
    Shape out = signal;
    out.back() = frames.to_dim();
    out.insert(out.size() - (c.attr<bool>("transpose_frames") ? 1 : 0), bins.to_dim());
    out.push_back(2);
    c.output(0, common_type(c, {0, 1}), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor signal = c.input(0);
    const short_time::Frames f(c);
    require(signal.rank() == 1 || signal.rank() == 2, "the signal has shape ", signal.shape(),
            "; expected rank 1 or 2");
    const int64_t length = signal.dims().back();
    require(f.size <= length, "frame_size is ", f.size, " for a signal of length ", length);
    const bool transposed = c.attr<bool>("transpose_frames");
    const int64_t frames = (length - f.size) / f.step + 1, bins = f.size / 2 + 1;
    Dims dims = signal.dims();
    dims.back() = transposed ? bins : frames;
    dims.push_back(transposed ? frames : bins);
    dims.push_back(2);
    for_float(signal.type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, dims, signal.bytes());
      const Numbers<E> x(signal);
      const std::vector<double> window = short_time::padded_window<E>(c.input(1), f.size);
      Fourier run(window.size(), false);
      std::vector<Complex> line(window.size());
      const int64_t batch = signal.rank() == 2 ? signal.dim(0) : 1;
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t k = 0; k < frames; ++k) {
          const auto* from = x.data() + b * length + k * f.step;
          for (size_t i = 0; i < line.size(); ++i) line[i] = {static_cast<double>(from[i]) * window[i], 0};
          run(line.data());
          for (int64_t i = 0; i < bins; ++i) {
            const int64_t place = transposed ? (b * bins + i) * frames + k : (b * frames + k) * bins + i;
            const auto to = static_cast<size_t>(2 * place);
            out[to] = static_cast<typename E::computed>(line[static_cast<size_t>(i)].re);
            out[to + 1] = static_cast<typename E::computed>(line[static_cast<size_t>(i)].im);
          }
        }
      c.output(0, out.tensor());
    });
  }
};

void register_stft(Registry& r) {
  r.operation<Stft>();
  came_with("2024.5", "STFT", "opset15");
}

}  // namespace mo::opset
