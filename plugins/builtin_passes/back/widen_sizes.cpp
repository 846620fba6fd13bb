// Sizes that releases read as 64-bit integers, whatever their type, become such, and so do sizes and indices
// of types that the runtime refuses:
//   Tile(x, i32)           ->  Tile(x, Convert(i32))
//   GatherElements(x, u8)  ->  GatherElements(x, Convert(u8))
#include <mo/build.hpp>

#include "support/target.hpp"

#include <set>

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

// Inputs that have to be i32 or i64, and all of them the same where they are `alike`.
struct IndexInputs {
  std::string_view op;
  size_t first, last;
  bool alike = false;
};

constexpr IndexInputs index_inputs[] = {
    {"ScatterNDUpdate", 1, 1},
    {"GatherElements", 1, 1},
    {"CumSum", 1, 1},
    {"RandomUniform", 0, 0},
    {"Eye", 0, 3},
    {"Col2Im", 1, 2, true},
    {"SegmentMax", 1, 2},
    {"DFT", 1, 2},
    {"IDFT", 1, 2},
    {"RDFT", 1, 2},
    {"IRDFT", 1, 2},
    {"Interpolate", 1, 3},
    {"EmbeddingBagOffsetsSum", 1, 3, true},
    {"EmbeddingBagOffsets", 1, 3, true},
    {"EmbeddingBagPackedSum", 1, 1},
    {"EmbeddingBagPacked", 1, 1},
    {"EmbeddingSegmentsSum", 1, 4, true},
};

bool is_i32_or_i64(ElementType t) { return t == ElementType::i32 || t == ElementType::i64; }

}  // namespace

class WidenSizes : public FrontReplacementOp {
 public:
  WidenSizes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.widen_sizes";
    doc =
        "sizes that releases read as 64-bit integers, whatever their type, become such, and so do sizes and "
        "indices of types that the runtime refuses";
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
    std::set<std::string> types;
    for (const WideInput& w : wide_inputs) types.emplace(w.op);
    for (const IndexInputs& i : index_inputs) types.emplace(i.op);
    ops.assign(types.begin(), types.end());
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    bool changed = false;
    std::string left;
    for (const WideInput& w : wide_inputs) {
      if (!n.is(w.op) || (n.is("Interpolate") && !n.is("opset4::Interpolate"))) continue;
      if (w.last.empty() || targets_up_to(g.context(), w.last))
        changed = widen(g, n, w.input) || changed;
      else if (is_narrow(n, w.input))
        left =
            text("the release reads input ", w.input, " of ", w.op, " as ", name(n.in_port(w.input).type()));
    }
    for (const IndexInputs& i : index_inputs)
      if (n.is(i.op)) changed = widen_refused(g, n, i) || changed;
    only_when(changed, left.empty() ? "its sizes and indices are of types that the release reads" : left);
  }

 private:
  static bool is_narrow(const Node& n, size_t input) {
    if (input >= n.in_count() || !n.is_in_port_connected(input)) return false;
    const ElementType type = n.in_port(input).type();
    return is_integer(type) && type != ElementType::i64;
  }
  static bool widen(const Graph& g, const Node& n, size_t input) {
    if (!is_narrow(n, input)) return false;
    n.in_port(input).set_source(Build(g, n).convert(n.in_port(input).get_source(), ElementType::i64));
    return true;
  }
  static bool widen_refused(const Graph& g, const Node& n, const IndexInputs& w) {
    std::set<ElementType> types;
    for (size_t i = w.first; i <= w.last; ++i)
      if (i < n.in_count() && n.is_in_port_connected(i)) types.insert(n.in_port(i).type());
    bool changed = false;
    for (size_t i = w.first; i <= w.last; ++i) {
      if (i >= n.in_count() || !n.is_in_port_connected(i)) continue;
      if (!is_i32_or_i64(n.in_port(i).type()) || (w.alike && types.size() > 1))
        changed = widen(g, n, i) || changed;
    }
    return changed;
  }
};

void register_widen_sizes(Registry& r) { r.transformation<WidenSizes>(); }

}  // namespace mo::builtin_passes
