// MVN: mean-variance normalization. MVN-6 has its axes as an input, the one before by across_channels.
#include "support/reduction.hpp"

namespace mo::opset {

namespace mean_variance {
static void evaluate(const EvalContext& c, const std::vector<size_t>& axes, bool inside_root) {
  const Tensor in = c.input(0);
  const ReductionPlan plan = reduction_plan(in.dims(), axes, true);
  const bool scale = c.attr<bool>("normalize_variance");
  const auto eps = c.attr<double>("eps");
  const auto n = static_cast<double>(plan.reduced.size());
  const auto out = Tensor::create_bytes(c.context(), in.type(), in.dims());
  for_float(in.type(), [&](auto e) {
    using E = decltype(e);
    for (const int64_t k : plan.kept) {
      const auto at = [&](int64_t r) {
        return static_cast<double>(E::get(in.data(), static_cast<size_t>(k + r)));
      };
      double mean = 0, variance = 0;
      for (const int64_t r : plan.reduced) mean += at(r);
      mean /= n;
      for (const int64_t r : plan.reduced) variance += (at(r) - mean) * (at(r) - mean);
      variance /= n;
      const double by = !scale ? 1 : inside_root ? std::sqrt(variance + eps) : std::sqrt(variance) + eps;
      for (const int64_t r : plan.reduced)
        E::put(out.second, static_cast<size_t>(k + r),
               static_cast<typename E::computed>((at(r) - mean) / by));
    }
  });
  c.output(0, out.first);
}
}  // namespace mean_variance

struct Mvn2 {
  static constexpr std::string_view type = "MVN", opset = "opset2";
  static void schema(OpSchema& s) {
    s.doc("(x - mean) / sqrt(variance + eps) for each sample or channel")
        .input("data", Role::fixed, float_types)
        .keeps_shape()
        .outputs(1);
    s.attr<bool>("across_channels", false).attr<bool>("normalize_variance", false).attr<double>("eps");
  }
  static void infer(InferContext& c) {
    require_rank(c.shape(0), "the data", 3, std::numeric_limits<int64_t>::max());
    c.output(0, c.type(0), c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    std::vector<size_t> axes;
    for (size_t i = c.attr<bool>("across_channels") ? 1 : 2; i < c.input(0).rank(); ++i) axes.push_back(i);
    mean_variance::evaluate(c, axes, true);
  }
};

struct Mvn6 {
  static constexpr std::string_view type = "MVN", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("(x - mean) / sqrt(variance + eps) over axes")
        .input("data", Role::fixed, float_types)
        .input("axes", Role::any)
        .keeps_shape()
        .outputs(1);
    s.attr<bool>("normalize_variance").attr<double>("eps");
    // Writers differ in case.
    s.attr<std::string>("eps_mode").one_of({"inside_sqrt", "outside_sqrt", "INSIDE_SQRT", "OUTSIDE_SQRT"});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    if (in.has_rank()) axes_input(c, 1, in.size());
    c.output(0, c.type(0), in);
  }
  static void evaluate(EvalContext& c) {
    const auto mode = c.attr<std::string>("eps_mode");
    mean_variance::evaluate(c, unique_axes(c.input(1).to_ints(), c.input(0).rank(), "axes"),
                            mode == "inside_sqrt" || mode == "INSIDE_SQRT");
  }
};

void register_mvn(Registry& r) {
  r.operation<Mvn2>();
  r.operation<Mvn6>();
}

}  // namespace mo::opset
