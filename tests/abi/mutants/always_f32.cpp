// infer says f32, whatever the input has.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct AlwaysF32 : Plain {
  static void infer(mo::InferContext& c) {
    require_numbers(c);
    c.output(0, wrong ? mo::ElementType::f32 : c.type(0), c.shape(0));
  }
  static void evaluate(mo::EvalContext& c) {
    for_each_number(c, [](const mo::Tensor& x, size_t i) { return 2 * x.number(i); });
  }
};

}  // namespace

const Mutant always_f32{"always_f32", add_operation<AlwaysF32>};

}  // namespace mutants
