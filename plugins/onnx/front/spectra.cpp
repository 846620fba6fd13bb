// Window functions and Fourier transforms.
#include "loader/schema.hpp"
#include "support/build.hpp"

#include <algorithm>
#include <optional>

namespace mo::onnx {

namespace spectra {

// a - b * cos(2 pi i / d) + c * cos(4 pi i / d) for i below the size; d is the size, or one less when the
// window is symmetric.
static OutPort window(const Build& b, const SourceNode& n, double first, double second, double third) {
  const auto stated = n.native("output_datatype", 1);
  const ElementType type = element_type_of_onnx(stated);
  require(is_float(type), "attribute 'output_datatype' is ", data_type_name(stated),
          ", expected a float type");
  const ElementType wide = type == ElementType::f64 ? type : ElementType::f32;
  const OutPort size = as_scalar(b, b.convert(b.in(0), ElementType::i64));
  const auto number = [&](double v) { return b.constant(Tensor::filled(b.context(), wide, {v}, {})); };
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  OutPort length = b.convert(size, wide);
  if (n.native("periodic", 1) == 0) length = op("Subtract", length, number(1));
  const OutPort turns = op("Divide", b.convert(b.range(b.integer(0), size, 1), wide), length);
  const auto wave = [&](double k, double height) {
    const OutPort angle = op("Multiply", turns, number(2 * 3.14159265358979323846 * k));
    return op("Multiply", b.op("Cos", "opset1", {angle}), number(height));
  };
  OutPort y = op("Subtract", number(first), wave(1, second));
  if (third != 0) y = op("Add", y, wave(2, third));
  return b.convert(y, type);
}

static OutPort last(const Build& b, const OutPort& x, int64_t index) {
  return b.node("Gather", "opset8", {x, b.integer(index), b.integer(-1)}).set("batch_dims", 0).out_port();
}

// The size of the last dimension, also where the shape is not known yet but what makes it tells: exporters
// put a dimension of parts behind the others right in front of a transform.
static std::optional<int64_t> last_size(const OutPort& x, int depth = 0) {
  const Shape s = x.shape();
  if (s.has_rank() && s.rank() > 0) {
    const Dim d = s[s.size() - 1];
    if (d.is_static()) return d.value();
  }
  const Node n = x.node();
  if (depth > 16) return {};
  const auto of = [&](size_t i) -> std::optional<int64_t> {
    const OutPort source = i < n.in_count() ? n.in_port(i).get_source() : OutPort();
    return source ? last_size(source, depth + 1) : std::nullopt;
  };
  const auto numbers = [&](size_t i) {
    const OutPort source = i < n.in_count() ? n.in_port(i).get_source() : OutPort();
    const auto value = source ? source.value() : std::nullopt;
    return value ? value->to_ints() : Ints();
  };
  const std::string op = n.op();
  if (op == "Unsqueeze") {
    const Ints axes = numbers(1);
    if (std::find(axes.begin(), axes.end(), -1) != axes.end()) return 1;
  }
  if (op == "Reshape") {
    const Ints target = numbers(1);
    if (!target.empty() && target.back() > 0) return target.back();
  }
  if (op == "Concat" && n.attr("axis", int64_t{0}) == -1) {
    int64_t sum = 0;
    for (size_t i = 0; i < n.in_count(); ++i) {
      const auto part = of(i);
      if (!part) return {};
      sum += *part;
    }
    return sum;
  }
  if (op == "DFT" || op == "IDFT" || op == "RDFT" || op == "STFT") return 2;
  if (op == "Convert" || op == "Identity") return of(0);
  if (op == "Multiply" || op == "Divide" || op == "Add" || op == "Subtract") {
    const auto left = of(0), right = of(1);
    if (left && right) return std::max(*left, *right);
  }
  return {};
}

// Real numbers have one entry in the last dimension, complex ones two.
static bool is_real(const OutPort& x) {
  const auto parts = last_size(x);
  require(parts.has_value(), "whether input 0 is real or complex cannot be told from the model");
  require(*parts == 1 || *parts == 2, "the last dimension of input 0 is ", *parts, ", expected 1 or 2");
  return *parts == 1;
}

}  // namespace spectra

static Ports hann_window(Build& b, const SourceNode& n) { return {spectra::window(b, n, 0.5, 0.5, 0)}; }
static Ports hamming_window(Build& b, const SourceNode& n) {
  return {spectra::window(b, n, 25.0 / 46, 21.0 / 46, 0)};
}
static Ports blackman_window(Build& b, const SourceNode& n) {
  return {spectra::window(b, n, 0.42, 0.5, 0.08)};
}

// The axis is an attribute, and from version 20 on an input. The operation does not count the dimension of
// real and imaginary parts, which is the last one.
static OutPort spectrum_axis(const Build& b, const SourceNode& n) {
  const auto counted = [](int64_t axis) {
    require(axis != -1, "the axis is -1, the dimension of real and imaginary parts");
    return axis < 0 ? axis + 1 : axis;
  };
  if (n.version() < 20) return b.list({counted(axis_of(n, 1))});
  if (!b.has(2)) return b.list({counted(-2)});
  if (const auto given = b.ints(2)) return b.list({counted(given->at(0))});
  const OutPort axis = b.reshape(b.convert(b.in(2), ElementType::i64), b.list({1}));
  const OutPort negative = b.op("Less", "opset1", {axis, b.integer(0)});
  return b.select(negative, b.add(axis, b.integer(1)), axis);
}

// One half of a spectrum belongs to real numbers, which the inverse gives.
static Ports dft(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  const bool real = spectra::is_real(x), inverse = n.native("inverse", 0) != 0;
  const bool half = n.native("onesided", 0) != 0;
  require(!half || inverse || real, "attribute 'onesided' is 1 and input 0 complex");
  require(!half || !inverse || !real, "attributes 'onesided' and 'inverse' are 1 and input 0 is real");
  if (real && half) x = spectra::last(b, x, 0);
  if (real && !half) {
    const OutPort nothing = b.multiply(x, b.like(x, 0));
    x = b.concat({x, nothing}, -1);
  }
  Ports inputs{x, spectrum_axis(b, n)};
  if (b.has(1)) inputs.push_back(b.reshape(b.convert(b.in(1), ElementType::i64), b.list({1})));
  if (half && inverse) return {b.unsqueeze(b.op("IRDFT", "opset9", inputs), b.list({-1}))};
  if (half) return {b.op("RDFT", "opset9", inputs)};
  return {b.op(inverse ? "IDFT" : "DFT", "opset7", inputs)};
}

// The other half of a spectrum of real numbers, [batch, frames, frequencies, parts]: entry size - k is what
// entry k is, with the other sign of the imaginary part.
static OutPort both_halves(const Build& b, const OutPort& half, const OutPort& size) {
  const OutPort count = b.squeeze(b.dim(half, 2), {0});
  const OutPort mirrored = b.range(b.op("Subtract", "opset1", {size, count}), b.integer(0), -1);
  const OutPort rest =
      b.node("Gather", "opset8", {half, mirrored, b.integer(2)}).set("batch_dims", 0).out_port();
  return b.concat({half, b.multiply(rest, b.like(b.in(0), {1, -1}, {2}))}, 2);
}

// Of complex numbers: that of the real part, and i times that of the imaginary one.
static OutPort complex_spectrum(const Build& b, const OutPort& real, const OutPort& imaginary) {
  const auto part = [&](const OutPort& x, int64_t i) { return spectra::last(b, x, i); };
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.unsqueeze(b.op(t, "opset1", {l, r}), b.list({-1}));
  };
  return b.concat(
      {op("Subtract", part(real, 0), part(imaginary, 1)), op("Add", part(real, 1), part(imaginary, 0))}, -1);
}

static Ports stft(Build& b, const SourceNode& n) {
  const bool half = n.native("onesided", 1) != 0;
  const Shape s = b.in(0).shape();
  // Without a dimension of parts, [batch, length] as PyTorch exports it, a signal is real.
  const bool without_parts = s.has_rank() && s.rank() == 2, real = without_parts || spectra::is_real(b.in(0));
  require(real || !half, "attribute 'onesided' is 1 and input 0 complex");
  require(b.has(2) || b.has(3), "it has neither a window nor a frame length");
  const OutPort size =
      b.has(3) ? as_scalar(b, b.convert(b.in(3), ElementType::i64)) : b.squeeze(b.dim(b.in(2), 0), {0});
  OutPort window;
  if (b.has(2)) {
    window = b.in(2);
  } else {
    const Node ones = b.node("Broadcast", "opset3", {b.like(b.in(0), 1), b.unsqueeze(size, b.list({0}))});
    ones.set("mode", "numpy");
    window = ones.out_port();
  }
  const OutPort step = as_scalar(b, b.convert(b.in(1), ElementType::i64));
  const auto spectrum = [&](const OutPort& signal) {
    const OutPort y =
        b.node("STFT", "opset15", {signal, window, size, step}).set("transpose_frames", false).out_port();
    return half ? y : both_halves(b, y, size);
  };
  const auto part = [&](int64_t i) { return spectra::last(b, b.in(0), i); };
  if (!real) return {complex_spectrum(b, spectrum(part(0)), spectrum(part(1)))};
  return {spectrum(without_parts ? b.in(0) : part(0))};
}

void register_spectra(Registry& r) {
  replace<hann_window>(r, {"HannWindow", "HannWindow(size)", "0.5 - 0.5 * Cos(2 pi Range(size) / size)"});
  replace<hamming_window>(r,
                          {"HammingWindow", "HammingWindow(size)", "a - b * Cos(2 pi Range(size) / size)"});
  replace<blackman_window>(r, {"BlackmanWindow", "BlackmanWindow(size)",
                               "a - b * Cos(2 pi Range(size) / size) + c * Cos(4 pi Range(size) / size)"});
  replace<dft>(r, {"DFT", "DFT(x, length)", "DFT, IDFT or RDFT(x, axes, length)"});
  replace<stft>(r, {"STFT", "STFT(signal, step, window, length)",
                    "STFT-15(signal, window, length, step), and of both sides its mirror image"});
}

}  // namespace mo::onnx
