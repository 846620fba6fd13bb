// Boxes of object detection: how much two of them overlap, and which remain when those that overlap too much
// are suppressed.
#pragma once

#include "support/floats.hpp"

#include <numeric>

namespace mo::opset {

// Corners. Where coordinates count pixels, a box from x0 to x1 is x1 - x0 + 1 wide; `pixel` is that 1.
template <class T>
struct Box {
  T x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  T area(T pixel = 0) const { return (x1 - x0 + pixel) * (y1 - y0 + pixel); }
};

template <class T>
Box<T> box_at(const std::vector<T>& numbers, size_t i) {
  return {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
}
template <class T>
Box<T> clipped(const Box<T>& b, T width, T height) {
  const auto to = [](T v, T most) { return std::max(T{0}, std::min(v, most)); };
  return {to(b.x0, width), to(b.y0, height), to(b.x1, width), to(b.y1, height)};
}

// Intersection over union; 0 where boxes do not meet or have no area.
template <class T>
T overlap(const Box<T>& a, const Box<T>& b, T pixel = 0) {
  const T w = std::min(a.x1, b.x1) - std::max(a.x0, b.x0) + pixel;
  const T h = std::min(a.y1, b.y1) - std::max(a.y0, b.y0) + pixel;
  const T common = std::max(w, T{0}) * std::max(h, T{0});
  if (!(common > 0)) return 0;
  const T all = a.area(pixel) + b.area(pixel) - common;
  return all > 0 ? common / all : T{0};
}

// NaN has no place in an order; it counts as the least score.
template <class T>
T ordered_score(T v) {
  return std::isnan(v) ? -std::numeric_limits<T>::infinity() : v;
}
// The greatest score first; equal ones keep their order. `score` gives that of an index.
template <class Score>
void sort_by_score(std::vector<size_t>& list, Score score) {
  std::stable_sort(list.begin(), list.end(),
                   [&](size_t a, size_t b) { return ordered_score(score(a)) > ordered_score(score(b)); });
}
inline std::vector<size_t> first_indices(size_t n) {
  std::vector<size_t> list(n);
  std::iota(list.begin(), list.end(), size_t{0});
  return list;
}
template <class List>
void keep_first(List& list, int64_t most) {  // negative: all
  if (most >= 0 && list.size() > static_cast<size_t>(most)) list.resize(static_cast<size_t>(most));
}

// Of the boxes of `order`, those that overlap none kept before them by more than the threshold; `most` of
// them when that is not negative. With eta below 1 a threshold above 0.5 shrinks with each box kept.
template <class T>
std::vector<size_t> suppressed(const OpContext& c, const std::vector<Box<T>>& boxes,
                               const std::vector<size_t>& order, T threshold, int64_t most = -1, T pixel = 0,
                               T eta = 1) {
  const auto n = static_cast<int64_t>(order.size());
  limit_work(c, {n, most < 0 ? n : std::min(n, most)});
  std::vector<size_t> kept;
  for (const size_t i : order) {
    if (static_cast<int64_t>(kept.size()) == most) break;
    if (std::any_of(kept.begin(), kept.end(),
                    [&](size_t k) { return overlap(boxes[i], boxes[k], pixel) > threshold; }))
      continue;
    kept.push_back(i);
    if (eta < 1 && threshold > T{0.5}) threshold *= eta;
  }
  return kept;
}

}  // namespace mo::opset
