// A negative axis is taken for the first one.
#include "mutants.hpp"
#include "reversed.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct AxisFromTheEnd : Plain {
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1).attr<int64_t>("axis", 1); }
  static void infer(mo::InferContext& c) {
    Plain::infer(c);
    if (c.shape(0).has_rank()) (void)mo::normalize_axis(c.attr<int64_t>("axis"), c.shape(0).size());
  }
  static void evaluate(mo::EvalContext& c) {
    const auto axis = c.attr<int64_t>("axis");
    reverse(c, wrong ? static_cast<size_t>(std::max<int64_t>(axis, 0))
                     : mo::normalize_axis(axis, c.input(0).rank()));
  }
};

}  // namespace

const Mutant axis_from_the_end{"axis_from_the_end", add_operation<AxisFromTheEnd>};

}  // namespace mutants
