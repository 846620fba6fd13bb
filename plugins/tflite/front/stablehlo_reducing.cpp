// Reductions of StableHLO, whose function is a sub-graph.
#include "support/reductions.hpp"

namespace mo::tflite {

// (x, first value); the first value counts once.
static Ports stable_reduce(Build& b, const SourceNode& n) {
  require(n.in_count() == 2, "it reduces ", n.in_count() / 2,
          " tensors together, for which the IR has no operation");
  const ElementType type = b.in(0).type();
  const Reduction& r = reduction_of(n, "body", type, "reduces");
  const std::string_view reduce = type == ElementType::boolean ? r.of_booleans : r.of_numbers;
  const auto axes = n.native<Ints>("dimensions");
  return {op1(b, r.of_two, {b.reduce(reduce, b.in(0), b.list(axes), false), b.in(1)})};
}

void register_stablehlo_reducing(Registry& r) {
  replace<stable_reduce>(r,
                         {"STABLEHLO_REDUCE", "STABLEHLO_REDUCE(x, first)", "Add(ReduceSum(x), first), …"});
}

}  // namespace mo::tflite
