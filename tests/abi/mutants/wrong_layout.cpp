// The order of dimensions means nothing to it, it says; it works along the last one.
#include "mutants.hpp"
#include "reversed.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct WrongLayout : Plain {
  static void schema(mo::OpSchema& s) {
    s.inputs(1).outputs(1);
    if (wrong) s.layout_agnostic();
  }
  static void evaluate(mo::EvalContext& c) {
    if (c.input(0).rank() == 0)
      c.output(0, c.input(0));
    else
      reverse(c, c.input(0).rank() - 1);
  }
};

}  // namespace

const Mutant wrong_layout{"wrong_layout", add_operation<WrongLayout>};

}  // namespace mutants
