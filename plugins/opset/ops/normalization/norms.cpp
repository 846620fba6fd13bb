// NormalizeL2 over axes, and GRN, which is the same over channels with a bias.
#include "support/limits.hpp"
#include "support/reduction.hpp"

namespace mo::opset {

namespace norms {
// x / root(sum of squares over axes)
template <class Root>
void evaluate(const EvalContext& c, const std::vector<size_t>& axes, Root root) {
  const Tensor in = c.input(0);
  const ReductionPlan plan = reduction_plan(in.dims(), axes, true);
  const auto out = Tensor::create_bytes(c.context(), in.type(), in.dims());
  for_float(in.type(), [&](auto e) {
    using E = decltype(e);
    for (const int64_t k : plan.kept) {
      const auto at = [&](int64_t r) {
        return static_cast<double>(E::get(in.data(), static_cast<size_t>(k + r)));
      };
      double sum = 0;
      for (const int64_t r : plan.reduced) sum += at(r) * at(r);
      const double by = root(sum);
      for (const int64_t r : plan.reduced)
        E::put(out.second, static_cast<size_t>(k + r), static_cast<typename E::computed>(at(r) / by));
    }
  });
  c.output(0, out.first);
}
}  // namespace norms

struct NormalizeL2 {
  static constexpr std::string_view type = "NormalizeL2", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, axes: x / sqrt(sum(x^2) + eps), or of the greater of both")
        .input("data", Role::data, float_types)
        .input("axes", Role::axes)
        .keeps_shape()
        .outputs(1);
    s.attr<double>("eps").attr<std::string>("eps_mode").one_of({"add", "max"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"axes count from the start", "2023.3", "ngraph/core/src/op/normalize_l2.cpp:90",
                      from_start<1>}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    if (in.has_rank()) axes_input(c, 1, in.size());
    c.output(0, c.type(0), in);
  }
  static void evaluate(EvalContext& c) {
    const auto eps = c.attr<double>("eps");
    const bool add = c.attr<std::string>("eps_mode") == "add";
    norms::evaluate(c, unique_axes(c.input(1).to_ints(), c.input(0).rank(), "axes"),
                    [=](double sum) { return std::sqrt(add ? sum + eps : std::max(sum, eps)); });
  }
};

struct Grn {
  static constexpr std::string_view type = "GRN", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("x / sqrt(sum of x^2 over channels + bias)")
        .input("data", Role::fixed, float_types)
        .keeps_shape()
        .outputs(1)
        .attr<double>("bias");
  }
  static void infer(InferContext& c) {
    require_rank(c.shape(0), "the data", 2, 4);
    c.output(0, c.type(0), c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    const auto bias = c.attr<double>("bias");
    norms::evaluate(c, {1}, [=](double sum) { return std::sqrt(sum + bias); });
  }
};

void register_norms(Registry& r) {
  r.operation<NormalizeL2>();
  r.operation<Grn>();
}

}  // namespace mo::opset
