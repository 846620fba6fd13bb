// Detectron's prior grids and its choice of the best regions.
#include "support/boxes.hpp"

namespace mo::opset {

struct DetectronPriorGrid {
  static constexpr std::string_view type = "ExperimentalDetectronPriorGridGenerator", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("priors [P, 4], feature map, picture: the priors moved to each place")
        .input("priors", Role::fixed, float_types)
        .inputs({"feature_map", "picture"}, Role::fixed)
        .outputs(1);
    s.attr<bool>("flatten", true).attr<int64_t>("h", 0).attr<int64_t>("w", 0);
    s.attr<double>("stride_x", 0.0).attr<double>("stride_y", 0.0);
  }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1, 2});
    const Shape priors = c.shape(0), map = c.shape(1), image = c.shape(2);
    require_rank(priors, "priors", 2);
    require_rank(map, "the feature map", 4);
    require_rank(image, "the picture", 4);
    if (priors.has_rank()) same_dim(priors[1], 4, "dimension 1 of priors");
    for (const Shape& s : {map, image})
      if (s.has_rank()) same_dim(s[0], 1, "dimension 0 of the feature map and of the picture");
    float_attr(c, "stride_x", 0);
    float_attr(c, "stride_y", 0);
    const Dim height = places(c, "h", dim_at(map, 2)), width = places(c, "w", dim_at(map, 3));
    const Dim count = dim_at(priors, 0);
    if (c.attr<bool>("flatten"))
      c.output(0, t, {height * width * count, 4});
    else
      c.output(0, t, {height, width, count, 4});
  }
  static void evaluate(EvalContext& c) {
    const Tensor priors_in = c.input(0), map = c.input(1), image = c.input(2);
    const int64_t count = priors_in.dim(0);
    const auto cells = [&](std::string_view name, size_t i) {
      const auto n = c.attr<int64_t>(name);
      return n > 0 ? n : map.dim(i);
    };
    const int64_t height = cells("h", 2), width = cells("w", 3);
    const auto step = [&](std::string_view name, size_t i, int64_t n) {
      const auto s = c.attr<double>(name);
      return s > 0 ? s : static_cast<double>(image.dim(i)) / static_cast<double>(n);
    };
    const double dx = step("stride_x", 3, width), dy = step("stride_y", 2, height);
    const Dims dims = c.attr<bool>("flatten") ? Dims{count_of({map.dim(2), map.dim(3), count}), 4}
                                              : Dims{map.dim(2), map.dim(3), count, 4};
    const auto out = create_grown(c, priors_in.type(), dims, priors_in.bytes());
    // With fewer cells than the feature map has, what is left at the end stays 0.
    for_float(priors_in.type(), [&](auto e) {
      using E = decltype(e);
      size_t at = 0;
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
          for (size_t i = 0; i < priors_in.size(); ++i) {
            const double shift =
                i % 2 == 0 ? (static_cast<double>(x) + 0.5) * dx : (static_cast<double>(y) + 0.5) * dy;
            E::put(
                out.second, at++,
                static_cast<typename E::computed>(static_cast<double>(E::get(priors_in.data(), i)) + shift));
          }
    });
    c.output(0, out.first);
  }

 private:
  static Dim places(const InferContext& c, std::string_view name, const Dim& of_map) {
    const int64_t n = int_attr(c, name, 0);
    require(of_map.is_unbounded() || n <= of_map.max, "attribute '", name, "' is ", n,
            "; expected at most the size of the feature map, ", of_map);
    return {std::max(of_map.min, n), of_map.max};
  }
};

struct DetectronTopRois {
  static constexpr std::string_view type = "ExperimentalDetectronTopKROIs", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("regions [N, 4], scores [N]: the max_rois best regions")
        .input("rois", Role::fixed, float_types)
        .input("scores", Role::fixed)
        .outputs(1);
    s.attr<int64_t>("max_rois", 0);
  }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    const Shape rois = c.shape(0), scores = c.shape(1);
    require_rank(rois, "regions", 2);
    require_rank(scores, "scores", 1);
    Dim count;
    narrow(count, rois, 0, "number of regions");
    narrow(count, scores, 0, "number of regions and of scores");
    if (rois.has_rank()) same_dim(rois[1], 4, "dimension 1 of the regions");
    c.output(0, t, {int_attr(c, "max_rois", 0), 4});
  }
  static void evaluate(EvalContext& c) {
    const Tensor rois = c.input(0);
    const auto most = c.attr<int64_t>("max_rois");
    const auto scores = c.input(1).to_floats<double>();
    auto order = first_indices(scores.size());
    sort_by_score(order, [&](size_t i) { return scores[i]; });
    keep_first(order, most);
    const auto out = create_grown(c, rois.type(), {most, 4}, rois.bytes());
    const size_t row = 4 * width_of(rois.type());
    for (size_t i = 0; i < order.size(); ++i)
      std::memcpy(static_cast<char*>(out.second) + i * row,
                  static_cast<const char*>(rois.data()) + order[i] * row, row);
    c.output(0, out.first);
  }
};

void register_detectron(Registry& r) {
  r.operation<DetectronPriorGrid>();
  r.operation<DetectronTopRois>();
}

}  // namespace mo::opset
