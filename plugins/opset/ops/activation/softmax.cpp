// SoftMax and LogSoftmax along an axis. SoftMax-1 does not take a negative axis.
#include "support/movement.hpp"

namespace mo::opset {

namespace soft_maximum {

static void infer(const InferContext& c) {
  const Shape in = c.shape(0);
  if (in.has_rank()) normalize_axis(c.attr<int64_t>("axis"), in.size(), "attribute 'axis'");
  c.output(0, c.type(0), in);
}

static void evaluate(const EvalContext& c, bool logarithm) {
  const Tensor in = c.input(0);
  const Dims dims = in.dims();
  const size_t axis = normalize_axis(c.attr<int64_t>("axis"), dims.size(), "attribute 'axis'");
  const auto out = Tensor::create_bytes(c.context(), in.type(), dims);
  const auto n = static_cast<size_t>(dims[axis]), inner = static_cast<size_t>(dense_strides(dims)[axis]);
  for_float(in.type(), [&](auto e) {
    using E = decltype(e);
    using R = std::conditional_t<std::is_same_v<typename E::computed, double>, long double,
                                 double>;  // see unary.hpp
    std::vector<R> row(n);
    for (size_t start = 0; start < in.size(); start += n * inner)
      for (size_t k = start; k < start + inner; ++k) {
        R most = -std::numeric_limits<R>::infinity(), sum = 0;
        for (size_t i = 0; i < n; ++i)
          most = std::max(most, row[i] = static_cast<R>(E::get(in.data(), k + i * inner)));
        for (size_t i = 0; i < n; ++i) sum += std::exp(row[i] -= most);
        const R log_sum = std::log(sum);
        for (size_t i = 0; i < n; ++i)
          E::put(out.second, k + i * inner,
                 static_cast<typename E::computed>(logarithm ? row[i] - log_sum : std::exp(row[i]) / sum));
      }
  });
  c.output(0, out.first);
}

}  // namespace soft_maximum

struct SoftMax8 {
  static constexpr std::string_view type = "SoftMax", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("exp(x) / sum(exp(x)) along an axis")
        .input("data", Role::data, float_types)
        .keeps_shape()
        .outputs(1)
        .attr<int64_t>("axis", 1)
        .role(Role::axes);
  }
  static void infer(InferContext& c) { soft_maximum::infer(c); }
  static void evaluate(EvalContext& c) { soft_maximum::evaluate(c, false); }
};

struct SoftMax1 : SoftMax8 {
  static constexpr std::string_view opset = "opset1";
  static void infer(InferContext& c) {
    int_attr(c, "axis", 0);
    soft_maximum::infer(c);
  }
};

struct LogSoftmax {
  static constexpr std::string_view type = "LogSoftmax", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("x - log(sum(exp(x))) along an axis")
        .input("data", Role::data, float_types)
        .keeps_shape()
        .outputs(1)
        .attr<int64_t>("axis", 1)
        .role(Role::axes);
  }
  static void infer(InferContext& c) { soft_maximum::infer(c); }
  static void evaluate(EvalContext& c) { soft_maximum::evaluate(c, true); }
};

void register_softmax(Registry& r) {
  r.operation<SoftMax1>();
  r.operation<SoftMax8>();
  r.operation<LogSoftmax>();
}

}  // namespace mo::opset
