// MulticlassNms: boxes of each class that do not overlap a better one, the best of all classes for each
// image. From opset9 on each class may have boxes of its own, which those of all images follow one another
// in.
#include "support/class_boxes.hpp"

namespace mo::opset {

namespace multiclass_nms {

// One class of one image.
template <class T>
std::vector<size_t> select(const EvalContext& c, const std::vector<Box<T>>& boxes, const T* scores) {
  const auto number = [&](std::string_view name) {
    return static_cast<T>(static_cast<float>(c.attr<double>(name)));
  };
  const T least = number("score_threshold");
  std::vector<size_t> order;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (scores[i] >= least) order.push_back(i);
  sort_by_score(order, [&](size_t i) { return scores[i]; });
  keep_first(order, class_boxes::limits(c).per_class);
  const T pixel = c.attr<bool>("normalized") ? T{0} : T{1};
  return suppressed(c, boxes, order, number("iou_threshold"), -1, pixel, number("nms_eta"));
}

// Of `classes`, which have `stride` boxes or scores each; those of the image are `count` from `first` on.
struct Layout {
  size_t classes, stride, first, count;
  bool shared;  // one set of boxes for all classes
};

template <class T>
std::vector<class_boxes::Row> of_image(const EvalContext& c, const std::vector<T>& numbers, const T* scores,
                                       const Layout& l, size_t image) {
  std::vector<class_boxes::Row> rows;
  const auto background = class_boxes::limits(c).background;
  for (size_t k = 0; k < l.classes; ++k) {
    if (static_cast<int64_t>(k) == background) continue;
    const size_t from = l.shared ? image * l.stride : k * l.stride + l.first;
    std::vector<Box<T>> boxes;
    for (size_t i = 0; i < l.count; ++i) boxes.push_back(box_at(numbers, from + i));
    for (const size_t i : select(c, boxes, scores + k * l.stride + l.first)) {
      const Box<T>& b = boxes[i];
      const size_t place = l.shared ? from + i : (l.first + i) * l.classes + k;
      rows.push_back({static_cast<double>(scores[k * l.stride + l.first + i]),
                      image,
                      k,
                      i,
                      place,
                      {b.x0, b.y0, b.x1, b.y1}});
    }
  }
  class_boxes::arrange_image(c, rows);
  return rows;
}

template <int Version>
struct Operation {
  static void schema(OpSchema& s) {
    s.doc(
        "boxes, scores, [boxes of each image]: rows of class, score and corners; places; number of each "
        "image");
    s.inputs({"boxes", "scores"}, Role::fixed);
    if (Version >= 9) s.optional_input("boxes_of_images", Role::fixed);
    class_boxes::schema(s);
    s.attr<double>("iou_threshold", 0.0).attr<double>("nms_eta", 1.0);
  }

  static void ir_attrs(const Node& n, IrAttributes& out) { class_boxes::name_the_order(n, out); }

  static void infer(InferContext& c) {
    const auto eta = c.attr<double>("nms_eta");
    require(eta >= 0 && eta <= 1, "attribute 'nms_eta' is ", eta, "; expected a number from 0 to 1");
    const auto limits = class_boxes::limits(c);
    if (c.has(2)) return infer_own_boxes(c, limits);
    const ScoredBoxes in = scored_boxes(c, 4);
    const Dim each = class_boxes::selected_per_image(limits, in.boxes, in.classes);
    class_boxes::outputs(c, each, each * in.batches, in.batches);
  }

  static void evaluate(EvalContext& c) {
    const Tensor scores_in = c.input(1);
    std::vector<class_boxes::Row> rows;
    std::vector<int64_t> per_image;
    with_float(scores_in.type(), [&](auto zero) {
      using T = decltype(zero);
      const auto numbers = c.input(0).to_floats<T>(), scores = scores_in.to_floats<T>();
      const auto add = [&](const T* from, const Layout& l) {
        const auto image = of_image(c, numbers, from, l, per_image.size());
        per_image.push_back(static_cast<int64_t>(image.size()));
        rows.insert(rows.end(), image.begin(), image.end());
      };
      if (!c.has(2)) {
        const auto classes = static_cast<size_t>(scores_in.dim(1)), n = static_cast<size_t>(scores_in.dim(2));
        for (size_t i = 0; i < static_cast<size_t>(scores_in.dim(0)); ++i)
          add(scores.data() + i * classes * n, {classes, n, 0, n, true});
        return;
      }
      const auto classes = static_cast<size_t>(scores_in.dim(0)), n = static_cast<size_t>(scores_in.dim(1));
      size_t first = 0;
      for (const int64_t count : c.input(2).to_ints()) {
        require(count <= static_cast<int64_t>(n - first), "the images have more than ", n, " boxes");
        const auto used = static_cast<size_t>(std::max<int64_t>(count, 0));
        add(scores.data(), {classes, n, first, used, false});
        first += used;
      }
    });
    class_boxes::finish(c, rows, per_image);
  }

 private:
  static void infer_own_boxes(const InferContext& c, const class_boxes::Limits& limits) {
    require_float(c, 0);
    common_type(c, {0, 1});
    require_integer(c, 2);
    const Shape boxes = c.shape(0), scores = c.shape(1), images_shape = c.shape(2);
    require_rank(boxes, "boxes", 3);
    require_rank(scores, "scores", 2);
    require_rank(images_shape, "numbers of boxes", 1);
    Dim classes, count, images;
    narrow(classes, boxes, 0, "classes");
    narrow(count, boxes, 1, "number of boxes");
    if (boxes.has_rank()) same_dim(boxes[2], 4, "dimension 2 of boxes");
    narrow(classes, scores, 0, "classes of boxes and scores");
    narrow(count, scores, 1, "number of boxes and scores");
    narrow(images, images_shape, 0, "images");
    const Dim each = class_boxes::selected_per_image(limits, count, classes);
    // Each box belongs to one image.
    const Dim once = class_boxes::selected_per_image({-1, -1, limits.background}, count, classes);
    const Dim all = interval::minimum(Interval(each * images), Interval(once)).to_dim();
    class_boxes::outputs(c, each, all, images);
  }
};

}  // namespace multiclass_nms

void register_multiclass_nms(Registry& r) {
  r.operation<multiclass_nms::Operation<8>>("MulticlassNms", "opset8");
  r.operation<multiclass_nms::Operation<9>>("MulticlassNms", "opset9");
}

}  // namespace mo::opset
