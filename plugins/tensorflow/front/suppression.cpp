// NonMaxSuppression in its versions, and CombinedNonMaxSuppression for batches of classes.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace suppression {

static OutPort column(const Build& b, const OutPort& rows, int64_t index) {
  return b.op("Gather", "opset7", {rows, b.integer(index), b.integer(1)});
}
static OutPort scalar(const Build& b, const OutPort& x, ElementType type) {
  return b.reshape(b.convert(x, type), b.list({}));
}
static OutPort number(const Build& b, const OutPort& like, double v) {
  return b.constant(Tensor::filled(
      b.context(), like.type() == ElementType::unknown ? ElementType::f32 : like.type(), {v}, {}));
}

struct Selected {
  OutPort indices, scores;  // a row for each box: batch, class, box; batch, class, score
};
static Selected select(const Build& b, const OutPort& boxes, const OutPort& scores, const Ports& limits,
                       ElementType type) {
  Ports inputs{boxes, scores};
  inputs.insert(inputs.end(), limits.begin(), limits.end());
  const Node n = b.node("NonMaxSuppression", "opset5", inputs, 3);
  n.set("box_encoding", "corner").set("sort_result_descending", false).set("output_type", type);
  return {n.out_port(0), n.out_port(1)};
}

// Zeros behind the elements up to `size`.
static OutPort padded(const Build& b, const OutPort& list, const OutPort& size, ElementType type) {
  const OutPort missing = b.subtract(size, b.shape_of(list));
  const OutPort zero = b.constant(Tensor::filled(b.context(), type, {0}, {}));
  return b.concat({list, b.op("Broadcast", "opset3", {zero, missing})});
}

}  // namespace suppression

// Inputs: boxes, scores, number of boxes, and from version 2 on IoU; from 3 on the least score; 5:
// soft_nms_sigma.
static Ports non_max_suppression(Build& b, const SourceNode& n) {
  using namespace suppression;
  const OutPort boxes = b.in(0), scores = b.in(1);
  require_float(scores, "the input of scores");
  const ElementType type = scores.type() == ElementType::unknown ? ElementType::f32 : scores.type();
  const auto given = [&](size_t i, double fallback) {
    return b.has(i) ? b.convert(b.in(i), type) : number(b, scores, fallback);
  };
  Ports limits{b.convert(b.in(2), ElementType::i64), given(3, n.native("iou_threshold", 0.5)),
               given(4, std::numeric_limits<float>::lowest())};
  if (type == ElementType::f16 && !b.has(4)) limits[2] = number(b, scores, -65504);
  if (b.has(5)) limits.push_back(given(5, 0));
  // Runtimes want to see that boxes have four numbers, which loops over pictures hide.
  const Selected s = select(b, b.reshape(boxes, Ints{1, -1, 4}), b.unsqueeze(scores, b.list({0, 1})), limits,
                            ElementType::i32);
  OutPort indices = column(b, s.indices, 2), values;
  const bool soft = n.is("NonMaxSuppressionV5");
  if (soft && b.wants(1)) {
    values = column(b, s.scores, 2);
    values.set_shape(type, Shape::unknown());
  }
  indices.set_shape(ElementType::i32, Shape::unknown());
  const OutPort valid = scalar(b, b.shape_of(indices), ElementType::i32);
  if (n.native("pad_to_max_output_size", false)) {
    const OutPort size = b.reshape(b.convert(b.in(2), ElementType::i64), Ints{1});
    if (b.wants(0)) indices = padded(b, indices, size, ElementType::i32);
    if (values) values = padded(b, values, size, type);
  }
  if (soft) return {indices, values, valid};
  if (n.out_count() == 1) return {indices};
  return {indices, valid};
}

// Of all classes the best boxes of each sample. Selected scores stand in a tensor [batch, class * box] from
// which the best are taken; what is not selected is less than any of them.
static Ports combined_non_max_suppression(Build& b, const SourceNode& n) {
  using namespace suppression;
  const OutPort boxes = b.in(0), scores = b.in(1);  // [batch, box, 1 or class, 4], [batch, box, class]
  require_float(scores, "the input of scores");
  const ElementType type = scores.type() == ElementType::unknown ? ElementType::f32 : scores.type();
  const auto f = [&](double v) { return b.constant(Tensor::filled(b.context(), type, {v}, {})); };
  const Shape s = boxes.shape();
  if (s.rank() != 4 || !s[2].is_static()) b.graph().infer_marked();
  const Shape known = boxes.shape();
  require(known.rank() == 4 && known[2].is_static(), "the boxes have shape ", known,
          "; expected rank 4 and a known number of classes of the boxes");
  const bool shared = known[2] == Dim(1);
  const OutPort shape = b.shape_of(scores), batch = b.part(shape, 0, 1), count = b.part(shape, 1, 2),
                classes = b.part(shape, 2, 3);
  const OutPort by_class = b.transpose(scores, {0, 2, 1});  // [batch, class, box]
  // With boxes of its own each class is a batch.
  const OutPort groups = shared ? batch : b.multiply(batch, classes);
  const OutPort in_group = shared ? classes : b.list({1});
  const OutPort all_boxes =
      shared ? b.squeeze(boxes, {2})
             : b.reshape(b.transpose(boxes, {0, 2, 1, 3}), b.concat({groups, count, b.list({4})}));
  const OutPort all_scores = shared ? by_class : b.reshape(by_class, b.concat({groups, in_group, count}));
  const auto limit = [&](size_t i, ElementType t) { return b.reshape(b.convert(b.in(i), t), b.list({})); };
  const Selected found =
      select(b, all_boxes, all_scores, {limit(2, ElementType::i64), limit(4, type), limit(5, type)},
             ElementType::i64);
  const double none = type == ElementType::f16 ? -65504 : std::numeric_limits<float>::lowest();
  const OutPort empty = b.op("Broadcast", "opset3", {f(none), b.concat({groups, in_group, count})});
  const OutPort chosen = b.op("GatherND", "opset5", {all_scores, found.indices});
  const OutPort dense = b.op("ScatterNDUpdate", "opset4", {empty, found.indices, chosen});
  const OutPort most = b.reshape(b.convert(b.in(3), ElementType::i64), Ints{1});
  OutPort size = most;
  if (n.native("pad_per_class", false)) {
    const OutPort per_class = b.reshape(b.convert(b.in(2), ElementType::i64), Ints{1});
    size = b.op("Minimum", "opset1", {most, b.multiply(per_class, classes)});
  }
  const OutPort row = b.reshape(dense, b.concat({batch, b.list({-1})}));
  const OutPort filled = b.concat({row, b.op("Broadcast", "opset3", {f(none), b.concat({batch, size})})}, 1);
  const Node top = b.node("TopK", "opset3", {filled, b.reshape(size, b.list({}))}, 2);
  top.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const OutPort best = top.out_port(0), flat = top.out_port(1);
  const OutPort valid = b.op("Greater", "opset1", {best, f(none)});
  const auto kept = [&](const OutPort& x, const OutPort& zero) { return b.select(valid, x, zero); };
  const OutPort place = kept(flat, b.integer(0));
  const OutPort of_class = b.divide(place, count);
  const OutPort of_box = b.op("FloorMod", "opset1", {place, count});
  const auto gathered = [&](const OutPort& from, const OutPort& index) {
    return b.gather(from, index, 1, 1);
  };
  OutPort corners;
  if (shared) {
    corners = gathered(b.squeeze(boxes, {2}), of_box);
  } else {
    const OutPort flat_boxes =
        b.reshape(b.transpose(boxes, {0, 2, 1, 3}), b.concat({batch, b.list({-1, 4})}));
    corners = gathered(flat_boxes, place);
  }
  if (n.native("clip_boxes", true)) {
    const Node clamp = b.node("Clamp", "opset1", {corners});
    clamp.set("min", 0.0).set("max", 1.0);
    corners = clamp.out_port();
  }
  const OutPort mask = b.convert(valid, type);
  return {b.multiply(corners, b.unsqueeze(mask, b.list({-1}))), kept(best, f(0)),
          b.multiply(b.convert(of_class, type), mask),
          b.reduce("ReduceSum", b.convert(valid, ElementType::i32), b.list({1}), false)};
}

void register_suppression(Registry& r) {
  for (const char* op : {"NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3",
                         "NonMaxSuppressionV4", "NonMaxSuppressionV5"})
    replace<non_max_suppression>(r, {op, text(op, "(boxes, scores, limit, overlap)"),
                                     "Gather(NonMaxSuppression-5(boxes, scores), 2)"});
  replace<combined_non_max_suppression>(
      r, {"CombinedNonMaxSuppression", "CombinedNonMaxSuppression(boxes, scores)",
          "TopK(ScatterNDUpdate(NonMaxSuppression-5(boxes, scores)))"});
}

}  // namespace mo::tensorflow
