// evaluate reads an optional input whether it is there or not.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct OptionalInput : Plain {
  static void schema(mo::OpSchema& s) { s.inputs(1, 2).outputs(1); }
  static void infer(mo::InferContext& c) {
    Plain::infer(c);
    c.require(!c.has(1) || c.type(1) == c.type(0), "the inputs differ in type");
    c.require(!c.has(1) || !c.shape(1).has_rank() || c.shape(1).size() <= 1, "the second input has shape ",
              c.shape(1));
    c.require(!c.has(1) || !c.shape(1).has_rank() || c.shape(1).size() == 0 || c.shape(1)[0].contains(1),
              "the second input has shape ", c.shape(1), "; expected one number");
  }
  static void evaluate(mo::EvalContext& c) {
    const double more = wrong || c.has(1) ? c.input(1).number(0) : 0;
    for_each_number(c, [&](const mo::Tensor& x, size_t i) { return x.number(i) + more; });
  }
};

}  // namespace

const Mutant optional_input{"optional_input", add_operation<OptionalInput>};

}  // namespace mutants
