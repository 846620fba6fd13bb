// LRN: local response normalization over windows along the axes.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

struct Lrn {
  static constexpr std::string_view type = "LRN", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, axes: x / (bias + alpha / size^axes * sum(x^2 in the window))^beta")
        .input("data", Role::data, float_types)
        .input("axes", Role::axes)
        .keeps_shape()
        .outputs(1);
    s.attr<double>("alpha").attr<double>("beta").attr<double>("bias").attr<int64_t>("size");
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"axes are a list that counts from the start", "", "ngraph/core/src/op/lrn.cpp:37",
                      [](const Node& l) { return from_start<1>(l) && is_list<1>(l); }},
                     {"its bias is an integer, which devices take it for", "",
                      "src/plugins/intel_cpu/src/nodes/lrn.h of 2026", [](const Node& l) {
                        const double bias = l.attr<double>("bias");
                        return bias == std::floor(bias);
                      }}});
  }
  static void infer(InferContext& c) {
    int_attr(c, "size", 1);
    const Shape in = c.shape(0);
    if (in.has_rank()) axes_input(c, 1, in.size());
    c.output(0, c.type(0), in);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Dims dims = in.dims(), strides = dense_strides(dims);
    const auto axes = unique_axes(c.input(1).to_ints(), in.rank(), "axes");
    const int64_t size = int_attr(c, "size", 1);
    const auto alpha = c.attr<double>("alpha"), beta = c.attr<double>("beta"), bias = c.attr<double>("bias");
    const double scale = alpha / std::pow(static_cast<double>(size), static_cast<double>(axes.size()));
    for (const size_t axis : axes)
      spend(c.context(), static_cast<double>(in.size()) * static_cast<double>(std::min(dims[axis], size)));
    const auto out = Tensor::create_bytes(c.context(), in.type(), dims);
    for_float(in.type(), [&](auto e) {
      using E = decltype(e);
      std::vector<double> sums(in.size());
      for (size_t i = 0; i < sums.size(); ++i) {
        const auto x = static_cast<double>(E::get(in.data(), i));
        sums[i] = x * x;
      }
      for (const size_t axis : axes) sum_windows(sums, dims[axis], strides[axis], size);
      for (size_t i = 0; i < sums.size(); ++i) {
        const double y = static_cast<double>(E::get(in.data(), i)) / std::pow(bias + scale * sums[i], beta);
        E::put(out.second, i, static_cast<typename E::computed>(y));
      }
    });
    c.output(0, out.first);
  }

 private:
  // Each element becomes the sum of those around it along one axis. As in the runtime as many count on both
  // sides: of an even size one less than the size.
  static void sum_windows(std::vector<double>& v, int64_t length, int64_t stride, int64_t size) {
    const int64_t reach = std::min(length, (size - 1) / 2);
    std::vector<double> line(static_cast<size_t>(length));
    for (size_t first = 0; first < v.size(); ++first) {
      if (static_cast<int64_t>(first) / stride % length != 0) continue;
      const auto at = [&](int64_t i) -> double& { return v[first + static_cast<size_t>(i * stride)]; };
      for (int64_t i = 0; i < length; ++i) line[static_cast<size_t>(i)] = at(i);
      for (int64_t i = 0; i < length; ++i) {
        double sum = 0;
        for (int64_t k = std::max<int64_t>(0, i - reach); k <= std::min(length - 1, i + reach); ++k)
          sum += line[static_cast<size_t>(k)];
        at(i) = sum;
      }
    }
  }
};

void register_lrn(Registry& r) { r.operation<Lrn>(); }

}  // namespace mo::opset
