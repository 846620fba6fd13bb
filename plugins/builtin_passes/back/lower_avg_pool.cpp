// For releases without AvgPool-16 or AvgPool-14 one of an older version, where it can do the same:
//   AvgPool-14(x) without PyTorch's rounding  ->  AvgPool-1(x)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerAvgPool : public Lowering {
 public:
  LowerAvgPool() {
    id = "back.lower_avg_pool";
    doc = "AvgPool of an older version for releases that have no newer one";
    before = R"(
      %x = Parameter -> f32[1,2,8,8]
      %y = AvgPool@opset14 (%x) {strides=[2,2], pads_begin=[0,0], pads_end=[1,1], kernel=[3,3], rounding_type="floor", auto_pad="explicit", exclude-pad=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,8,8]
      %y = AvgPool@opset1 (%x) {strides=[2,2], pads_begin=[0,0], pads_end=[1,1], kernel=[3,3], rounding_type="floor", auto_pad="explicit", exclude-pad=true}
      Result (%y))";
    lowers("AvgPool", {14, 16});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const Ints dilations = n.attr("dilations", Ints{});
    only_when(std::all_of(dilations.begin(), dilations.end(), [](int64_t d) { return d == 1; }),
              "its window is dilated, which no older version can do");
    const bool torch = n.attr<std::string>("rounding_type") == "ceil_torch";
    if (has_opset(b.context(), 14)) return as_older(n, "opset14", {"dilations"});
    only_when(!torch, "its sizes are rounded as PyTorch does, which version 1 cannot do");
    return as_older(n, "opset1", {"dilations"});
  }
};

void register_lower_avg_pool(Registry& r) { r.transformation<LowerAvgPool>(); }

}  // namespace mo::builtin_passes
