// What one Concat joins is not joined again by another one, with --enable_concat_optimization:
//   Concat(a, b), Concat(a, b, c)  ->  Concat(a, b), Concat(Concat(a, b), c)
// Each is compared with all the others, which need not be near one another in the graph: no pattern says that.
#include "support/eliminate.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class NestConcats : public ModelPass {
 public:
  NestConcats() : ModelPass(MO_PHASE_BACK) {
    id = "back.nest_concats";
    doc = "inputs that another Concat joins are taken from it, with --enable_concat_optimization";
    before = R"(
      %a = Parameter -> f32[1,2,4]
      %b = ReLU@opset1 (%a)
      %x = Concat@opset1 (%a, %b) {axis=1}
      %c = ReLU@opset1 (%x)
      %y = Concat@opset1 (%a, %b, %c) {axis=1}
      Result (%y))";
    after = R"(
      %a = Parameter -> f32[1,2,4]
      %b = ReLU@opset1 (%a)
      %x = Concat@opset1 (%a, %b) {axis=1}
      %c = ReLU@opset1 (%x)
      %y = Concat@opset1 (%x, %c) {axis=1}
      Result (%y))";
    run_after = {"back.simplify_again"};
  }
  bool graph_condition(Graph g) override {
    return option<bool>(g.context(), "enable_concat_optimization").value_or(false);
  }
  void run_on_model(Graph g) override {
    std::vector<Joined> all;
    for (const Node& n : g.get_op_nodes("opset1::Concat"))
      if (auto joined = joined_by(n)) all.push_back(std::move(*joined));
    // The longest first; lists of small numbers, like shapes, are not worth it.
    std::stable_sort(all.begin(), all.end(),
                     [](const Joined& l, const Joined& r) { return l.parts.size() > r.parts.size(); });
    for (const Joined& outer : all) nest(outer, all);
  }

 private:
  struct Joined {
    Node node;
    size_t axis = 0;
    std::vector<OutPort> parts;
  };

  static std::optional<Joined> joined_by(const Node& n) {
    const Shape s = n.out_port().shape();
    if (!s.has_rank() || s.size() < 2) return std::nullopt;
    Joined joined{n, normalize_axis(n.attr<int64_t>("axis"), s.size()), {}};
    for (const InPort& in : n.in_ports()) joined.parts.push_back(in.get_source());
    return joined;
  }

  static void nest(const Joined& outer, const std::vector<Joined>& all) {
    std::vector<OutPort> parts = outer.parts;
    for (const Joined& inner : all) {
      if (inner.parts.size() < 2 || inner.parts.size() >= outer.parts.size()) continue;
      const auto at = std::search(parts.begin(), parts.end(), inner.parts.begin(), inner.parts.end());
      if (at == parts.end()) continue;
      if (inner.axis != outer.axis) {
        pass_over(outer.node, "'", inner.node.name(), "' joins ", inner.parts.size(),
                  " of its inputs along axis ", inner.axis, ", it joins them along ", outer.axis);
        continue;
      }
      const auto behind = parts.erase(at, at + static_cast<std::ptrdiff_t>(inner.parts.size()));
      parts.insert(behind, inner.node.out_port());
    }
    const Node& n = outer.node;
    if (parts.size() == n.in_count()) return;
    while (n.in_count() > parts.size()) n.delete_input_port(n.in_count() - 1);
    for (size_t i = 0; i < parts.size(); ++i) n.in_port(i).set_source(parts[i]);
  }
};

void register_nest_concats(Registry& r) {
  r.option("enable_concat_optimization", MO_OPTION_FLAG,
           "a Concat takes what another one joins from there, instead of joining it again");
  r.transformation<NestConcats>();
}

}  // namespace mo::builtin_passes
