// ROIAlign: data [N, C, H, W], boxes [B, 4], batch_indices [B]. opset9 adds aligned_mode.
#include "support/inference.hpp"

namespace mo::opset {

namespace roi {

template <int Version>
struct RoiAlign {
  static void schema(OpSchema& s) {
    s.doc("data, boxes, batch_indices: a pooled_h x pooled_w picture of each box").inputs(3).outputs(1);
    s.attr<int64_t>("pooled_h").attr<int64_t>("pooled_w").attr<int64_t>("sampling_ratio");
    s.attr<double>("spatial_scale").attr<std::string>("mode").one_of({"avg", "max"});
    if constexpr (Version == 9)
      s.attr<std::string>("aligned_mode", "asymmetric")
          .one_of({"asymmetric", "half_pixel_for_nn", "half_pixel"});
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const ElementType t = common_type(c, {0, 1});
    require_integer(c, 2);
    const Shape data = c.shape(0), boxes = c.shape(1), batches = c.shape(2);
    require_rank(data, "the data", 4);
    require_rank(boxes, "the boxes", 2);
    require_rank(batches, "batch_indices", 1);
    Shape out{any_dim, any_dim, int_attr(c, "pooled_h", 1), int_attr(c, "pooled_w", 1)};
    int_attr(c, "sampling_ratio", 0);
    const auto scale = c.attr<double>("spatial_scale");
    require(scale > 0, "attribute 'spatial_scale' is ", scale, "; expected more than 0");
    if (boxes.has_rank()) {
      same_dim(boxes[1], 4, "dimension 1 of the boxes");
      out[0] = boxes[0];
    }
    if (batches.has_rank()) out[0] = same_dim(out[0], batches[0], "numbers of boxes and of batch_indices");
    if (data.has_rank()) out[1] = data[1];
    c.output(0, t, out);
  }
};

}  // namespace roi

void register_roi_align(Registry& r) {
  r.operation<roi::RoiAlign<3>>("ROIAlign", "opset3");
  r.operation<roi::RoiAlign<9>>("ROIAlign", "opset9");
}

}  // namespace mo::opset
