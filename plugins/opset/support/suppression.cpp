#include "support/suppression.hpp"

namespace mo::opset {

ScoredBoxes scored_boxes(const InferContext& c, int64_t numbers_of_a_box) {
  require_float(c, 0);
  common_type(c, {0, 1});
  const Shape boxes = c.shape(0), scores = c.shape(1);
  require_rank(boxes, "boxes", 3);
  require_rank(scores, "scores", 3);
  ScoredBoxes r;
  narrow(r.batches, boxes, 0, "batches");
  narrow(r.boxes, boxes, 1, "number of boxes");
  if (boxes.has_rank()) same_dim(boxes[2], numbers_of_a_box, "dimension 2 of boxes");
  narrow(r.batches, scores, 0, "batches of boxes and scores");
  narrow(r.classes, scores, 1, "number of classes");
  narrow(r.boxes, scores, 2, "number of boxes and scores");
  return r;
}

void require_threshold(const InferContext& c, size_t input, std::string_view what) {
  if (!c.has(input)) return;
  require_float(c, input);
  require_rank(c.shape(input), what, 0, 1);
  require_elements(c, input, what, 1);
}

double threshold_input(const EvalContext& c, size_t input, double fallback) {
  return c.has(input) ? c.input(input).number(0) : fallback;
}

Interval boxes_per_class(const InferContext& c, size_t input) {
  if (!c.has(input)) return 0;
  require_integer(c, input);
  require_rank(c.shape(input), "max_output_boxes_per_class", 0, 1);
  require_elements(c, input, "max_output_boxes_per_class", 1);
  const Interval v = intervals_or_unknown(c, input, 1)[0];
  return {std::max<int64_t>(v.lo, 0), std::max<int64_t>(v.hi, 0)};
}

void sort_selected(std::vector<Selected>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Selected& a, const Selected& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::tie(a.batch, a.label, a.box) < std::tie(b.batch, b.label, b.box);
  });
}

Tensor selected_indices(const EvalContext& c, ElementType t, const std::vector<Selected>& list,
                        int64_t rows) {
  auto [tensor, data] = create_grown(c, t, {rows, 3}, 0);
  const auto filled = std::min(static_cast<size_t>(rows), list.size());
  for (size_t i = 0; i < static_cast<size_t>(rows) * 3; ++i) store_number(data, t, i, -1);
  for (size_t i = 0; i < filled; ++i) {
    store_number(data, t, 3 * i, static_cast<double>(list[i].batch));
    store_number(data, t, 3 * i + 1, static_cast<double>(list[i].label));
    store_number(data, t, 3 * i + 2, static_cast<double>(list[i].box));
  }
  return tensor;
}

Tensor selected_scores(const EvalContext& c, ElementType t, const std::vector<Selected>& list) {
  std::vector<double> numbers;
  for (const Selected& s : list) {
    numbers.push_back(static_cast<double>(s.batch));
    numbers.push_back(static_cast<double>(s.label));
    numbers.push_back(s.score);
  }
  return tensor_of(c, t, {static_cast<int64_t>(list.size()), 3}, numbers);
}

}  // namespace mo::opset
