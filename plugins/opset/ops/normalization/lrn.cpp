// LRN: local response normalization over windows along the axes.
#include "support/inference.hpp"

namespace mo::opset {

struct Lrn {
  static constexpr std::string_view type = "LRN", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, axes: x / (bias + alpha / size^axes * sum(x^2 in the window))^beta").inputs(2).outputs(1);
    s.attr<double>("alpha").attr<double>("beta").attr<double>("bias").attr<int64_t>("size");
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    int_attr(c, "size", 1);
    const Shape in = c.shape(0);
    if (in.has_rank()) axes_input(c, 1, in.size());
    c.output(0, c.type(0), in);
  }
};

void register_lrn(Registry& r) { r.operation<Lrn>(); }

}  // namespace mo::opset
