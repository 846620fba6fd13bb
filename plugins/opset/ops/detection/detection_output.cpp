// DetectionOutput: predicted offsets and scores of prior boxes become rows
// [image, class, score, x0, y0, x1, y1] of what was detected. opset8 finds out the number of classes itself.
#include "support/boxes.hpp"

#include <map>

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

struct Settings {
  int64_t background, top, keep;
  bool shared, variance_in_target, normalized;
};
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
  if (scores.has_rank()) narrow_product(r.priors, r.classes, scores[1], "number of class predictions");
  if (boxes.has_rank()) {
    const Dim each = quotient(boxes[1], 4, "dimension 1 of box logits");
    if (s.shared)
      r.priors = same_dim(r.priors, each, "number of proposals and of box logits");
    else
      narrow_product(r.priors, r.classes, each, "number of box logits");
  }
  return r;
}

static Dim rows(const Settings& s, const Counts& n, const Shape& scores) {
  if (s.keep > 0) return n.images * Dim(s.keep);
  if (s.top > 0) return n.images * Dim(s.top) * n.classes;
  Dim each = n.classes * n.priors;
  if (scores.has_rank()) each = same_dim(each, scores[1], "number of class predictions");
  return n.images * each;
}

// Numbers of one evaluation; boxes of image n are boxes[class or 0][prior].
template <class T>
class Detector {
 public:
  Detector(const EvalContext& c, const Settings& s)
      : c_(c),
        s_(s),
        loc_(c.input(0).to_floats<T>()),
        scores_(c.input(1).to_floats<T>()),
        priors_(c.input(2).to_floats<T>()) {
    prior_size_ = s.normalized ? 4 : 5;
    n_ = static_cast<size_t>(c.input(2).dim(2)) / prior_size_;
    classes_ = n_ == 0 ? 0 : static_cast<size_t>(c.input(1).dim(1)) / n_;
    loc_classes_ = s.shared ? 1 : classes_;
    if (c.has(3)) {
      arm_scores_ = c.input(3).to_floats<T>();
      arm_loc_ = c.input(4).to_floats<T>();
      lower_scores();
    }
    nms_threshold_ = number("nms_threshold");
    least_score_ = number("confidence_threshold");
  }
  size_t classes() const { return classes_; }

  // Appends the rows of one image.
  void detect(size_t image, std::vector<T>& out) const {
    const auto boxes = decoded(image);
    auto kept = c_.attr<bool>("decrease_label_id") ? best_class(image, boxes) : each_class(image, boxes);
    keep_best(image, kept);
    const bool clip = c_.attr<bool>("clip_after_nms");
    const size_t decrease = c_.attr<bool>("decrease_label_id") ? 1 : 0;
    for (const auto& [k, list] : kept)
      for (const size_t p : list) {
        const Box<T>& raw = boxes[k * (loc_classes_ == 1 ? 0 : 1)][p];
        const Box<T> b = clip ? clipped<T>(raw, 1, 1) : raw;
        out.insert(out.end(), {static_cast<T>(image), static_cast<T>(k) - static_cast<T>(decrease),
                               score(image, p, k), b.x0, b.y0, b.x1, b.y1});
      }
  }

 private:
  using Boxes = std::vector<std::vector<Box<T>>>;
  using Kept = std::map<size_t, std::vector<size_t>>;

  T number(std::string_view name) const { return static_cast<T>(static_cast<float>(c_.attr<double>(name))); }
  T score(size_t image, size_t prior, size_t k) const { return scores_[(image * n_ + prior) * classes_ + k]; }
  // What the additional predictions hold for no object is background.
  void lower_scores() {
    const T least = number("objectness_score");
    for (size_t i = 0; classes_ > 0 && i < scores_.size() / classes_; ++i)
      if (arm_scores_[2 * i + 1] < least)
        for (size_t k = 0; k < classes_; ++k)
          scores_[i * classes_ + k] = static_cast<int64_t>(k) == s_.background ? T{1} : T{0};
  }

  Box<T> decoded(Box<T> p, const std::array<T, 4>& v, const T* d) const {
    if (!s_.normalized) {
      const auto w = static_cast<T>(c_.attr<int64_t>("input_width")),
                 h = static_cast<T>(c_.attr<int64_t>("input_height"));
      p = {p.x0 / w, p.y0 / h, p.x1 / w, p.y1 / h};
    }
    Box<T> r;
    if (c_.attr<std::string>("code_type") == "caffe.PriorBoxParameter.CORNER") {
      r = {p.x0 + v[0] * d[0], p.y0 + v[1] * d[1], p.x1 + v[2] * d[2], p.y1 + v[3] * d[3]};
    } else {
      const auto grown = [](T n) { return static_cast<T>(std::exp(static_cast<double>(n))); };
      const T w = p.x1 - p.x0, h = p.y1 - p.y0;
      const T cx = v[0] * d[0] * w + (p.x0 + p.x1) / 2, cy = v[1] * d[1] * h + (p.y0 + p.y1) / 2;
      const T bw = grown(v[2] * d[2]) * w, bh = grown(v[3] * d[3]) * h;
      r = {cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2};
    }
    return c_.attr<bool>("clip_before_nms") ? clipped<T>(r, 1, 1) : r;
  }
  Boxes decoded(size_t image) const {
    const size_t width = n_ * prior_size_;
    const T* const own =
        priors_.data() + (c_.input(2).dim(0) > 1 ? image : 0) * width * (s_.variance_in_target ? 1 : 2);
    Boxes boxes(loc_classes_);
    for (size_t k = 0; k < loc_classes_; ++k)
      for (size_t p = 0; p < n_; ++p) {
        const T* const at = own + p * prior_size_ + prior_size_ - 4;
        Box<T> b{at[0], at[1], at[2], at[3]};
        std::array<T, 4> variance{1, 1, 1, 1};
        if (!s_.variance_in_target) std::copy_n(own + width + 4 * p, 4, variance.begin());
        const size_t place = ((image * n_ + p) * loc_classes_ + k) * 4;
        if (!arm_loc_.empty()) b = decoded(b, variance, arm_loc_.data() + place);
        boxes[k].push_back(decoded(b, variance, loc_.data() + place));
      }
    return boxes;
  }

  // Each class by itself.
  Kept each_class(size_t image, const Boxes& boxes) const {
    Kept kept;
    for (size_t k = 0; k < classes_; ++k) {
      if (static_cast<int64_t>(k) == s_.background) continue;
      std::vector<size_t> list;
      for (size_t p = 0; p < n_; ++p)
        if (score(image, p, k) > least_score_) list.push_back(p);
      sort_by_score(list, [&](size_t p) { return score(image, p, k); });
      if (s_.top > -1) keep_first(list, s_.top);
      kept[k] = suppressed(boxes[loc_classes_ == 1 ? 0 : k], list, nms_threshold_);
    }
    return kept;
  }
  // Each prior box counts for its best class only; class 0 is background, too.
  Kept best_class(size_t image, const Boxes& boxes) const {
    std::vector<size_t> best(n_, 0), list;
    std::vector<T> value(n_, T{-1});
    for (size_t p = 0; p < n_; ++p) {
      for (size_t k = 1; k < classes_; ++k)
        if (static_cast<int64_t>(k) != s_.background && score(image, p, k) > value[p]) {
          value[p] = score(image, p, k);
          best[p] = k;
        }
      if (best[p] > 0 && value[p] >= least_score_) list.push_back(p);
    }
    sort_by_score(list, [&](size_t p) { return value[p]; });
    if (s_.top != -1) keep_first(list, s_.top);
    std::map<size_t, std::vector<size_t>> of_class;
    for (const size_t p : list) of_class[best[p]].push_back(p);
    Kept kept;
    for (const auto& [k, own] : of_class)
      kept[k] = suppressed(boxes[loc_classes_ == 1 ? 0 : k], own, nms_threshold_);
    return kept;
  }
  void keep_best(size_t image, Kept& kept) const {
    std::vector<std::pair<size_t, size_t>> all;
    for (const auto& [k, list] : kept)
      for (const size_t p : list) all.emplace_back(k, p);
    if (s_.keep < 0 || all.size() <= static_cast<size_t>(s_.keep)) return;
    auto order = first_indices(all.size());
    sort_by_score(order, [&](size_t i) { return score(image, all[i].second, all[i].first); });
    keep_first(order, s_.keep);
    kept.clear();
    for (const size_t i : order) kept[all[i].first].push_back(all[i].second);
  }

  const EvalContext& c_;
  Settings s_;
  std::vector<T> loc_, scores_, priors_, arm_scores_, arm_loc_;
  size_t prior_size_ = 4, n_ = 0, classes_ = 0, loc_classes_ = 1;
  T nms_threshold_ = 0, least_score_ = 0;
};

template <int Version>
struct Operation {
  static void schema(OpSchema& s) {
    s.doc("box logits, class predictions, proposals, [additional class predictions and box logits]");
    s.inputs(3, 5).outputs(1);
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
    require_float(c, 0);
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
