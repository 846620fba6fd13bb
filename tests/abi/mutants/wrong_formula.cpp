// Computes something else than it should, and always the same.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct WrongFormula : Plain {
  static void evaluate(mo::EvalContext& c) {
    for_each_number(c, [](const mo::Tensor& x, size_t i) { return x.number(i) * (wrong ? 3 : 2); });
  }
};

}  // namespace

const Mutant wrong_formula{"wrong_formula", add_operation<WrongFormula>};

}  // namespace mutants
