// evaluate reads an optional input whether it is there or not.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct OptionalInput : Plain {
  static void schema(mo::OpSchema& s) { s.inputs(1, 2).outputs(1); }
  static void infer(mo::InferContext& c) {
    Plain::infer(c);
    if (!c.has(1)) return;
    const mo::Shape more = c.shape(1);
    c.require(c.type(1) == c.type(0), "the inputs differ in type");
    c.require(!more.has_rank() || more.size() == 0 || (more.size() == 1 && more[0].contains(1)),
              "the second input has shape ", more, "; expected one number");
  }
  static void evaluate(mo::EvalContext& c) {
    const double more = wrong || c.has(1) ? c.input(1).number(0) : 0;
    for_each_number(c, [&](const mo::Tensor& x, size_t i) { return x.number(i) + more; });
  }
};

}  // namespace

const Mutant optional_input{"optional_input", add_operation<OptionalInput>};

}  // namespace mutants
