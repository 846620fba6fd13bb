// What the operations have in common that select boxes by non-maximum suppression: the shapes of boxes
// [batches, boxes, n] and scores [batches, classes, boxes], and the soft and hard selection within one class.
#pragma once

#include "support/boxes.hpp"

#include <queue>

namespace mo::opset {

struct ScoredBoxes {
  Dim batches, classes, boxes;
};
ScoredBoxes scored_boxes(const InferContext& c, int64_t numbers_of_a_box);

// The only number of an optional scalar input.
double threshold_input(const EvalContext& c, size_t input, double fallback);
// Error unless an optional input may be one number of a floating-point type.
void require_threshold(const InferContext& c, size_t input, std::string_view what);
// How many boxes of a class may be selected, from a scalar input; 0 when it is not connected.
Interval boxes_per_class(const InferContext& c, size_t input);

struct Selected {
  double score;
  size_t batch, label, box;
};

struct Suppression {
  int64_t most = 0;
  double overlap = 0, score = 0;  // thresholds
  double sigma = 0;               // of soft suppression, which lowers scores instead of dropping boxes
  bool drops_at_threshold =
      false;  // drops what overlaps by just the threshold; soft suppression drops it, too
};

// The selection of one class: overlap_of(a, b) is intersection over union.
template <class T, class Overlap>
std::vector<std::pair<size_t, T>> selected_of_class(const OpContext& c, const T* scores, size_t count,
                                                    const Suppression& s, Overlap overlap_of) {
  struct Candidate {
    T score;
    size_t box, compared;  // against how many of the selected
    bool operator<(const Candidate& o) const { return score == o.score ? box > o.box : score < o.score; }
  };
  const auto least = static_cast<T>(s.score), most_overlap = static_cast<T>(s.overlap);
  std::priority_queue<Candidate> queue;
  for (size_t i = 0; i < count; ++i)
    if (scores[i] > least) queue.push({scores[i], i, 0});
  std::vector<std::pair<size_t, T>> selected;
  limit_work(c, {static_cast<int64_t>(queue.size()),
                 std::min<int64_t>(s.most, static_cast<int64_t>(queue.size())), s.sigma > 0 ? 8 : 1});
  while (!queue.empty() && static_cast<int64_t>(selected.size()) < s.most) {
    Candidate next = queue.top();
    queue.pop();
    const T before = next.score;
    bool dropped = false;
    for (size_t j = selected.size(); !dropped && j-- > next.compared;) {
      const T v = overlap_of(next.box, selected[j].first);
      if (s.sigma > 0) {
        dropped = s.drops_at_threshold && v >= most_overlap;
        next.score =
            static_cast<T>(static_cast<double>(next.score) *
                           std::exp(-0.5 * static_cast<double>(v) * static_cast<double>(v) / s.sigma));
        dropped |= !(next.score > least);
      } else {
        dropped = v > most_overlap || (s.drops_at_threshold && v == most_overlap);
      }
    }
    if (dropped) continue;
    next.compared = selected.size();
    if (next.score == before)
      selected.emplace_back(next.box, next.score);
    else
      queue.push(next);
  }
  return selected;
}

// The selected boxes as triplets: batch, class and box; batch, class and score.
void sort_selected(std::vector<Selected>& list);
Tensor selected_indices(const EvalContext& c, ElementType t, const std::vector<Selected>& list, int64_t rows);
Tensor selected_scores(const EvalContext& c, ElementType t, const std::vector<Selected>& list);

}  // namespace mo::opset
