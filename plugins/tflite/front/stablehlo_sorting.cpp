// Sort of StableHLO: all of a dimension's elements by TopK, and other tensors in the same order.
#include "support/build.hpp"

namespace mo::tflite {

static Ports stable_sort(Build& b, const SourceNode& n) {
  const auto order = n.native<std::string>("comparator");
  require(!order.empty(),
          "its sub-graph is not one comparison, 'less' or 'greater', of two elements of one tensor, ",
          "but the IR sorts by nothing else");
  const auto key = static_cast<size_t>(n.native<int64_t>("comparator_key"));
  const int64_t rank = rank_of(b, n, 0), axis = normalize_axis(n.native<int64_t>("dimension"), rank);
  const OutPort all = b.reshape(b.dim(b.in(key), axis), b.list({}));
  const Node top = b.node("TopK", "opset11", {b.in(key), all}, 2);
  top.set("axis", axis).set("mode", order == "LT" ? "min" : "max").set("sort", "value");
  top.set("index_element_type", ElementType::i32).set("stable", n.native("is_stable", false));
  Ports sorted;
  for (size_t i = 0; i < n.in_count(); ++i) {
    if (i == key) {
      sorted.push_back(top.out_port(0));
      continue;
    }
    const Node g = b.node("GatherElements", "opset6", {b.in(i), top.out_port(1)});
    g.set("axis", axis);
    sorted.push_back(g.out_port());
  }
  return sorted;
}

void register_stablehlo_sorting(Registry& r) {
  replace<stable_sort>(
      r, {"STABLEHLO_SORT", "STABLEHLO_SORT(x, y)", "TopK-11(x, its length), GatherElements(y, TopK.1)"});
}

}  // namespace mo::tflite
