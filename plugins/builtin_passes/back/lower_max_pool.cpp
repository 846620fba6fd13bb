// For releases without MaxPool-14 or MaxPool-8 one of an older version, where it can do the same:
//   MaxPool-14(x) without dilations, places of the maxima and PyTorch's rounding  ->  MaxPool-1(x)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerMaxPool : public Lowering {
 public:
  LowerMaxPool() {
    id = "back.lower_max_pool";
    doc = "MaxPool of an older version for releases that have no newer one";
    before = R"(
      %x = Parameter -> f32[1,2,8,8]
      %y = MaxPool@opset14 (%x) {strides=[2,2], dilations=[1,1], pads_begin=[0,0], pads_end=[1,1], kernel=[3,3], rounding_type="floor", auto_pad="explicit", index_element_type=i64, axis=0} -> (_, _)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,8,8]
      %y = MaxPool@opset1 (%x) {strides=[2,2], pads_begin=[0,0], pads_end=[1,1], kernel=[3,3], rounding_type="floor", auto_pad="explicit"}
      Result (%y))";
    lowers("MaxPool", {8, 14});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    only_when(n.attr<std::string>("rounding_type") != "ceil_torch",
              "its sizes are rounded as PyTorch does, which no older version can do");
    if (has_opset(b.context(), 8)) return as_older(n, "opset8", {});
    const Ints dilations = n.attr("dilations", Ints{});
    only_when(!n.is_out_port_connected(1),
              "the places of its maxima are read, which MaxPool-1 does not tell");
    only_when(std::all_of(dilations.begin(), dilations.end(), [](int64_t d) { return d == 1; }),
              "its window is dilated, which MaxPool-1 cannot do");
    if (n.out_count() > 1) n.delete_output_port(1);
    return as_older(n, "opset1", {"dilations", "index_element_type", "axis"});
  }
};

void register_lower_max_pool(Registry& r) { r.transformation<LowerMaxPool>(); }

}  // namespace mo::builtin_passes
