// ExperimentalDetectronDetectionOutput: regions refined for each class; those with the best scores that do
// not overlap.
#include "support/boxes.hpp"

namespace mo::opset {

namespace detectron_detection_output {

template <class T>
struct Found {
  T score;
  size_t label;
  Box<T> box;
};

// Appends what is found of one class.
template <class T>
void find(const EvalContext& c, const std::vector<T>& rois, const std::vector<T>& deltas,
          const std::vector<T>& scores, size_t k, size_t classes, std::vector<Found<T>>& out) {
  const auto weights = c.attr<std::vector<double>>("deltas_weights");
  const auto most = static_cast<T>(c.attr<double>("max_delta_log_wh"));
  const auto least = static_cast<T>(static_cast<float>(c.attr<double>("score_threshold")));
  const auto grown = [&](T v) { return static_cast<T>(std::exp(static_cast<double>(std::min(v, most)))); };
  const auto positive = [](T v) { return std::max(v, T{0}); };
  const size_t n = rois.size() / 4;
  std::vector<Box<T>> boxes(n);
  std::vector<T> values(n);
  std::vector<size_t> order;
  for (size_t i = 0; i < n; ++i) {
    const Box<T> r = box_at(rois, i);
    if (r.x1 > r.x0 && r.y1 > r.y0) {
      const T w = r.x1 - r.x0 + 1, h = r.y1 - r.y0 + 1;
      const auto delta = [&](size_t j) {
        return deltas[(i * classes + k) * 4 + j] / static_cast<T>(weights[j]);
      };
      const T cx = delta(0) * w + r.x0 + T{0.5} * w, cy = delta(1) * h + r.y0 + T{0.5} * h;
      const T pw = grown(delta(2)) * w, ph = grown(delta(3)) * h;
      boxes[i] = {positive(cx - T{0.5} * pw), positive(cy - T{0.5} * ph), positive(cx + T{0.5} * pw - 1),
                  positive(cy + T{0.5} * ph - 1)};
      values[i] = scores[i * classes + k];
    }
    if (values[i] > least) order.push_back(i);
  }
  sort_by_score(order, [&](size_t i) { return values[i]; });
  const auto threshold = static_cast<T>(static_cast<float>(c.attr<double>("nms_threshold")));
  auto kept = suppressed(c, boxes, order, threshold, c.attr<int64_t>("post_nms_count"), T{1});
  for (const size_t i : kept) out.push_back({values[i], k, boxes[i]});
}

}  // namespace detectron_detection_output

struct DetectronDetectionOutput {
  static constexpr std::string_view type = "ExperimentalDetectronDetectionOutput", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("regions [N, 4], deltas [N, 4C], scores [N, C], im_info [1, 3]: boxes, classes, scores");
    s.input("rois", Role::fixed, float_types)
        .inputs({"deltas", "scores"}, Role::fixed)
        .input("im_info", Role::any)
        .outputs(3);
    s.attr<double>("score_threshold").attr<double>("nms_threshold").attr<int64_t>("num_classes");
    s.attr<int64_t>("post_nms_count").attr<int64_t>("max_detections_per_image");
    s.attr<bool>("class_agnostic_box_regression", false).attr<double>("max_delta_log_wh");
    s.attr<std::vector<double>>("deltas_weights");
  }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1, 2, 3});
    float_attr(c, "score_threshold", 0);
    float_attr(c, "nms_threshold", 0);
    int_attr(c, "post_nms_count", -1);
    const int64_t classes = int_attr(c, "num_classes", 0), most = int_attr(c, "max_detections_per_image", 0);
    const auto weights = c.attr<std::vector<double>>("deltas_weights");
    require(weights.size() == 4, "attribute 'deltas_weights' is ", weights, "; expected 4 numbers");
    const Shape rois = c.shape(0), deltas = c.shape(1), scores = c.shape(2), info = c.shape(3);
    require_rank(rois, "regions", 2);
    require_rank(deltas, "deltas", 2);
    require_rank(scores, "scores", 2);
    require_rank(info, "im_info", 2);
    Dim count;
    narrow(count, rois, 0, "number of regions");
    narrow(count, deltas, 0, "number of regions and of deltas");
    narrow(count, scores, 0, "number of regions and of scores");
    if (rois.has_rank()) same_dim(rois[1], 4, "dimension 1 of the regions");
    if (deltas.has_rank())
      same_dim(deltas[1], detail::checked_mul(4, classes), "four deltas for each of num_classes");
    if (scores.has_rank()) same_dim(scores[1], classes, "a score for each of num_classes");
    if (info.has_rank()) {
      same_dim(info[0], 1, "dimension 0 of im_info");
      same_dim(info[1], 3, "dimension 1 of im_info");
    }
    c.output(0, t, {most, 4});
    c.output(1, ElementType::i32, {most});
    c.output(2, t, {most});
  }
  static void evaluate(EvalContext& c) {
    const ElementType type = c.input(0).type();
    const auto classes = static_cast<size_t>(c.attr<int64_t>("num_classes"));
    const auto most = c.attr<int64_t>("max_detections_per_image");
    create_grown(c, type, {most, 4}, c.input(1).bytes());
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto rois = c.input(0).to_floats<T>(), deltas = c.input(1).to_floats<T>(),
                 scores = c.input(2).to_floats<T>();
      std::vector<detectron_detection_output::Found<T>> found;
      for (size_t k = 1; k < classes; ++k)
        detectron_detection_output::find(c, rois, deltas, scores, k, classes, found);
      if (found.size() > static_cast<size_t>(most)) {
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.score > b.score; });
        found.resize(static_cast<size_t>(most));
      }
      std::vector<T> boxes, values;
      std::vector<double> labels;
      for (const auto& f : found) {
        boxes.insert(boxes.end(), {f.box.x0, f.box.y0, f.box.x1, f.box.y1});
        values.push_back(f.score);
        labels.push_back(static_cast<double>(f.label));
      }
      const auto rows = static_cast<size_t>(most);
      boxes.resize(rows * 4);
      values.resize(rows);
      labels.resize(rows);
      c.output(0, tensor_of(c, type, {most, 4}, boxes));
      c.output(1, Tensor::filled(c.context(), ElementType::i32, labels, {most}));
      c.output(2, tensor_of(c, type, {most}, values));
    });
  }
};

void register_detectron_detection_output(Registry& r) { r.operation<DetectronDetectionOutput>(); }

}  // namespace mo::opset
