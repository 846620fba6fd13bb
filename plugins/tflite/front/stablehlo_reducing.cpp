// Reductions of StableHLO, whose function is a sub-graph.
#include "support/reductions.hpp"

namespace mo::tflite {

// (x, y, …, first values); a first value counts once. Each tensor is reduced by itself.
static Ports stable_reduce(Build& b, const SourceNode& n) {
  const size_t count = n.in_count() / 2;
  require(count != 0 && n.in_count() == 2 * count, "it has ", n.in_count(),
          " inputs, expected a first value for each tensor");
  const auto axes = n.native<Ints>("dimensions");
  Ports reduced;
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = b.in(i).type();
    const Reduction& r = reduction_of_body(n, i, type, "reduces");
    const std::string_view reduce = type == ElementType::boolean ? r.of_booleans : r.of_numbers;
    reduced.push_back(op1(b, r.of_two, {b.reduce(reduce, b.in(i), b.list(axes), false), b.in(count + i)}));
  }
  return reduced;
}

void register_stablehlo_reducing(Registry& r) {
  replace<stable_reduce>(r,
                         {"STABLEHLO_REDUCE", "STABLEHLO_REDUCE(x, first)", "Add(ReduceSum(x), first), …"});
}

}  // namespace mo::tflite
