// DFT and IDFT: [..., 2] to [..., 2], real and imaginary parts, over axes.
#include "support/fourier.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace fourier {

static void infer(const InferContext& c) {
  require_float(c, 0);
  Shape out = c.shape(0);
  require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
  if (!out.has_rank()) {
    vector_length(c, 1, "axes");
    return c.output(0, c.type(0), out);
  }
  out.back() = same_dim(out.back(), 2, "last dimension of the data, real and imaginary part");
  const size_t rank = out.size() - 1;
  if (const auto f = fourier_shape(c, rank)) {
    for (size_t i = 0; i < f->axes.size(); ++i) out[f->axes[i]] = sized(f->sizes[i], out[f->axes[i]]);
  } else if (c.has(2)) {
    for (size_t i = 0; i < rank; ++i) out[i] = any_dim;
  }
  c.output(0, c.type(0), out);
}

static void evaluate(const EvalContext& c, bool inverse) {
  const Tensor data = c.input(0);
  require(data.rank() >= 2 && data.dims().back() == 2, "the data has shape ", data.shape(),
          "; expected a last dimension of 2");
  for_float(data.type(), [&](auto e) {
    using E = decltype(e);
    Spectrum s;
    s.dims = data.dims();
    s.dims.pop_back();
    const FourierSizes f = fourier_sizes(c, s.dims);
    check_spectrum(s.dims, data.size());
    const Numbers<E> x(data);
    s.values.resize(data.size() / 2);
    for (size_t i = 0; i < s.values.size(); ++i)
      s.values[i] = {static_cast<double>(x[2 * i]), static_cast<double>(x[2 * i + 1])};
    for (size_t i = 0; i < f.axes.size(); ++i) {
      if (f.sizes[i] != -1) s = resized(s, f.axes[i], f.sizes[i]);
      transform(s, f.axes[i], inverse);
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

}  // namespace fourier

struct Dft {
  static constexpr std::string_view type = "DFT", opset = "opset7";
  static void schema(OpSchema& s) {
    s.doc("data [...,2], axes, [signal_size]")
        .input("data", Role::fixed)
        .input("axes", Role::any)
        .optional_input("signal_size", Role::any)
        .takes_sizes()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_fourier_types(n); }
  static void infer(InferContext& c) { fourier::infer(c); }
  static void evaluate(EvalContext& c) { fourier::evaluate(c, false); }
};

struct Idft {
  static constexpr std::string_view type = "IDFT", opset = "opset7";
  static void schema(OpSchema& s) {
    s.doc("data [...,2], axes, [signal_size]")
        .input("data", Role::fixed)
        .input("axes", Role::any)
        .optional_input("signal_size", Role::any)
        .takes_sizes()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_fourier_types(n); }
  static void infer(InferContext& c) { fourier::infer(c); }
  static void evaluate(EvalContext& c) { fourier::evaluate(c, true); }
};

void register_dft(Registry& r) {
  r.operation<Dft>();
  r.operation<Idft>();
}

}  // namespace mo::opset
