// NonMaxSuppression: boxes with the best scores of each class that do not overlap a better one. Up to opset4
// the selection is padded with -1; from opset5 on its size depends on the values.
#include "support/limits.hpp"
#include "support/suppression.hpp"

namespace mo::opset {

namespace non_max_suppression {

static Dim upper_end(const Dim& d) { return {0, d.max}; }
static Dim least_of(const Dim& a, const Interval& b) { return interval::minimum(Interval(a), b).to_dim(); }

// Corners (x0, y0, x1, y1) of boxes that are any two corners (y, x, y, x), or center and size.
template <class T>
std::vector<Box<T>> corners(const std::vector<T>& numbers, bool centers) {
  std::vector<Box<T>> list;
  for (size_t i = 0; i < numbers.size() / 4; ++i) {
    const auto [a, b, d, e] = box_at(numbers, i);
    if (centers)
      list.push_back({a - d / 2, b - e / 2, a + d / 2, b + e / 2});
    else
      list.push_back({std::min(b, e), std::min(a, d), std::max(b, e), std::max(a, d)});
  }
  return list;
}

static std::vector<Selected> run(const EvalContext& c, const Suppression& s) {
  const Tensor boxes_in = c.input(0), scores_in = c.input(1);
  const auto batches = static_cast<size_t>(scores_in.dim(0)), classes = static_cast<size_t>(scores_in.dim(1));
  const auto count = static_cast<size_t>(scores_in.dim(2));
  const bool centers = c.attr<std::string>("box_encoding") == "center";
  std::vector<Selected> list;
  with_float(boxes_in.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto boxes = corners(boxes_in.to_floats<T>(), centers);
    const auto scores = scores_in.to_floats<T>();
    for (size_t b = 0; b < batches; ++b)
      for (size_t k = 0; k < classes; ++k) {
        const Box<T>* const at = boxes.data() + b * count;
        const auto found = selected_of_class(c, scores.data() + (b * classes + k) * count, count, s,
                                             [&](size_t i, size_t j) { return overlap(at[i], at[j]); });
        for (const auto& [box, score] : found) list.push_back({static_cast<double>(score), b, k, box});
      }
  });
  if (c.attr<bool>("sort_result_descending")) sort_selected(list);
  return list;
}

template <int Version>
struct Operation {
  static constexpr bool sized_by_values = Version >= 5;

  static void schema(OpSchema& s) {
    s.doc("boxes, scores, [max_output_boxes_per_class, iou_threshold, score_threshold, soft_nms_sigma]");
    s.inputs({"boxes", "scores"}, Role::fixed);
    s.optional_inputs({"max_output_boxes_per_class", "iou_threshold", "score_threshold"}, Role::any);
    if (sized_by_values) s.optional_input("soft_nms_sigma", Role::any);
    if (sized_by_values)
      s.outputs(1, 3);
    else
      s.outputs(1);
    s.attr<std::string>("box_encoding", "corner").one_of({"corner", "center"});
    s.attr<bool>("sort_result_descending", true);
    if (Version > 1) s.attr<ElementType>("output_type", ElementType::i64);
  }

  static void ir_attrs([[maybe_unused]] const Node& n, IrAttributes&) {
    if constexpr (!sized_by_values)
      check_limits(n, {{"the number of boxes and both thresholds are inputs", "2022.3",
                        "ngraph/core/src/op/non_max_suppression.cpp:170", [](const Node& l) {
                          return is_connected<2>(l) && is_connected<3>(l) && is_connected<4>(l);
                        }}});
  }
  static void infer(InferContext& c) {
    const ScoredBoxes in = scored_boxes(c, 4);
    const Interval most = boxes_per_class(c, 2);
    require_threshold(c, 3, "iou_threshold");
    require_threshold(c, 4, "score_threshold");
    require_threshold(c, 5, "soft_nms_sigma");
    const ElementType t = index_type(c);
    if constexpr (!sized_by_values) {
      c.output(0, t, {rows(in, most), 3});
    } else {
      const Dim all = upper_end(least_of(in.boxes, most) * in.batches * in.classes);
      c.output(0, t, {all, 3});
      if (c.outputs() > 1) c.output(1, score_type(c), {all, 3});
      if (c.outputs() > 2) output_intervals(c, 2, t, {1}, {Interval(all)});
    }
  }

  static void evaluate(EvalContext& c) {
    const Tensor scores = c.input(1);
    const int64_t count = scores.dim(2);
    Suppression s;
    s.most = c.has(2) ? std::clamp<int64_t>(c.input(2).integer(0), 0, count) : 0;
    s.overlap = threshold_input(c, 3, 0);
    s.score = threshold_input(c, 4, 0);
    s.sigma = threshold_input(c, 5, 0);
    s.drops_at_threshold = Version < 9;
    const auto list = run(c, s);
    const ElementType t = index_type(c);
    if constexpr (!sized_by_values) {
      const Dim all = rows({scores.dim(0), scores.dim(1), count}, s.most);
      c.output(0, selected_indices(c, t, list, all.value()));
    } else {
      const auto n = static_cast<int64_t>(list.size());
      c.output(0, selected_indices(c, t, list, n));
      const ElementType of_scores = c.has(3) ? c.input(3).type() : scores.type();
      if (c.outputs() > 1) c.output(1, selected_scores(c, of_scores, list));
      if (c.outputs() > 2) c.output(2, Tensor::filled(c.context(), t, {static_cast<double>(n)}, {1}));
    }
  }

 private:
  static ElementType index_type(const OpContext& c) {
    if constexpr (Version == 1)
      return ElementType::i64;
    else
      return index_type_attr(c, "output_type");
  }
  // Scores have the type of the thresholds.
  static ElementType score_type(const InferContext& c) {
    return c.has(3) && c.type(3) != ElementType::unknown ? c.type(3) : common_type(c, {0, 1});
  }
  static Dim rows(const ScoredBoxes& in, const Interval& most) {
    if (Version == 4) return least_of(in.boxes, most) * in.batches * in.classes;
    return least_of(in.boxes, Interval(most.to_dim() * in.classes));
  }
};

}  // namespace non_max_suppression

void register_non_max_suppression(Registry& r) {
  r.operation<non_max_suppression::Operation<1>>("NonMaxSuppression", "opset1");
  r.operation<non_max_suppression::Operation<3>>("NonMaxSuppression", "opset3");
  r.operation<non_max_suppression::Operation<4>>("NonMaxSuppression", "opset4");
  r.operation<non_max_suppression::Operation<5>>("NonMaxSuppression", "opset5");
  r.operation<non_max_suppression::Operation<9>>("NonMaxSuppression", "opset9");
}

}  // namespace mo::opset
