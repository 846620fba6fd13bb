// Sort of StableHLO: all of a dimension's elements by TopK, and other tensors in the same order. Of several
// keys the last one is sorted by first: what is equal stays in order.
#include "support/build.hpp"

namespace mo::tflite {

static Ports stable_sort(Build& b, const SourceNode& n) {
  const auto directions = n.native<std::vector<std::string>>("comparator");
  const auto keys = n.native<Ints>("comparator_keys");
  require(!directions.empty(),
          "its sub-graph is not one comparison, 'less' or 'greater', of two elements of one tensor, or of "
          "several tensors ",
          "one after another where those before are equal, but the IR sorts by nothing else");
  const int64_t rank = rank_of(b, n, 0), axis = normalize_axis(n.native<int64_t>("dimension"), rank);
  const OutPort all = b.reshape(b.dim(b.in(0), axis), b.list({}));
  Ports sorted;
  for (size_t i = 0; i < n.in_count(); ++i) sorted.push_back(b.in(i));
  for (size_t k = keys.size(); k-- > 0;) {
    const auto key = static_cast<size_t>(keys[k]);
    const bool is_last = k + 1 == keys.size();
    const Node top = b.node("TopK", "opset11", {sorted.at(key), all}, 2);
    top.set("axis", axis).set("mode", directions[k] == "LT" ? "min" : "max").set("sort", "value");
    top.set("index_element_type", ElementType::i32).set("stable", !is_last || n.native("is_stable", false));
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (i == key) {
        sorted[i] = top.out_port(0);
        continue;
      }
      const Node g = b.node("GatherElements", "opset6", {sorted[i], top.out_port(1)});
      g.set("axis", axis);
      sorted[i] = g.out_port();
    }
  }
  return sorted;
}

void register_stablehlo_sorting(Registry& r) {
  replace<stable_sort>(
      r, {"STABLEHLO_SORT", "STABLEHLO_SORT(x, y)", "TopK-11(x, its length), GatherElements(y, TopK.1)"});
}

}  // namespace mo::tflite
