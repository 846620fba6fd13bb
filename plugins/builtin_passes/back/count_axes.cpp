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
    {"NormalizeL2", 1, "2023.3"}, {"LRN", 1, ""}, {"Interpolate", 3, ""}, {"Reverse", 1, "2022.3"},
    {"Transpose", 1, "2022.3"},
};

}  // namespace

class CountAxes : public MatcherPass {
 public:
  CountAxes() : MatcherPass(MO_PHASE_BACK) {
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
    std::vector<std::string> types;
    for (const CountedInput& c : counted_inputs) types.emplace_back(c.op);
    register_matcher(wrap_type(types)->where(counts_from_the_end),
                     [](const Graph& g, const Match& m) { count_input(g, m.root()); });
  }

 private:
  static const CountedInput& axes_of(const Node& n) {
    return *std::find_if(std::begin(counted_inputs), std::end(counted_inputs),
                         [&](const CountedInput& c) { return n.is(c.op); });
  }

  // Interpolate-11 has sizes or scales, not both.
  static size_t axes_input(const Node& n, const CountedInput& c) {
    return n.is("opset11::Interpolate") ? 2 : c.input;
  }

  static bool counts_from_the_end(const OutPort& p) {
    const Node n = p.node();
    const CountedInput& c = axes_of(n);
    const size_t input = axes_input(n, c);
    if (!n.is_in_port_connected(input)) return false;
    if (n.is("Reverse") && n.attr<std::string>("mode") != "index") return false;
    const auto value = n.in_port(input).value();
    if (!value || !is_integer(value->type())) return false;
    const auto list = value->to_ints();
    return std::any_of(list.begin(), list.end(), [](int64_t a) { return a < 0; });
  }

  static void count_input(const Graph& g, const Node& n) {
    const CountedInput& c = axes_of(n);
    only_when(c.last.empty() || targets_up_to(g.context(), c.last), "the release reads axes of ", c.op,
              " that count from the end");
    const Shape s = n.in_port(0).shape();
    only_when(s.has_rank(), "its axes count from the end of a shape whose rank is not known");
    const size_t input = axes_input(n, c);
    const auto value = n.in_port(input).value();
    std::vector<double> counted;
    for (const int64_t a : value->to_ints())
      counted.push_back(static_cast<double>(normalize_axis(a, s.size())));
    const Tensor t = Tensor::filled(g.context(), value->type(), counted, value->dims());
    n.in_port(input).set_source(g.create_const(n.name() + "/axes", t).out_port());
  }
};

void register_count_axes(Registry& r) { r.transformation<CountAxes>(); }

}  // namespace mo::builtin_passes
