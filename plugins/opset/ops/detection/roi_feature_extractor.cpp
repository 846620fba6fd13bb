// ExperimentalDetectronROIFeatureExtractor: pictures of regions out of the level of a pyramid that suits
// their size.
#include "support/sampling.hpp"

namespace mo::opset {

struct RoiFeatureExtractor {
  static constexpr std::string_view type = "ExperimentalDetectronROIFeatureExtractor", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("regions [N, 4], feature maps [1, C, H, W] of a pyramid: pictures of the regions, the regions");
    s.input("rois", Role::fixed, float_types).input_list("features", 1, Role::fixed).outputs(1, 2);
    s.attr<int64_t>("output_size").attr<int64_t>("sampling_ratio");
    s.attr<std::vector<int64_t>>("pyramid_scales").attr<bool>("aligned", false);
  }
  static void infer(InferContext& c) {
    const int64_t size = int_attr(c, "output_size", 1);
    int_attr(c, "sampling_ratio", 0);
    list_attr(c, "pyramid_scales", c.inputs() - 1, 1);
    const Shape rois = c.shape(0);
    require_rank(rois, "regions", 2);
    if (rois.has_rank()) same_dim(rois[1], 4, "dimension 1 of the regions");
    ElementType t = c.type(0);
    Dim channels;
    for (size_t i = 1; i < c.inputs(); ++i) {
      const ElementType own = common_type(c, {0, i});
      if (t == ElementType::unknown) t = own;
      const Shape map = c.shape(i);
      require_rank(map, "a feature map", 4);
      if (map.has_rank()) same_dim(map[0], 1, "dimension 0 of a feature map");
      narrow(channels, map, 1, "channels of the feature maps");
    }
    const Dim count = dim_at(rois, 0);
    c.output(0, t, {count, channels, size, size});
    if (c.outputs() > 1) c.output(1, t, {count, 4});
  }
  static void evaluate(EvalContext& c) {
    const Tensor rois_in = c.input(0);
    const auto rois = rois_in.to_floats<double>();
    const auto size = c.attr<int64_t>("output_size");
    const size_t levels = c.inputs() - 1;
    const int64_t channels = c.input(1).dim(1);
    const Dims dims{rois_in.dim(0), channels, size, size};
    const auto out = create_grown(c, rois_in.type(), dims, rois_in.bytes());
    const auto scales = c.attr<std::vector<int64_t>>("pyramid_scales");
    const RegionGrid grid{size, size, c.attr<int64_t>("sampling_ratio")};
    const bool aligned = c.attr<bool>("aligned");
    with_float(rois_in.type(), [&](auto zero) {
      using T = decltype(zero);
      std::vector<std::vector<T>> maps;
      for (size_t i = 0; i < levels; ++i) maps.push_back(c.input(i + 1).to_floats<T>());
      for (size_t n = 0; n < rois.size() / 4; ++n) {
        const double* const b = rois.data() + 4 * n;
        const double area = (b[2] - b[0]) * (b[3] - b[1]);
        if (!(area > 0)) continue;  // belongs to no level, and is 0
        const size_t level = level_of(area, levels);
        const Tensor map = c.input(level + 1);
        const double scale = 1.0 / static_cast<double>(scales[level]), shift = aligned ? -0.5 : 0;
        const auto at = [&](double v) { return v * scale + shift; };
        Region r{at(b[0]), at(b[1]), at(b[2]) - at(b[0]), at(b[3]) - at(b[1])};
        if (!aligned) r = {r.x, r.y, std::max(r.width, 1.0), std::max(r.height, 1.0)};
        const auto base = static_cast<int64_t>(n) * channels * size * size;
        region_picture(maps[level].data(), {channels, map.dim(2), map.dim(3)}, r, grid,
                       [&](int64_t channel, int64_t bin, double v) {
                         store_number(out.second, rois_in.type(),
                                      static_cast<size_t>(base + channel * size * size + bin), v);
                       });
      }
    });
    c.output(0, out.first);
    if (c.outputs() > 1) c.output(1, rois_in);
  }

 private:
  // 2 for a region of 224 x 224, one more for twice the size.
  static size_t level_of(double area, size_t levels) {
    const double level = std::floor(2 + std::log2(std::sqrt(area) / 224 + 1e-6));
    return static_cast<size_t>(clamped_index(level, 0, static_cast<int64_t>(levels) - 1));
  }
};

void register_roi_feature_extractor(Registry& r) { r.operation<RoiFeatureExtractor>(); }

}  // namespace mo::opset
