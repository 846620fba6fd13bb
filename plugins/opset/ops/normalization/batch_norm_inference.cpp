// BatchNormInference: data, gamma, beta, mean, variance; the last four have one number for each channel. In
// opset1 the data is the third.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct BatchNormInference5 {
  static constexpr std::string_view type = "BatchNormInference", opset = "opset5";
  static void schema(OpSchema& s) {
    s.inputs({"data", "gamma", "beta", "mean", "variance"}, Role::fixed).keeps_shape();
    describe(s);
  }
  static void infer(InferContext& c) { infer_from(c, 0); }
  static void evaluate(EvalContext& c) { evaluate_from(c, 0); }

 protected:
  static void describe(OpSchema& s) {
    s.doc("(data - mean) / sqrt(variance + epsilon) * gamma + beta").attr<double>("epsilon");
  }
  // `data`: 0, or 2 where gamma and beta come first.
  static void infer_from(const InferContext& c, size_t data) {
    require_float(c, data);
    const auto epsilon = c.attr<double>("epsilon");
    require(epsilon >= 0, "attribute 'epsilon' is ", epsilon, "; expected 0 or more");
    Shape out = c.shape(data);
    require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
    for (size_t i = 0; i < 5; ++i) {
      if (i == data) continue;
      const Shape s = c.shape(i);
      require_rank(s, text("input ", i), 1);
      if (s.has_rank() && out.has_rank())
        out[1] = same_dim(out[1], s[0], text("channels of the data and of input ", i));
    }
    c.output(0, common_type(c, {0, 1, 2, 3, 4}), out);
  }
  static void evaluate_from(const EvalContext& c, size_t data) {
    const Tensor x = c.input(data), gamma = c.input(data == 0 ? 1 : 0), beta = c.input(data == 0 ? 2 : 1);
    const Tensor mean = c.input(3), variance = c.input(4);
    require(x.rank() >= 2, "the data has shape ", x.shape(), "; expected rank 2 or more");
    const auto channels = static_cast<size_t>(x.dim(1));
    for (const Tensor& t : {gamma, beta, mean, variance})
      require(t.size() == channels, "an input has shape ", t.shape(), " for ", channels, " channels");
    const auto epsilon = c.attr<double>("epsilon");
    const auto out = Tensor::create_bytes(c.context(), x.type(), x.dims());
    const size_t n = x.size(), inner = n == 0 ? 1 : n / (static_cast<size_t>(x.dim(0)) * channels);
    for_float(x.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t start = 0; start < n; start += inner) {
        const size_t k = start / inner % channels;
        const double scale = gamma.number(k) / std::sqrt(variance.number(k) + epsilon);
        const double shift = mean.number(k), add = beta.number(k);
        for (size_t i = start; i < start + inner; ++i) {
          const double y = (static_cast<double>(E::get(x.data(), i)) - shift) * scale + add;
          E::put(out.second, i, static_cast<typename E::computed>(y));
        }
      }
    });
    c.output(0, out.first);
  }
};

struct BatchNormInference1 : BatchNormInference5 {
  static constexpr std::string_view opset = "opset1";
  // So the runtime reads them, and refuses the order of the specification.
  static void schema(OpSchema& s) {
    s.inputs({"gamma", "beta", "data", "mean", "variance"}, Role::fixed);
    describe(s);
  }
  static void symbols(SymbolsContext& c) { c.output(0, c.dims(2)); }
  static void infer(InferContext& c) { infer_from(c, 2); }
  static void evaluate(EvalContext& c) { evaluate_from(c, 2); }
};

void register_batch_norm_inference(Registry& r) {
  r.operation<BatchNormInference1>();
  r.operation<BatchNormInference5>();
}

}  // namespace mo::opset
