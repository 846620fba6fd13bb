// For releases without SearchSorted: how many of the sorted numbers are less (or, to the right, not greater).
//   SearchSorted(sorted, x)  ->  ReduceSum(Convert(Less(sorted, Unsqueeze(x, -1))), -1)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerSearchSorted : public Lowering {
 public:
  LowerSearchSorted() {
    id = "back.lower_search_sorted";
    doc = "SearchSorted as a count of the numbers that are less";
    before = R"(
      %s = Const -> f32[4] {1,2,2,5}
      %x = Parameter -> f32[2,3]
      %y = SearchSorted@opset15 (%s, %x) {right_mode=false, output_type=i64}
      Result (%y))";
    after = R"(
      %s = Const -> f32[4] {1,2,2,5}
      %x = Parameter -> f32[2,3]
      %last = Const -> i64[1] {2}
      %u = Unsqueeze@opset1 (%x, %last)
      %l = Less@opset1 (%s, %u)
      %c = Convert@opset1 (%l) {destination_type=i64}
      %a = Const -> i64[1] {2}
      %y = ReduceSum@opset1 (%c, %a) {keep_dims=false}
      Result (%y))";
    lowers("SearchSorted", {15});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    OutPort sorted = b.in(0);
    const OutPort x = b.in(1);
    only_when(sorted.shape().has_rank() && x.shape().has_rank(), "the rank of an input is not known");
    const int64_t rank = x.shape().rank(), own = sorted.shape().rank();
    if (own > 1) sorted = b.unsqueeze(sorted, b.list({own - 1}));
    const std::string_view compare = n.attr("right_mode", false) ? "LessEqual" : "Less";
    const OutPort hit = b.op(compare, "opset1", {sorted, b.unsqueeze(x, b.list({rank}))});
    const OutPort ones = b.convert(hit, n.attr("output_type", ElementType::i64));
    return {b.reduce("ReduceSum", ones, b.list({rank}), false)};
  }
};

void register_lower_search_sorted(Registry& r) { r.transformation<LowerSearchSorted>(); }

}  // namespace mo::builtin_passes
