// ROIAlign and ROIAlignRotated: data [N, C, H, W], boxes [B, 4 or 5], batch_indices [B]. opset9 adds
// aligned_mode.
#include "support/sampling.hpp"

namespace mo::opset {

namespace roi {

static void add_attrs(OpSchema& s) {
  s.inputs({"data", "boxes", "batch_indices"}, Role::fixed).outputs(1);
  s.attr<int64_t>("pooled_h").attr<int64_t>("pooled_w").attr<int64_t>("sampling_ratio");
  s.attr<double>("spatial_scale");
}
static void infer(const InferContext& c, int64_t numbers_of_a_box) {
  require_float(c, 0);
  const ElementType t = common_type(c, {0, 1});
  require_integer(c, 2);
  const Shape data = c.shape(0), boxes = c.shape(1), batches = c.shape(2);
  require_rank(data, "the data", 4);
  require_rank(boxes, "the boxes", 2);
  require_rank(batches, "batch_indices", 1);
  Shape out{any_dim, any_dim, int_attr(c, "pooled_h", 1), int_attr(c, "pooled_w", 1)};
  int_attr(c, "sampling_ratio", 0);
  positive_attr(c, "spatial_scale");
  if (boxes.has_rank()) {
    same_dim(boxes[1], numbers_of_a_box, "dimension 1 of the boxes");
    out[0] = boxes[0];
  }
  if (batches.has_rank()) out[0] = same_dim(out[0], batches[0], "numbers of boxes and of batch_indices");
  if (data.has_rank()) out[1] = data[1];
  c.output(0, t, out);
}

// region(numbers of a box, scale) is where it lies in the data.
template <class Place>
void evaluate(const EvalContext& c, RegionGrid grid, Place region) {
  const Tensor data = c.input(0);
  const auto boxes = c.input(1).to_floats<double>();
  const auto batches = c.input(2).to_ints();
  const size_t numbers = batches.empty() ? 0 : boxes.size() / batches.size();
  const auto scale = static_cast<double>(static_cast<float>(c.attr<double>("spatial_scale")));
  grid.height = int_attr(c, "pooled_h", 1);
  grid.width = int_attr(c, "pooled_w", 1);
  grid.ratio = int_attr(c, "sampling_ratio", 0);
  const Dims dims{static_cast<int64_t>(batches.size()), data.dim(1), grid.height, grid.width};
  const auto out = create_grown(c, data.type(), dims, data.bytes());
  with_float(data.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto map = data.to_floats<T>();
    const std::array<int64_t, 3> map_dims{data.dim(1), data.dim(2), data.dim(3)};
    const auto one = static_cast<size_t>(map_dims[0] * map_dims[1] * map_dims[2]);
    for (size_t b = 0; b < batches.size(); ++b) {
      const size_t n = batch_index(static_cast<double>(batches[b]), data.dim(0));
      const auto base = static_cast<int64_t>(b) * dims[1] * dims[2] * dims[3];
      region_picture(map.data() + n * one, map_dims, region(boxes.data() + b * numbers, scale), grid,
                     [&](int64_t channel, int64_t bin, double v) {
                       store_number(out.second, data.type(),
                                    static_cast<size_t>(base + channel * dims[2] * dims[3] + bin), v);
                     });
    }
  });
  c.output(0, out.first);
}

template <int Version>
struct RoiAlign {
  static void schema(OpSchema& s) {
    s.doc("data, boxes, batch_indices: a pooled_h x pooled_w picture of each box");
    add_attrs(s);
    s.attr<std::string>("mode").one_of({"avg", "max"});
    if constexpr (Version == 9)
      s.attr<std::string>("aligned_mode", "asymmetric")
          .one_of({"asymmetric", "half_pixel_for_nn", "half_pixel"});
  }
  static void infer(InferContext& c) { roi::infer(c, 4); }
  static void evaluate(EvalContext& c) {
    std::string mode = "asymmetric";
    if constexpr (Version == 9) mode = c.attr<std::string>("aligned_mode");
    const double before = mode == "half_pixel" ? 0.5 : 0, after = mode == "asymmetric" ? 0 : -0.5;
    const double least = mode == "asymmetric" ? 1 : -std::numeric_limits<double>::infinity();
    RegionGrid grid{};
    grid.greatest = c.attr<std::string>("mode") == "max";
    roi::evaluate(c, grid, [&](const double* b, double scale) {
      const auto at = [&](double v) { return (v + before) * scale + after; };
      return Region{at(b[0]), at(b[1]), std::max(at(b[2]) - at(b[0]), least),
                    std::max(at(b[3]) - at(b[1]), least)};
    });
  }
};

struct RoiAlignRotated {
  static constexpr std::string_view type = "ROIAlignRotated", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("data, boxes (center, size, angle), batch_indices: a pooled_h x pooled_w picture of each box");
    add_attrs(s);
    s.attr<bool>("clockwise_mode", false);
  }
  static void infer(InferContext& c) { roi::infer(c, 5); }
  static void evaluate(EvalContext& c) {
    const double direction = c.attr<bool>("clockwise_mode") ? -1 : 1;
    roi::evaluate(c, {}, [&](const double* b, double scale) {
      const double w = b[2] * scale, h = b[3] * scale, angle = direction * b[4];
      // The y axis points downwards: x turns away from y, which is counterclockwise.
      return Region{-w / 2,          -h / 2,          w, h, b[0] * scale - 0.5, b[1] * scale - 0.5,
                    std::cos(angle), -std::sin(angle)};
    });
  }
};

}  // namespace roi

void register_roi_align(Registry& r) {
  r.operation<roi::RoiAlign<3>>("ROIAlign", "opset3");
  r.operation<roi::RoiAlign<9>>("ROIAlign", "opset9");
  r.operation<roi::RoiAlignRotated>();
}

}  // namespace mo::opset
