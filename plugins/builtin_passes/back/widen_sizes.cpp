// Sizes that releases read as 64-bit integers, whatever their type, become such:
//   Tile(x, i32)  ->  Tile(x, Convert(i32))
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

namespace {

struct WideInput {
  std::string_view op;
  size_t input;
  std::string_view last;  // the last release that needs it; "" = all do
};

// See tests/plugins/opset/limits.tsv for where each was read.
constexpr WideInput wide_inputs[] = {
    {"Interpolate", 1, "2023.3"}, {"Interpolate", 3, "2023.3"}, {"Tile", 1, "2025.4"},
    {"BatchToSpace", 1, ""},      {"BatchToSpace", 2, ""},      {"BatchToSpace", 3, ""},
    {"SpaceToBatch", 1, ""},      {"SpaceToBatch", 2, ""},      {"SpaceToBatch", 3, ""},
};

}  // namespace

class WidenSizes : public ModelPass {
 public:
  WidenSizes() : ModelPass(MO_PHASE_BACK) {
    id = "back.widen_sizes";
    doc = "sizes that releases read as 64-bit integers, whatever their type, become such";
    before = R"(
      %x = Parameter -> f32[4,2,3]
      %b = Const -> i32[3] {1,2,1}
      %c = Const -> i32[3] {0,0,0}
      %d = Const -> i32[3] {0,0,1}
      %y = BatchToSpace@opset2 (%x, %b, %c, %d)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[4,2,3]
      %b = Const -> i64[3] {1,2,1}
      %c = Const -> i64[3] {0,0,0}
      %d = Const -> i64[3] {0,0,1}
      %y = BatchToSpace@opset2 (%x, %b, %c, %d)
      Result (%y))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const WideInput& w : wide_inputs) {
      if (!w.last.empty() && !targets_up_to(g.context(), w.last)) continue;
      for (const Node& n : g.get_op_nodes(w.op)) widen(g, n, w.input);
    }
  }

 private:
  static void widen(const Graph& g, const Node& n, size_t input) {
    if (!n.is_in_port_connected(input) || (n.op() == "Interpolate" && n.opset() != "opset4")) return;
    const OutPort source = n.in_port(input).get_source();
    if (!is_integer(source.type()) || source.type() == ElementType::i64) return;
    n.in_port(input).set_source(Build(g, n).convert(source, ElementType::i64));
  }
};

void register_widen_sizes(Registry& r) { r.transformation<WidenSizes>(); }

}  // namespace mo::builtin_passes
