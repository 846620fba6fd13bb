// NMSRotated: boxes with the best scores of each class that do not overlap a better one, where boxes are
// center, size and an angle.
#include "support/suppression.hpp"

namespace mo::opset {

namespace nms_rotated {

struct Point {
  double x, y;
};
using Polygon = std::vector<Point>;

static double cross(const Point& a, const Point& b, const Point& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}
static double area(const Polygon& p) {
  double twice = 0;
  for (size_t i = 1; i + 1 < p.size(); ++i) twice += cross(p[0], p[i], p[i + 1]);
  return std::abs(twice) / 2;
}

// The part of a convex polygon on the left of the line from a to b.
static Polygon cut(const Polygon& p, const Point& a, const Point& b) {
  Polygon out;
  for (size_t i = 0; i < p.size(); ++i) {
    const Point &from = p[i], &to = p[(i + 1) % p.size()];
    const double u = cross(a, b, from), v = cross(a, b, to);
    if (u >= 0) out.push_back(from);
    if ((u > 0 && v < 0) || (u < 0 && v > 0))
      out.push_back({from.x + (to.x - from.x) * (u / (u - v)), from.y + (to.y - from.y) * (u / (u - v))});
  }
  return out;
}

struct RotatedBox {
  double x, y, w, h, angle;
  double area() const { return w * h; }
  // Corners seen from `origin`, in the order in which x turns to y. The y axis points downwards, so that this
  // turn is clockwise.
  Polygon corners(const Point& origin) const {
    const double s = std::sin(angle), co = std::cos(angle);
    Polygon p;
    for (const auto& [u, v] : {Point{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      const double dx = u * w / 2, dy = v * h / 2;
      p.push_back({x - origin.x + co * dx - s * dy, y - origin.y + s * dx + co * dy});
    }
    return p;
  }
};

static double rotated_overlap(const RotatedBox& a, const RotatedBox& b) {
  if (!(a.area() > 0) || !(b.area() > 0)) return 0;
  const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
  Polygon common = a.corners(middle);
  const Polygon other = b.corners(middle);
  for (size_t i = 0; i < 4 && !common.empty(); ++i) common = cut(common, other[i], other[(i + 1) % 4]);
  const double both = area(common);
  return both / (a.area() + b.area() - both);
}

}  // namespace nms_rotated

struct NmsRotated {
  static constexpr std::string_view type = "NMSRotated", opset = "opset13";
  static void schema(OpSchema& s) {
    s.doc("boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold")
        .inputs({"boxes", "scores"}, Role::fixed)
        .inputs({"max_output_boxes_per_class", "iou_threshold", "score_threshold"}, Role::any)
        .outputs(1, 3);
    s.attr<bool>("sort_result_descending", true);
    s.attr<ElementType>("output_type", ElementType::i64).attr<bool>("clockwise", true);
  }
  static void infer(InferContext& c) {
    const ScoredBoxes in = scored_boxes(c, 5);
    const Interval most = boxes_per_class(c, 2);
    require_threshold(c, 3, "iou_threshold");
    require_threshold(c, 4, "score_threshold");
    const ElementType t = index_type_attr(c, "output_type");
    const Dim all{0, (interval::minimum(Interval(in.boxes), most).to_dim() * in.batches * in.classes).max};
    c.output(0, t, {all, 3});
    if (c.outputs() > 1)
      c.output(1, c.type(3) != ElementType::unknown ? c.type(3) : common_type(c, {0, 1}), {all, 3});
    if (c.outputs() > 2) output_intervals(c, 2, t, {1}, {Interval(all)});
  }
  static void evaluate(EvalContext& c) {
    const Tensor scores_in = c.input(1);
    const auto batches = static_cast<size_t>(scores_in.dim(0)),
               classes = static_cast<size_t>(scores_in.dim(1));
    const auto count = static_cast<size_t>(scores_in.dim(2));
    Suppression s;
    s.most = std::max<int64_t>(c.input(2).integer(0), 0);
    s.overlap = threshold_input(c, 3, 0);
    s.score = threshold_input(c, 4, 0);
    const double direction = c.attr<bool>("clockwise") ? 1 : -1;
    const auto numbers = c.input(0).to_floats<double>(), scores = scores_in.to_floats<double>();
    std::vector<nms_rotated::RotatedBox> boxes;
    for (size_t i = 0; i + 4 < numbers.size(); i += 5)
      boxes.push_back(
          {numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3], direction * numbers[i + 4]});
    std::vector<Selected> list;
    for (size_t b = 0; b < batches; ++b)
      for (size_t k = 0; k < classes; ++k) {
        const auto* const at = boxes.data() + b * count;
        const auto found =
            selected_of_class(c, scores.data() + (b * classes + k) * count, count, s,
                              [&](size_t i, size_t j) { return nms_rotated::rotated_overlap(at[i], at[j]); });
        for (const auto& [box, score] : found) list.push_back({score, b, k, box});
      }
    if (c.attr<bool>("sort_result_descending")) sort_selected(list);
    const auto n = static_cast<int64_t>(list.size());
    const ElementType t = index_type_attr(c, "output_type");
    c.output(0, selected_indices(c, t, list, n));
    if (c.outputs() > 1) c.output(1, selected_scores(c, c.input(3).type(), list));
    if (c.outputs() > 2) c.output(2, Tensor::filled(c.context(), t, {static_cast<double>(n)}, {1}));
  }
};

void register_nms_rotated(Registry& r) { r.operation<NmsRotated>(); }

}  // namespace mo::opset
