// Axes that are counted from the end are counted from the start where a release reads them as numbers without
// a sign:
//   NormalizeL2(x[2,3,4], -1)  ->  NormalizeL2(x[2,3,4], 2)
#include "support/target.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

struct CountedInput {
  std::string_view op;
  size_t input;
  std::string_view last;  // the last release that needs it; "" = all do
};

// See tests/plugins/opset/limits.tsv for where each was read.
constexpr CountedInput counted_inputs[] = {
    {"NormalizeL2", 1, "2023.3"}, {"LRN", 1, ""}, {"Interpolate", 3, "2022.3"}, {"Reverse", 1, "2022.3"},
    {"Transpose", 1, "2022.3"},
};

}  // namespace

class CountAxes : public ModelPass {
 public:
  CountAxes() : ModelPass(MO_PHASE_BACK) {
    id = "back.count_axes";
    doc = "axes that are counted from the end are counted from the start";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %axes = Const -> i64[1] {-1}
      %y = NormalizeL2@opset1 (%x, %axes) {eps=0.001, eps_mode="add"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %axes = Const -> i64[1] {2}
      %y = NormalizeL2@opset1 (%x, %axes) {eps=0.001, eps_mode="add"}
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const CountedInput& c : counted_inputs)
      if (c.last.empty() || targets_up_to(g.context(), c.last))
        for (const Node& n : g.get_op_nodes(c.op)) count_input(g, n, c.input);
  }

 private:
  static void count_input(const Graph& g, const Node& n, size_t input) {
    if (!n.is_in_port_connected(input)) return;
    if (n.op() == "Reverse" && n.attr<std::string>("mode") != "index") return;
    const Shape s = n.in_port(0).shape();
    const auto value = n.in_port(input).value();
    if (!value || !is_integer(value->type()) || !s.has_rank()) return;
    auto list = value->to_ints();
    if (std::none_of(list.begin(), list.end(), [](int64_t a) { return a < 0; })) return;
    std::vector<double> counted;
    for (const int64_t a : list) counted.push_back(static_cast<double>(normalize_axis(a, s.size())));
    const Tensor t = Tensor::filled(g.context(), value->type(), counted, value->dims());
    n.in_port(input).set_source(g.create_const(n.name() + "/axes", t).out_port());
  }
};

void register_count_axes(Registry& r) { r.transformation<CountAxes>(); }

}  // namespace mo::builtin_passes
