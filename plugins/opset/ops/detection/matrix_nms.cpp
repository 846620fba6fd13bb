// MatrixNms: scores of boxes are lowered by how much better boxes overlap them, all at once.
#include "support/class_boxes.hpp"

namespace mo::opset {

namespace matrix_nms {

struct Settings {
  double score_threshold, post_threshold, sigma, pixel;
  bool gaussian;
  int64_t top;
};

// Unlike overlap() boxes that lie apart by less than a pixel do not meet.
template <class T>
T matrix_overlap(const Box<T>& a, const Box<T>& b, T pixel) {
  const bool apart = b.x0 > a.x1 || b.x1 < a.x0 || b.y0 > a.y1 || b.y1 < a.y0;
  return apart ? T{0} : overlap(a, b, pixel);
}

// Appends the boxes of one class with their lowered scores.
template <class T>
void select(const EvalContext& c, const Box<T>* boxes, const T* scores, size_t count, const Settings& s,
            std::vector<std::pair<size_t, T>>& out) {
  std::vector<size_t> order;
  for (size_t i = 0; i < count; ++i)
    if (static_cast<double>(scores[i]) > s.score_threshold) order.push_back(i);
  sort_by_score(order, [&](size_t i) { return scores[i]; });
  keep_first(order, s.top);
  const auto n = static_cast<int64_t>(order.size());
  limit_work(c, {n, n, 4});
  std::vector<T> most(order.size());  // overlap with a better box
  std::vector<T> row;
  for (size_t i = 0; i < order.size(); ++i) {
    row.clear();
    double decay = 1;
    for (size_t j = 0; j < i; ++j) {
      const T v = matrix_overlap(boxes[order[i]], boxes[order[j]], static_cast<T>(s.pixel));
      most[i] = std::max(most[i], v);
      const double a = static_cast<double>(v), b = static_cast<double>(most[j]);
      decay = std::min(decay, s.gaussian ? std::exp((b * b - a * a) * s.sigma) : (1 - a) / (1 - b + 1e-10));
    }
    const auto score = static_cast<T>(decay * static_cast<double>(scores[order[i]]));
    if (static_cast<double>(score) > s.post_threshold) out.emplace_back(order[i], score);
  }
}

}  // namespace matrix_nms

struct MatrixNms {
  static constexpr std::string_view type = "MatrixNms", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc(
        "boxes [N, B, 4], scores [N, C, B]: rows of class, score and corners; places; number of each image");
    s.inputs({"boxes", "scores"}, Role::fixed);
    class_boxes::schema(s);
    s.attr<std::string>("decay_function", "linear").one_of({"gaussian", "linear"});
    s.attr<double>("gaussian_sigma", 2.0).attr<double>("post_threshold", 0.0);
  }
  static void ir_attrs(const Node& n, IrAttributes& out) { class_boxes::name_the_order(n, out); }
  static void infer(InferContext& c) {
    const ScoredBoxes in = scored_boxes(c, 4);
    const Dim each = class_boxes::selected_per_image(class_boxes::limits(c), in.boxes, in.classes);
    class_boxes::outputs(c, each, each * in.batches, in.batches);
  }
  static void evaluate(EvalContext& c) {
    const Tensor scores_in = c.input(1);
    const auto images = static_cast<size_t>(scores_in.dim(0)),
               classes = static_cast<size_t>(scores_in.dim(1));
    const auto count = static_cast<size_t>(scores_in.dim(2));
    const auto limits = class_boxes::limits(c);
    // Thresholds are written as text and meant as 32-bit numbers.
    const auto number = [&](std::string_view name) {
      return static_cast<double>(static_cast<float>(c.attr<double>(name)));
    };
    const matrix_nms::Settings s{number("score_threshold"),
                                 number("post_threshold"),
                                 number("gaussian_sigma"),
                                 c.attr<bool>("normalized") ? 0.0 : 1.0,
                                 c.attr<std::string>("decay_function") == "gaussian",
                                 limits.per_class};
    std::vector<class_boxes::Row> rows;
    std::vector<int64_t> per_image;
    with_float(scores_in.type(), [&](auto zero) {
      using T = decltype(zero);
      const auto numbers = c.input(0).to_floats<T>(), scores = scores_in.to_floats<T>();
      std::vector<Box<T>> boxes;
      for (size_t i = 0; i < numbers.size() / 4; ++i) boxes.push_back(box_at(numbers, i));
      for (size_t n = 0; n < images; ++n) {
        std::vector<class_boxes::Row> image;
        for (size_t k = 0; k < classes; ++k) {
          if (static_cast<int64_t>(k) == limits.background) continue;
          std::vector<std::pair<size_t, T>> found;
          matrix_nms::select(c, boxes.data() + n * count, scores.data() + (n * classes + k) * count, count, s,
                             found);
          for (const auto& [i, score] : found) {
            const Box<T>& b = boxes[n * count + i];
            image.push_back({static_cast<double>(score), n, k, i, n * count + i, {b.x0, b.y0, b.x1, b.y1}});
          }
        }
        class_boxes::arrange_image(c, image);
        per_image.push_back(static_cast<int64_t>(image.size()));
        rows.insert(rows.end(), image.begin(), image.end());
      }
    });
    class_boxes::finish(c, rows, per_image);
  }
};

void register_matrix_nms(Registry& r) { r.operation<MatrixNms>(); }

}  // namespace mo::opset
