// Proposals out of given anchors: moved by predicted deltas and clipped to the picture; the best ones that do
// not overlap.
#pragma once

#include "support/boxes.hpp"

namespace mo::opset::generate_proposals {

inline void schema(OpSchema& s) {
  s.input("im_info", Role::any).inputs({"anchors", "deltas", "scores"}, Role::fixed);
  s.attr<double>("min_size").attr<double>("nms_threshold");
  s.attr<int64_t>("pre_nms_count").attr<int64_t>("post_nms_count");
}
// Gives post_nms_count.
inline int64_t checked_attrs(const OpContext& c) {
  float_attr(c, "min_size", 0);
  float_attr(c, "nms_threshold", 0);
  int_attr(c, "pre_nms_count", 0);
  return int_attr(c, "post_nms_count", 0);
}

template <class T>
struct Image {
  T height, width, scale_height, scale_width;
};
// Deltas [4A, H, W], scores [A, H, W], anchors [H * W * A, 4], where H * W is `area`.
template <class T>
struct Predictions {
  const std::vector<T>& anchors;
  const T* deltas;
  const T* scores;
  size_t area;
};

template <class T>
Box<T> moved_anchor(const Box<T>& a, const T* d, size_t area, T pixel) {
  const double most = std::log(1000.0 / 16);
  const auto grown = [&](T v) { return static_cast<T>(std::exp(std::min(static_cast<double>(v), most))); };
  const T w = a.x1 - a.x0 + pixel, h = a.y1 - a.y0 + pixel;
  const T cx = d[0] * w + a.x0 + T{0.5} * w, cy = d[area] * h + a.y0 + T{0.5} * h;
  const T pw = grown(d[2 * area]) * w, ph = grown(d[3 * area]) * h;
  return {cx - T{0.5} * pw, cy - T{0.5} * ph, cx + T{0.5} * pw - pixel, cy + T{0.5} * ph - pixel};
}

// What becomes of a box below min_size: it counts with a score of 0 (opset6), or not at all (opset9).
enum class Small { last, dropped };

// Appends the boxes and their scores; gives their number.
template <class T>
size_t propose(const OpContext& c, const Image<T>& image, const Predictions<T>& p, T pixel, T eta,
               Small small, std::vector<T>& out_boxes, std::vector<T>& out_scores) {
  const size_t count = p.anchors.size() / 4, kinds = p.area == 0 ? 0 : count / p.area;
  const auto least = static_cast<T>(c.attr<double>("min_size"));
  std::vector<Box<T>> boxes;
  std::vector<T> scores;
  std::vector<bool> dropped;
  for (size_t place = 0; place < p.area; ++place)
    for (size_t k = 0; k < kinds; ++k) {
      const Box<T> b = clipped<T>(
          moved_anchor(box_at(p.anchors, boxes.size()), p.deltas + 4 * k * p.area + place, p.area, pixel),
          image.width - pixel, image.height - pixel);
      const bool large = b.x1 - b.x0 + pixel >= least * image.scale_width &&
                         b.y1 - b.y0 + pixel >= least * image.scale_height;
      boxes.push_back(b);
      scores.push_back(large || small == Small::dropped ? p.scores[k * p.area + place] : T{0});
      dropped.push_back(!large && small == Small::dropped);
    }
  auto order = first_indices(boxes.size());
  sort_by_score(order, [&](size_t i) { return scores[i]; });
  keep_first(order, c.attr<int64_t>("pre_nms_count"));
  order.erase(std::remove_if(order.begin(), order.end(), [&](size_t i) { return dropped[i]; }), order.end());
  const auto threshold = static_cast<T>(static_cast<float>(c.attr<double>("nms_threshold")));
  const auto kept = suppressed(c, boxes, order, threshold, c.attr<int64_t>("post_nms_count"), pixel, eta);
  for (const size_t i : kept) {
    const Box<T>& b = boxes[i];
    out_boxes.insert(out_boxes.end(), {b.x0, b.y0, b.x1, b.y1});
    out_scores.push_back(scores[i]);
  }
  return kept.size();
}

// Height, width and anchors of a place, from the shapes that name them.
struct Grid {
  Dim height, width, anchors;
  void add(const Shape& s, size_t channel, int64_t of_each, std::string_view what) {
    if (!s.has_rank()) return;
    const Dim& d = s[channel];
    const Dim n{ceil_div(Dim(d.min), of_each).value(), floor_div(d, of_each).max};
    require(n.is_unbounded() || n.min <= n.max, "dimension ", channel, " of ", what, " is ", d,
            "; expected a multiple of ", of_each);
    anchors = same_dim(anchors, n, text("number of anchors and of ", what));
    height = same_dim(height, s[channel + 1], text("height of ", what));
    width = same_dim(width, s[channel + 2], text("width of ", what));
  }
};

}  // namespace mo::opset::generate_proposals
