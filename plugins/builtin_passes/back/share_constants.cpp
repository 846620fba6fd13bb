// Constants that are equal are one:
//   f(x, {0, 1}), g(y, {0, 1})  ->  f(x, c), g(y, c)
// What is equal may stand anywhere in the graph: no pattern joins the two.
#include "support/equal_constants.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class ShareConstants : public ModelPass {
 public:
  ShareConstants() : ModelPass(MO_PHASE_EMIT) {
    id = "back.share_constants";
    doc = "constants that are equal are one";
    before = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %b = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %a)
      Result (%y))";
    run_after = {"back.convert_float_types"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    std::vector<std::pair<uint64_t, OutPort>> constants;
    for (const Node& n : g.get_op_nodes("Const")) {
      const OutPort port(n.context(), n.id(), 0);
      if (const auto value = port.value(); value && value->type() != ElementType::string)
        constants.emplace_back(sketch_of(g.context(), *value), port);
    }
    std::stable_sort(constants.begin(), constants.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0, end = 0; i < constants.size(); i = end) {
      for (end = i + 1; end < constants.size() && constants[end].first == constants[i].first;) ++end;
      if (end - i > 1) share(constants, i, end);
    }
  }

 private:
  // Those that look alike; each is compared with the first few of them.
  static void share(const std::vector<std::pair<uint64_t, OutPort>>& constants, size_t begin, size_t end) {
    constexpr size_t most_alike = 8;
    std::vector<OutPort> different;
    for (size_t i = begin; i < end; ++i) {
      const OutPort& port = constants[i].second;
      if (has_result_consumers(port)) {
        pass_over(port.node(), "another constant looks like it, and the model gives this one by its name");
        continue;
      }
      const auto same = std::find_if(different.begin(), different.end(), [&](const OutPort& p) {
        return equal_constants(p.context(), *p.value(), *port.value());
      });
      if (same != different.end())
        for (const InPort& reader : port.get_destinations()) reader.set_source(*same);
      else if (different.size() < most_alike)
        different.push_back(port);
    }
  }
};

void register_share_constants(Registry& r) { r.transformation<ShareConstants>(); }

}  // namespace mo::builtin_passes
