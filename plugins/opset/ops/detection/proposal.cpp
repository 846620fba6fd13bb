// Proposal: anchors of all points of a feature map, moved by predicted deltas; the best ones that do not
// overlap. opset4 gives their scores as well.
#include "support/boxes.hpp"

namespace mo::opset {

namespace proposal {

struct Settings {
  int64_t base, before, after, stride;
  double min_size;
  bool tensorflow;
};
static Settings settings(const OpContext& c) {
  const auto framework = c.attr<std::string>("framework");
  return {int_attr(c, "base_size", 1, int64_t{1} << 24),
          int_attr(c, "pre_nms_topn", 1),
          int_attr(c, "post_nms_topn", 1),
          int_attr(c, "feat_stride", 1, int64_t{1} << 24),
          static_cast<double>(int_attr(c, "min_size", 0)),
          framework == "tensorflow"};
}

// One anchor for each ratio and scale, around the first point.
template <class T>
std::vector<Box<T>> anchors(const OpContext& c, const Settings& s) {
  const double base = static_cast<double>(s.base), pixel = s.tensorflow ? 0 : 1;
  const double center = 0.5 * (base - pixel), shift = s.tensorflow ? base * 0.5 : 0;
  std::vector<Box<T>> list;
  for (const double r : c.attr<std::vector<double>>("ratio")) {
    double w = std::sqrt(base * base / r);
    if (!s.tensorflow) w = std::round(w);
    const double h = s.tensorflow ? w * r : std::round(w * r);
    for (const double scale : c.attr<std::vector<double>>("scale")) {
      const double dx = 0.5 * (w * scale - pixel), dy = 0.5 * (h * scale - pixel);
      list.push_back({static_cast<T>(center - dx - shift), static_cast<T>(center - dy - shift),
                      static_cast<T>(center + dx - shift), static_cast<T>(center + dy - shift)});
    }
  }
  return list;
}

template <class T>
struct Image {
  T height, width, scale_height, scale_width;
};

// Boxes and scores of all anchors of one picture. Scores of those that are too small are 0.
template <class T>
void enumerate(const EvalContext& c, const Settings& s, const Image<T>& image, const T* scores,
               const T* deltas, std::vector<Box<T>>& boxes, std::vector<T>& values) {
  const auto list = anchors<T>(c, s);
  const auto rows = static_cast<size_t>(c.input(0).dim(2)), columns = static_cast<size_t>(c.input(0).dim(3));
  const size_t area = rows * columns;
  const T pixel = s.tensorflow ? 0 : 1;
  const auto coordinate_scale = static_cast<T>(c.attr<double>("box_coordinate_scale")),
             size_scale = static_cast<T>(c.attr<double>("box_size_scale"));
  const bool clip = c.attr<bool>("clip_before_nms");
  const auto grown = [&](T d) { return static_cast<T>(std::exp(static_cast<double>(d / size_scale))); };
  for (size_t y = 0; y < rows; ++y)
    for (size_t x = 0; x < columns; ++x)
      for (size_t k = 0; k < list.size(); ++k) {
        const T dx = static_cast<T>((s.tensorflow ? y : x) * static_cast<size_t>(s.stride)),
                dy = static_cast<T>((s.tensorflow ? x : y) * static_cast<size_t>(s.stride));
        Box<T> a{list[k].x0 + dx, list[k].y0 + dy, list[k].x1 + dx, list[k].y1 + dy};
        if (s.tensorflow) a = clipped(a, image.width, image.height);
        const T* const d = deltas + 4 * k * area + y * columns + x;
        const T w = a.x1 - a.x0 + pixel, h = a.y1 - a.y0 + pixel;
        const T cx = d[0] / coordinate_scale * w + a.x0 + T{0.5} * w;
        const T cy = d[area] / coordinate_scale * h + a.y0 + T{0.5} * h;
        const T pw = grown(d[2 * area]) * w, ph = grown(d[3 * area]) * h;
        Box<T> b{cx - T{0.5} * pw, cy - T{0.5} * ph, cx + T{0.5} * pw, cy + T{0.5} * ph};
        if (clip) b = clipped<T>(b, image.width - pixel, image.height - pixel);
        const auto least = static_cast<T>(s.min_size);
        const bool large = least * image.scale_width <= b.x1 - b.x0 + pixel &&
                           least * image.scale_height <= b.y1 - b.y0 + pixel;
        boxes.push_back(b);
        values.push_back(large ? scores[k * area + y * columns + x] : T{0});
      }
}

template <int Version>
struct Operation {
  static void schema(OpSchema& s) {
    s.doc("scores [N, 2K, H, W], deltas [N, 4K, H, W], size and scale of the picture");
    s.input("scores", Role::fixed, float_types).input("deltas", Role::fixed).input("picture_size", Role::any);
    if (Version == 1)
      s.outputs(1);
    else
      s.outputs(1, 2);
    s.attr<int64_t>("base_size").attr<int64_t>("pre_nms_topn").attr<int64_t>("post_nms_topn");
    s.attr<double>("nms_thresh").attr<int64_t>("feat_stride").attr<int64_t>("min_size");
    s.attr<std::vector<double>>("ratio").attr<std::vector<double>>("scale");
    s.attr<bool>("clip_before_nms", true).attr<bool>("clip_after_nms", false).attr<bool>("normalize", false);
    s.attr<double>("box_size_scale", 1.0).attr<double>("box_coordinate_scale", 1.0);
    s.attr<std::string>("framework", "").one_of({"", "tensorflow"});
  }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1, 2});
    const Settings s = settings(c);
    for (const auto* const name : {"nms_thresh", "box_size_scale", "box_coordinate_scale"})
      positive_attr(c, name);
    const auto ratios = c.attr<std::vector<double>>("ratio"), scales = c.attr<std::vector<double>>("scale");
    for (const double r : ratios)
      require(std::isfinite(r) && r > 0, "attribute 'ratio' is ", ratios, "; expected positive numbers");
    const auto anchors =
        detail::checked_mul(static_cast<int64_t>(ratios.size()), static_cast<int64_t>(scales.size()));
    const Shape scores = c.shape(0), deltas = c.shape(1), info = c.shape(2);
    require_rank(scores, "class predictions", 4);
    require_rank(deltas, "box deltas", 4);
    require_rank(info, "the size of the picture", 1);
    Dim images, height, width;
    narrow(images, scores, 0, "images");
    narrow(images, deltas, 0, "images of class predictions and box deltas");
    narrow(height, scores, 2, "height");
    narrow(height, deltas, 2, "height of class predictions and box deltas");
    narrow(width, scores, 3, "width");
    narrow(width, deltas, 3, "width of class predictions and box deltas");
    if (scores.has_rank())
      same_dim(scores[1], detail::checked_mul(2, anchors), "class predictions of two for each anchor");
    if (deltas.has_rank())
      same_dim(deltas[1], detail::checked_mul(4, anchors), "box deltas of four for each anchor");
    if (info.has_rank()) same_dim(info[0], Dim(3, 4), "elements of the size of the picture");
    const Dim all = images * Dim(s.after);
    c.output(0, t, {all, 5});
    if (c.outputs() > 1) c.output(1, t, {all});
  }
  static void evaluate(EvalContext& c) {
    const Settings s = settings(c);
    const Tensor scores_in = c.input(0);
    const ElementType type = scores_in.type();
    const auto images = static_cast<size_t>(scores_in.dim(0));
    const Dim all = Dim(scores_in.dim(0)) * Dim(s.after);
    create_grown(c, type, {all.value(), 5}, scores_in.bytes());
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto scores = scores_in.to_floats<T>(), deltas = c.input(1).to_floats<T>(),
                 info = c.input(2).to_floats<T>();
      // With "tensorflow" x and y change places, sizes included.
      const Image<T> image{info.at(s.tensorflow ? 1 : 0), info.at(s.tensorflow ? 0 : 1), info.at(2),
                           info.size() > 3 ? info[3] : info[2]};
      const T pixel = s.tensorflow ? 0 : 1;
      const bool clip = c.attr<bool>("clip_after_nms"), normalize = c.attr<bool>("normalize");
      const auto after = static_cast<size_t>(s.after);
      std::vector<T> rois(images * after * 5), values(images * after);
      for (size_t n = 0; n < images; ++n) {
        const size_t one = scores.size() / images;
        std::vector<Box<T>> boxes;
        std::vector<T> of_boxes;
        enumerate(c, s, image, scores.data() + n * one + one / 2,
                  deltas.data() + n * (deltas.size() / images), boxes, of_boxes);
        auto order = first_indices(boxes.size());
        sort_by_score(order, [&](size_t i) { return of_boxes[i]; });
        keep_first(order, s.before);
        const auto threshold = static_cast<T>(static_cast<float>(c.attr<double>("nms_thresh")));
        const auto kept = suppressed(c, boxes, order, threshold, s.after, pixel);
        T* out = rois.data() + n * after * 5;
        for (size_t i = 0; i < kept.size(); ++i, out += 5) {
          Box<T> b = boxes[kept[i]];
          if (clip) b = clipped(b, image.width, image.height);
          if (normalize)
            b = {b.x0 / image.width, b.y0 / image.height, b.x1 / image.width, b.y1 / image.height};
          out[0] = static_cast<T>(n);
          out[1] = b.x0;
          out[2] = b.y0;
          out[3] = b.x1;
          out[4] = b.y1;
          values[n * after + i] = of_boxes[kept[i]];
        }
        if (kept.size() < after) out[0] = -1;  // the end
      }
      c.output(0, tensor_of(c, type, {all.value(), 5}, rois));
      if (c.outputs() > 1) c.output(1, tensor_of(c, type, {all.value()}, values));
    });
  }
};

}  // namespace proposal

void register_proposal(Registry& r) {
  r.operation<proposal::Operation<1>>("Proposal", "opset1");
  r.operation<proposal::Operation<4>>("Proposal", "opset4");
}

}  // namespace mo::opset
