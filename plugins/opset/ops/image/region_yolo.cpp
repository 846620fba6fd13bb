// RegionYolo: the last layer of YOLO networks.
#include "support/inference.hpp"

namespace mo::opset {

struct RegionYolo {
  static constexpr std::string_view type = "RegionYolo", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("boxes, confidence and classes of the regions of a grid").inputs(1).outputs(1);
    s.attr<int64_t>("axis").attr<int64_t>("end_axis");
    s.attr<int64_t>("coords").attr<int64_t>("classes").attr<int64_t>("num");
    s.attr<bool>("do_softmax", true);
    s.attr("mask", std::vector<int64_t>{}).attr("anchors", std::vector<double>{});
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const Shape in = c.shape(0);
    if (!in.has_rank()) return c.output(0, c.type(0), in);
    const size_t first = normalize_axis(c.attr<int64_t>("axis"), in.size(), "attribute 'axis'");
    const size_t last = normalize_axis(c.attr<int64_t>("end_axis"), in.size(), "attribute 'end_axis'");
    require(first <= last, "attribute 'end_axis' is dimension ", last, ", which is before 'axis', ", first);
    c.output(0, c.type(0), c.attr<bool>("do_softmax") ? flattened(in, first, last) : of_regions(c, in));
  }

 private:
  // Dimensions `first` to `last` become one.
  static Shape flattened(const Shape& in, size_t first, size_t last) {
    std::vector<Dim> dims;
    for (size_t i = 0; i < in.size(); ++i) {
      if (i <= first || i > last)
        dims.push_back(in[i]);
      else
        dims.back() = dims.back() * in[i];
    }
    return dims;
  }
  // Channels for the regions of the mask; without a mask, for all.
  static Shape of_regions(const InferContext& c, const Shape& in) {
    require_rank(in, "the data", 4);
    const auto mask = c.attr<std::vector<int64_t>>("mask");
    const int64_t regions = mask.empty() ? int_attr(c, "num", 1) : static_cast<int64_t>(mask.size());
    const int64_t each = int_attr(c, "classes", 0) + int_attr(c, "coords", 0) + 1;
    Shape out = in;
    out[1] = Dim(each * regions);
    return out;
  }
};

void register_region_yolo(Registry& r) { r.operation<RegionYolo>(); }

}  // namespace mo::opset
