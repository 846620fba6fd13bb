// RDFT: real [...] to complex [..., 2], of the last axis only the half that is not its mirror image. IRDFT:
// back.
#include "support/fourier.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace real_fourier {

// Of the last axis: how many complex numbers a real line gives, and how long a line they come from is.
static Dim half(const Dim& d) { return floor_div(d, 2) + Dim(1); }
static Dim doubled(const Dim& d) {
  require(d.is_unbounded() || d.max > 0, "the last axis has size ", d, "; expected 1 or more");
  return (Dim(std::max<int64_t>(d.min, 1), d.max) - 1) * Dim(2);
}

// All dimensions but that of the complex parts.
template <class Change>
void change_axes(const InferContext& c, Shape& out, size_t rank, Change change) {
  const auto f = fourier_shape(c, rank);
  if (f) {
    for (size_t i = 0; i < f->axes.size(); ++i) {
      Dim& d = out[f->axes[i]];
      d = change(f->sizes[i], d, i + 1 == f->axes.size());
    }
    return;
  }
  for (size_t i = 0; i < rank; ++i)
    out[i] = c.has(2) ? any_dim : unite(out[i], change(std::nullopt, out[i], true));
}

}  // namespace real_fourier

struct Rdft {
  static constexpr std::string_view type = "RDFT", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("data, axes, [signal_size]: complex numbers [...,2]")
        .input("data", Role::fixed, float_types)
        .input("axes", Role::any)
        .optional_input("signal_size", Role::any)
        .takes_sizes()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_fourier_types(n); }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    require_rank(out, "the data", 1, std::numeric_limits<int64_t>::max());
    vector_length(c, 1, "axes");
    if (!out.has_rank()) return c.output(0, c.type(0), out);
    real_fourier::change_axes(c, out, out.size(),
                              [](const std::optional<Interval>& size, const Dim& d, bool last) {
                                const Dim full = sized(size, d);
                                return last ? real_fourier::half(full) : full;
                              });
    out.push_back(2);
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    require(data.rank() >= 1, "the data has shape ", data.shape(), "; expected rank 1 or more");
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      Spectrum s{data.dims(), {}};
      const FourierSizes f = fourier_sizes(c, s.dims);
      check_spectrum(s.dims, data.size());
      const Numbers<E> x(data);
      for (size_t i = 0; i < x.size(); ++i) s.values.push_back({static_cast<double>(x[i]), 0});
      // The last axis first: half of it is all that the others need.
      for (size_t i = f.axes.size(); i-- > 0;) {
        if (f.sizes[i] != -1) s = resized(s, f.axes[i], f.sizes[i]);
        transform(s, f.axes[i], false);
        if (i + 1 == f.axes.size()) s = resized(s, f.axes[i], s.dims[f.axes[i]] / 2 + 1);
      }
      s.dims.push_back(2);
      Results<E> out(c, s.dims, data.bytes());
      for (size_t i = 0; i < s.values.size(); ++i) {
        out[2 * i] = static_cast<typename E::computed>(s.values[i].re);
        out[2 * i + 1] = static_cast<typename E::computed>(s.values[i].im);
      }
      c.output(0, out.tensor());
    });
  }
};

struct Irdft {
  static constexpr std::string_view type = "IRDFT", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("data [...,2], axes, [signal_size]: real numbers")
        .input("data", Role::fixed, float_types)
        .input("axes", Role::any)
        .optional_input("signal_size", Role::any)
        .takes_sizes()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_fourier_types(n); }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
    vector_length(c, 1, "axes");
    if (!out.has_rank()) return c.output(0, c.type(0), out);
    same_dim(out.back(), 2, "last dimension of the data, real and imaginary part");
    out.resize(out.size() - 1);
    real_fourier::change_axes(c, out, out.size(),
                              [](const std::optional<Interval>& size, const Dim& d, bool last) {
                                if (!last) return sized(size, d);
                                if (size && size->lo > -1) return sized(size, d);
                                return sized(size, real_fourier::doubled(d));
                              });
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    require(data.rank() >= 2 && data.dims().back() == 2, "the data has shape ", data.shape(),
            "; expected a last dimension of 2");
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      Spectrum s;
      s.dims = data.dims();
      s.dims.pop_back();
      const FourierSizes f = fourier_sizes(c, s.dims);
      require(!f.axes.empty(), "axes is empty; expected at least one axis");
      check_spectrum(s.dims, data.size());
      const Numbers<E> x(data);
      s.values.resize(data.size() / 2);
      for (size_t i = 0; i < s.values.size(); ++i)
        s.values[i] = {static_cast<double>(x[2 * i]), static_cast<double>(x[2 * i + 1])};
      for (size_t i = 0; i + 1 < f.axes.size(); ++i) {
        if (f.sizes[i] != -1) s = resized(s, f.axes[i], f.sizes[i]);
        transform(s, f.axes[i], true);
      }
      const size_t axis = f.axes.back();
      require(s.dims[axis] > 0, "the last axis has size 0; expected 1 or more");
      const int64_t size = f.sizes.back() != -1 ? f.sizes.back() : 2 * (s.dims[axis] - 1);
      s = mirrored(resized(s, axis, size / 2 + 1), axis, size);
      transform(s, axis, true);
      Results<E> out(c, s.dims, data.bytes());
      for (size_t i = 0; i < s.values.size(); ++i) out[i] = static_cast<typename E::computed>(s.values[i].re);
      c.output(0, out.tensor());
    });
  }

 private:
  // The other half of a line: the conjugates in reverse.
  static Spectrum mirrored(const Spectrum& s, size_t axis, int64_t size) {
    Spectrum full = resized(s, axis, size);
    int64_t inner = 1;
    for (size_t i = axis + 1; i < s.dims.size(); ++i) inner *= s.dims[i];
    const auto n = static_cast<int64_t>(full.values.size());
    for (int64_t i = 0; i < n; ++i) {
      const int64_t k = i / inner % size, other = size - k;
      if (k <= size / 2) continue;
      const Complex v = full.values[static_cast<size_t>(i + (other - k) * inner)];
      full.values[static_cast<size_t>(i)] = {v.re, -v.im};
    }
    return full;
  }
};

void register_real_dft(Registry& r) {
  r.operation<Rdft>();
  r.operation<Irdft>();
}

}  // namespace mo::opset
