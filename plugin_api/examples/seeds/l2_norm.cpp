// x * max(sum(x^2), eps)^-0.5  ->  NormalizeL2(x): extensions/middle/L2NormFusing.py, a pattern of the middle
// phase, which names the tensors between operations, too, and asks for their values.
#include "seeds.hpp"

namespace seeds {

namespace {

mo::Pattern data_of(double number) {
  return mo::data_node()->where([number](const mo::OutPort& port) {
    const auto value = port.value();
    if (!value || value->size() == 0) return false;
    for (size_t i = 0; i < value->size(); ++i)
      if (value->number(i) != number) return false;
    return true;
  });
}

struct L2NormToNorm : mo::MiddleReplacementPattern {
  L2NormToNorm() {
    id = "seeds.middle.l2_norm";
    doc = "x / sqrt(max(sum(x^2), eps)) becomes NormalizeL2";
    before = "y = Multiply(x, Power(Maximum(ReduceSum(Power(x, 2), axes), eps), -0.5))";
    after = "y = NormalizeL2(x, axes) {eps, eps_mode=max}";
    force_clean_up = true;
  }

  mo::SubgraphPattern pattern() override {
    using mo::edge;
    return {{{"input", mo::data_node()},
             {"two", data_of(2)},
             {"square", mo::wrap_type({"Power"})},
             {"square_data", mo::data_node()},
             {"sum", mo::wrap_type({"ReduceSum"})},
             {"sum_data", mo::data_node()},
             {"maximum", mo::wrap_type({"Maximum"})},
             {"maximum_data", mo::data_node()},
             {"minus_half", data_of(-0.5)},
             {"rsqrt", mo::wrap_type({"Power"})},
             {"rsqrt_data", mo::data_node()},
             {"l2_normalize", mo::wrap_type({"Multiply"})}},
            {edge("input", "square").in(0), edge("two", "square").in(1), edge("square", "square_data"),
             edge("square_data", "sum").in(0), edge("sum", "sum_data"), edge("sum_data", "maximum"),
             edge("maximum", "maximum_data"), edge("maximum_data", "rsqrt").in(0),
             edge("minus_half", "rsqrt").in(1), edge("rsqrt", "rsqrt_data"),
             edge("rsqrt_data", "l2_normalize"), edge("input", "l2_normalize")}};
  }

  void replace_pattern(mo::Graph graph, mo::Match& match) override {
    const mo::Node maximum = match["maximum"], sum = match["sum"], out = match["l2_normalize"];
    auto eps = maximum.in_port(1).value();
    if (!eps) eps = maximum.in_port(0).value();
    mo::only_when(eps && eps->size() == 1, "the epsilon is not one number");
    mo::only_when(sum.attr<bool>("keep_dims", false), "the sum drops dimensions");

    const mo::Node norm = graph.create_node("NormalizeL2", "opset1", out.name() + "/NormalizeL2",
                                            {match.port("input"), sum.in_port(1).get_source()});
    norm.set("eps", eps->number(0)).set("eps_mode", "max");
    mo::copy_runtime_info(match.nodes(), {norm});
    mo::replace_node(out, norm);
  }
};

}  // namespace

void register_l2_norm(mo::Registry& registry) { registry.transformation<L2NormToNorm>(); }

}  // namespace seeds
