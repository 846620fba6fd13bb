// DetectionOutput: predicted offsets and scores of prior boxes become rows
// [image, class, score, x0, y0, x1, y1] of what was detected. opset8 finds out the number of classes itself.
#include "support/detector.hpp"

namespace mo::opset {

namespace detection_output {

// Numbers that must be products of one another, as far as they are known.
struct Counts {
  Dim images, priors, classes;
};

// d / n, where d must be a multiple of n.
static Dim quotient(const Dim& d, int64_t n, std::string_view what) {
  const Dim r{ceil_div(Dim(d.min), n).value(), floor_div(d, n).max};
  require(r.is_unbounded() || r.min <= r.max, what, " is ", d, "; expected a multiple of ", n);
  return r;
}
// What `factor` may be when factor * other is `product`.
static Dim factor_of(const Dim& product, const Dim& other) {
  if (other.max == 0) return any_dim;
  const int64_t low =
      other.is_unbounded() ? (product.min > 0 ? 1 : 0) : ceil_div(Dim(product.min), other.max).value();
  const bool open = product.is_unbounded() || other.min == 0;
  return {low, open ? -1 : product.max / other.min};
}
static void narrow_product(Dim& a, Dim& b, const Dim& product, std::string_view what) {
  for (int again = 0; again < 2; ++again) {
    a = same_dim(a, factor_of(product, b), what);
    b = same_dim(b, factor_of(product, a), what);
  }
  same_dim(a * b, product, what);
}

static Settings settings(const OpContext& c) {
  const auto keep = c.attr<std::vector<int64_t>>("keep_top_k");
  require(!keep.empty(), "attribute 'keep_top_k' is empty; expected a number");
  return {c.attr<int64_t>("background_label_id"),
          c.attr<int64_t>("top_k"),
          keep[0],
          c.attr<bool>("share_location"),
          c.attr<bool>("variance_encoded_in_target"),
          c.attr<bool>("normalized")};
}

static Counts counts(const InferContext& c, const Settings& s, const Dim& classes) {
  Counts r{any_dim, any_dim, classes};
  const Shape boxes = c.shape(0), scores = c.shape(1), priors = c.shape(2);
  require_rank(boxes, "box logits", 2);
  require_rank(scores, "class predictions", 2);
  require_rank(priors, "proposals", 3);
  narrow(r.images, boxes, 0, "images");
  narrow(r.images, scores, 0, "images of box logits and class predictions");
  if (priors.has_rank()) {
    if (!priors[0].contains(1)) narrow(r.images, priors, 0, "images of box logits and proposals");
    same_dim(priors[1], s.variance_in_target ? 1 : 2, "dimension 1 of proposals");
    r.priors = quotient(priors[2], s.normalized ? 4 : 5, "dimension 2 of proposals");
  }
  if (c.has(3)) {
    const Shape more = c.shape(3), more_boxes = c.shape(4);
    require_rank(more, "additional class predictions", 2);
    require_rank(more_boxes, "additional box logits", 2);
    narrow(r.images, more, 0, "images of additional class predictions");
    narrow(r.images, more_boxes, 0, "images of additional box logits");
    if (more.has_rank())
      r.priors = same_dim(r.priors, quotient(more[1], 2, "dimension 1 of additional class predictions"),
                          "number of proposals and of additional class predictions");
    if (more_boxes.has_rank() && boxes.has_rank())
      same_dim(boxes[1], more_boxes[1], "dimension 1 of box logits and additional ones");
  }
  const Dim each = boxes.has_rank() ? quotient(boxes[1], 4, "dimension 1 of box logits") : any_dim;
  if (s.shared) r.priors = same_dim(r.priors, each, "number of proposals and of box logits");
  if (scores.has_rank()) narrow_product(r.priors, r.classes, scores[1], "number of class predictions");
  if (!s.shared) narrow_product(r.priors, r.classes, each, "number of box logits");
  return r;
}

static Dim rows(const Settings& s, const Counts& n, const Shape& scores) {
  if (s.keep > 0) return n.images * Dim(s.keep);
  if (s.top > 0) return n.images * Dim(s.top) * n.classes;
  Dim each = n.classes * n.priors;
  if (scores.has_rank()) each = same_dim(each, scores[1], "number of class predictions");
  return n.images * each;
}

template <int Version>
struct Operation {
  static void schema(OpSchema& s) {
    s.doc("box logits, class predictions, proposals, [additional class predictions and box logits]");
    s.input("box_logits", Role::fixed, float_types)
        .inputs({"class_predictions", "proposals"}, Role::fixed)
        .optional_inputs({"additional_class_predictions", "additional_box_logits"}, Role::fixed)
        .outputs(1);
    if (Version == 1) s.attr<int64_t>("num_classes");
    s.attr<int64_t>("background_label_id", 0).attr<int64_t>("top_k", -1);
    s.attr<bool>("variance_encoded_in_target", false).attr<std::vector<int64_t>>("keep_top_k");
    s.attr<std::string>("code_type", "caffe.PriorBoxParameter.CORNER")
        .one_of({"caffe.PriorBoxParameter.CENTER_SIZE", "caffe.PriorBoxParameter.CORNER"});
    s.attr<bool>("share_location", true)
        .attr<double>("nms_threshold")
        .attr<double>("confidence_threshold", 0.0);
    s.attr<bool>("clip_after_nms", false).attr<bool>("clip_before_nms", false);
    s.attr<bool>("decrease_label_id", false).attr<bool>("normalized", false);
    s.attr<int64_t>("input_height", 1).attr<int64_t>("input_width", 1).attr<double>("objectness_score", 0.0);
  }
  static void infer(InferContext& c) {
    require(c.has(3) == c.has(4), "expected 3 inputs or 5");
    const ElementType t = c.has(3) ? common_type(c, {0, 1, 2, 3, 4}) : common_type(c, {0, 1, 2});
    const Settings s = settings(c);
    if (!s.normalized) {
      int_attr(c, "input_height", 1);
      int_attr(c, "input_width", 1);
    }
    Dim classes = any_dim;
    if constexpr (Version == 1) classes = Dim(int_attr(c, "num_classes", 1));
    const Counts n = counts(c, s, classes);
    c.output(0, t, {1, 1, rows(s, n, c.shape(1)), 7});
  }
  static void evaluate(EvalContext& c) {
    const Settings s = settings(c);
    const ElementType type = c.input(0).type();
    const auto images = static_cast<size_t>(c.input(0).dim(0));
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const Detector<T> detector(c, s);
      std::vector<T> found;
      for (size_t i = 0; i < images; ++i) detector.detect(i, found);
      const auto classes = static_cast<int64_t>(detector.classes());
      const Counts n{static_cast<int64_t>(images), any_dim, classes};
      const int64_t count = rows(s, n, c.input(1).shape()).value();
      create_grown(c, type, {count, 7}, c.input(0).bytes());
      const size_t used = std::min(found.size(), static_cast<size_t>(count) * 7);
      found.resize(static_cast<size_t>(count) * 7);
      std::fill(found.begin() + static_cast<std::ptrdiff_t>(used), found.end(), T{0});
      if (used < found.size()) found[used] = -1;  // the end
      c.output(0, tensor_of(c, type, {1, 1, count, 7}, found));
    });
  }
};

}  // namespace detection_output

void register_detection_output(Registry& r) {
  r.operation<detection_output::Operation<1>>("DetectionOutput", "opset1");
  r.operation<detection_output::Operation<8>>("DetectionOutput", "opset8");
}

}  // namespace mo::opset
