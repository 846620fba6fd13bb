// x + 0  ->  x: elimination, which keeps the names that users ask for.
#include "seeds.hpp"

namespace seeds {

namespace {

struct EliminateZero : mo::MatcherPass {
  EliminateZero() {
    id = "seeds.eliminate_add_zero";
    doc = "an Add of zeros is left out";
    before = "y = Add(x, 0)";
    after = "x";
    enabled = false;
    const auto x = mo::any_input();
    const auto zero = mo::constant()->where([](const mo::OutPort& port) {
      const auto value = port.value();
      return value && value->size() == 1 && value->number(0) == 0;
    });
    register_matcher(mo::wrap_type({"Add"}, {x, zero})->commutative(), [x](mo::Graph, mo::Match& m) {
      const mo::OutPort out = m.root().out_port(), from = m.port(x);
      mo::only_when(out.type() == from.type() && out.shape() == from.shape(),
                    "the Add changes type or shape");
      // What a model's output is called cannot be taken from it.
      mo::only_when(mo::replace_output_update_name(out, from), "the name of the output would be lost");
    });
  }
};

}  // namespace

void register_eliminate_node(mo::Registry& registry) { registry.transformation<EliminateZero>(); }

}  // namespace seeds
