// The values of DetectionOutput: boxes decoded from priors and offsets, suppressed within each class.
#pragma once

#include "support/boxes.hpp"

#include <map>

namespace mo::opset::detection_output {

struct Settings {
  int64_t background, top, keep;
  bool shared, variance_in_target, normalized;
};
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
      kept[k] = suppressed(c_, boxes[loc_classes_ == 1 ? 0 : k], list, nms_threshold_);
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
      kept[k] = suppressed(c_, boxes[loc_classes_ == 1 ? 0 : k], own, nms_threshold_);
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

}  // namespace mo::opset::detection_output
