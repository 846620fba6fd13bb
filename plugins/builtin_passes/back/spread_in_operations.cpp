// A Broadcast whose readers spread what they read themselves, as far as it does:
//   Add(Broadcast(x, ShapeOf(y)), y)  ->  Add(x, y)
// Late: what makes one operation of several looks for tensors as they are written.
#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class SpreadInOperations : public AskingSizes<MatcherPass> {
 public:
  SpreadInOperations() : AskingSizes(MO_PHASE_BACK) {
    id = "back.spread_in_operations";
    doc = "a Broadcast goes where all that read it spread it themselves";
    before = R"(
      %x = Parameter -> f32[3]
      %z = Parameter -> f32[?,3]
      %s = ShapeOf@opset3 (%z) {output_type=i64}
      %b = Broadcast@opset3 (%x, %s) {mode="numpy"}
      %y = Add@opset1 (%z, %b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3]
      %z = Parameter -> f32[?,3]
      %y = Add@opset1 (%z, %x)
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    register_matcher(wrap_type({"Broadcast"})->where([](const OutPort& p) {
      const auto mode = p.node().attr<std::string>("mode", "numpy");
      return mode == "numpy" || mode == "bidirectional";
    }),
                     [this](const Graph&, const Match& m) { spread_by_readers(m.root()); });
  }

 private:
  void spread_by_readers(const Node& n) {
    const OutPort x = source_of(n, 0);
    const auto have = symbols_.dims(x), want = symbols_.values(source_of(n, 1));
    only_when(have && want, "what it spreads, or to which shape, is not known");
    const auto readers = n.out_port().get_destinations();
    for (const InPort& reader : readers)
      only_when(spreads_anyway(reader, *have, *want, symbols_), "'", reader.node().name(),
                "' has nothing else that would spread it as far");
    for (const InPort& reader : readers) reader.set_source(x);
  }

  // It spreads its inputs over one another.
  static bool spreads_itself(const Node& n) {
    const Definition d = n.definition();
    const std::string_view how = d.attribute(Role::spread);
    return d.has(MO_OP_ELEMENT_WISE) && n.in_count() > 1 &&
           (how.empty() || n.attr<std::string>(how, "numpy") == "numpy");
  }

  // Whether the reader's result has the same shape when it reads what is not spread: what a dimension is
  // spread to, another input has.
  static bool spreads_anyway(const InPort& reader, const Symbols& have, const Symbols& want,
                             SymbolsOf& symbols) {
    const Node n = reader.node();
    if (!spreads_itself(n)) return false;
    for (size_t i = 0; i < want.size(); ++i) {  // from the last one on
      const Symbol& w = want[want.size() - 1 - i];
      const bool is_one = w == Symbol::number(1);
      if (i < have.size() && (is_one || have[have.size() - 1 - i] == w)) continue;
      bool given = false;
      for (const InPort& other : n.in_ports()) {
        if (other == reader || other.get_source() == reader.get_source()) continue;
        const auto& dims = symbols.dims(other.get_source());
        given = given || (dims && i < dims->size() && (is_one || (*dims)[dims->size() - 1 - i] == w));
      }
      if (!given) return false;
    }
    return true;
  }
};

void register_spread_in_operations(Registry& r) { simplifying<SpreadInOperations>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
