// Reductions of StableHLO, whose function is a sub-graph.
#include <algorithm>
#include <array>

#include "support/build.hpp"

namespace mo::tflite {

namespace {

// What a sub-graph of one operator makes of a reduction, and of its result and the first value.
struct Reduction {
  std::string_view body, of_numbers, of_booleans, with_first;
};
constexpr std::array reductions = {
    Reduction{"STABLEHLO_ADD", "ReduceSum", "", "Add"},
    Reduction{"ADD", "ReduceSum", "", "Add"},
    Reduction{"STABLEHLO_MULTIPLY", "ReduceProd", "", "Multiply"},
    Reduction{"MUL", "ReduceProd", "", "Multiply"},
    Reduction{"STABLEHLO_MAXIMUM", "ReduceMax", "", "Maximum"},
    Reduction{"MAXIMUM", "ReduceMax", "", "Maximum"},
    Reduction{"STABLEHLO_MINIMUM", "ReduceMin", "", "Minimum"},
    Reduction{"MINIMUM", "ReduceMin", "", "Minimum"},
    Reduction{"STABLEHLO_AND", "", "ReduceLogicalAnd", "LogicalAnd"},
    Reduction{"LOGICAL_AND", "", "ReduceLogicalAnd", "LogicalAnd"},
    Reduction{"STABLEHLO_OR", "", "ReduceLogicalOr", "LogicalOr"},
    Reduction{"LOGICAL_OR", "", "ReduceLogicalOr", "LogicalOr"},
};

}  // namespace

// (x, first value); the first value counts once.
static Ports stable_reduce(Build& b, const SourceNode& n) {
  require(n.in_count() == 2, "it reduces ", n.in_count() / 2,
          " tensors together, for which the IR has no operation");
  const auto body = n.native<std::string>("body");
  require(!body.empty(),
          "its sub-graph is not one operator of both arguments, but the IR reduces by sums, "
          "products, maxima, minima, 'and' and 'or'");
  const auto* const found =
      std::find_if(reductions.begin(), reductions.end(), [&](const Reduction& r) { return r.body == body; });
  require(found != reductions.end(), "its sub-graph is ", body,
          ", but the IR reduces by sums, products, "
          "maxima, minima, 'and' and 'or'");
  const bool boolean = b.in(0).type() == ElementType::boolean;
  const std::string_view reduce = boolean ? found->of_booleans : found->of_numbers;
  require(!reduce.empty(), "it reduces ", boolean ? "booleans" : "numbers", " by ", body,
          ", for which the IR has no operation");
  const auto axes = n.native<Ints>("dimensions");
  return {op1(b, found->with_first, {b.reduce(reduce, b.in(0), b.list(axes), false), b.in(1)})};
}

void register_stablehlo_reducing(Registry& r) {
  replace<stable_reduce>(r,
                         {"STABLEHLO_REDUCE", "STABLEHLO_REDUCE(x, first)", "Add(ReduceSum(x), first), …"});
}

}  // namespace mo::tflite
