#include "support/class_boxes.hpp"

namespace mo::opset::class_boxes {

void schema(OpSchema& s) {
  s.outputs(3);
  // "class" is the specification's word; OpenVINO reads and writes "classid" (multiclass_nms_base.cpp).
  s.attr<std::string>("sort_result_type", "none").one_of({"class", "classid", "score", "none"});
  s.attr<bool>("sort_result_across_batch", false);
  s.attr<ElementType>("output_type", ElementType::i64);
  s.attr<double>("score_threshold", 0.0).attr<int64_t>("nms_top_k", -1).attr<int64_t>("keep_top_k", -1);
  s.attr<int64_t>("background_class", -1).attr<bool>("normalized", true);
}

void name_the_order(const Node& n, IrAttributes& out) {
  // Both words, so that a file that is read and written again is the same.
  const auto order = n.attr<std::string>("sort_result_type");
  if (order == "class" || order == "classid") out.add("sort_result_type", "classid");
}

Limits limits(const OpContext& c) {
  return {int_attr(c, "nms_top_k", -1), int_attr(c, "keep_top_k", -1), int_attr(c, "background_class", -1)};
}

namespace {
Dim at_most(const Dim& d, int64_t limit) {
  return limit < 0 ? d : interval::minimum(Interval(d), Interval(limit)).to_dim();
}
bool sorts_by_class(const OpContext& c) {
  const auto order = c.attr<std::string>("sort_result_type");
  return order == "class" || order == "classid";
}
bool better(const Row& a, const Row& b) {
  if (a.score != b.score) return a.score > b.score;
  return std::tie(a.image, a.label, a.box) < std::tie(b.image, b.label, b.box);
}
bool by_class(const Row& a, const Row& b) {
  if (a.label != b.label) return a.label < b.label;
  return a.image != b.image ? a.image < b.image : better(a, b);
}
}  // namespace

Dim selected_per_image(const Limits& l, const Dim& boxes, const Dim& classes) {
  Dim used = classes;
  if (l.background >= 0 && !classes.is_unbounded() && l.background < classes.max)
    used = Dim(0, classes.max - 1);
  const Dim all = at_most(at_most(boxes, l.per_class) * used, l.per_image);
  return {0, all.max};
}

void outputs(const InferContext& c, const Dim& per_image, const Dim& all, const Dim& images) {
  const ElementType t = index_type_attr(c, "output_type");
  c.output(0, common_type(c, {0, 1}), {Dim(0, all.max), 6});
  c.output(1, t, {Dim(0, all.max), 1});
  if (may_have_bounds(t, {images}))
    output_intervals(c, 2, t, {images},
                     std::vector<Interval>(static_cast<size_t>(images.value()), Interval(per_image)));
  else
    c.output(2, t, {images});
}

void arrange_image(const OpContext& c, std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), better);
  const auto most = limits(c).per_image;
  if (most >= 0 && rows.size() > static_cast<size_t>(most))
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
  if (sorts_by_class(c) && !c.attr<bool>("sort_result_across_batch"))
    std::stable_sort(rows.begin(), rows.end(), by_class);
}

void finish(const EvalContext& c, std::vector<Row>& rows, const std::vector<int64_t>& per_image) {
  const auto order = c.attr<std::string>("sort_result_type");
  if (c.attr<bool>("sort_result_across_batch") && order != "none")
    std::stable_sort(rows.begin(), rows.end(), order == "score" ? better : by_class);
  std::vector<double> numbers, places;
  for (const Row& r : rows) {
    numbers.push_back(static_cast<double>(r.label));
    numbers.push_back(r.score);
    numbers.insert(numbers.end(), r.corners.begin(), r.corners.end());
    places.push_back(static_cast<double>(r.place));
  }
  const auto n = static_cast<int64_t>(rows.size());
  const ElementType t = index_type_attr(c, "output_type");
  c.output(0, tensor_of(c, c.input(0).type(), {n, 6}, numbers));
  c.output(1, Tensor::filled(c.context(), t, places, {n, 1}));
  c.output(2, Tensor::filled(c.context(), t, {per_image.begin(), per_image.end()},
                             {static_cast<int64_t>(per_image.size())}));
}

}  // namespace mo::opset::class_boxes
