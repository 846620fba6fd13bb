// What an SSD has found.
#include <mo/slices.hpp>
#include "support/boxes.hpp"
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"
#include "support/suppression.hpp"

namespace mo::mxnet {

namespace detecting {

// Class scores [batch, classes, anchors] with the classes last. A softmax over classes between two
// transpositions goes over the last dimension of what was transposed.
static OutPort classes_last(const Build& b, const OutPort& scores) {
  const Node softmax = scores.node();
  const Node turned = softmax.is("SoftMax") ? softmax.in_node(0) : Node();
  const bool between = turned && turned.is("Transpose") && softmax.attr<int64_t>("axis", 1) == 1 &&
                       turned.in_port(1).value() && turned.in_port(1).value()->to_ints() == Ints{0, 2, 1};
  if (!between) return b.transpose(scores, {0, 2, 1});
  const Node own = b.node("SoftMax", "opset1", {turned.in_port(0).get_source()});
  own.set("axis", 2);
  return own.out_port();
}

// [1, anchors, 4] with the variances beside them: [1, 2, anchors * 4].
static OutPort with_variances(const Build& b, const OutPort& anchors, const std::vector<double>& variances) {
  const OutPort flat = b.reshape(anchors, b.list({1, 1, -1}));
  const OutPort four = b.constant(Tensor::filled(b.context(), ElementType::f32, variances, {1, 1, 4}));
  const OutPort all = broadcast(b, four, b.shape_of(anchors));
  return b.concat({flat, b.reshape(all, b.list({1, 1, -1}))}, 1);
}

// Corners [batch, anchors, 4] of what is found at the anchors.
static OutPort decoded(const Build& b, const SourceNode& n, const std::vector<double>& variances) {
  const OutPort at = to_centers(b, b.in(2)), size = columns(b, at, 2, 2);
  const OutPort moves =
      multiply(b, b.reshape(b.in(1), Ints{0, -1, 4}), b.like(b.in(1), variances, {1, 1, 4}));
  const OutPort center = add(b, columns(b, at, 0, 2), multiply(b, columns(b, moves, 0, 2), size));
  const OutPort own_size = multiply(b, b.op("Exp", "opset1", {columns(b, moves, 2, 2)}), size);
  const OutPort boxes = to_corners(b, b.concat({center, own_size}, 2));
  return n.native("clip", true)
             ? b.node("Clamp", "opset1", {boxes}).set("min", 0.0).set("max", 1.0).out_port()
             : boxes;
}

// With force_suppress boxes of all classes displace one another, which DetectionOutput has no attribute for:
// rows [picture, class, score, box] as it writes them, chosen by NonMaxSuppression.
static Ports over_all_classes(const Build& b, const SourceNode& n, const std::vector<double>& variances) {
  const OutPort objects = slice(b, b.in(0), {{}, {1, std::nullopt}});
  const Node best = b.node("TopK", "opset3", {objects, b.integer(1)}, 2);
  best.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i32);
  const OutPort score = b.transpose(best.out_port(0), {0, 2, 1});
  const OutPort number = b.convert(b.transpose(best.out_port(1), {0, 2, 1}), ElementType::f32);
  const OutPort pictures = b.range(b.integer(0), b.reshape(b.dim(b.in(0), 0), b.list({})), 1);
  const OutPort picture =
      broadcast(b, b.reshape(b.convert(pictures, ElementType::f32), b.list({-1, 1, 1})), b.shape_of(score));
  const auto overlap = n.native("nms_threshold", 0.5);
  const Suppression s{.box = 3,
                      .score = 2,
                      .id = -1,
                      .background = -1,
                      .most = n.native("nms_topk", -1),
                      .overlap = overlap > 0 ? overlap : 1,  // nothing is suppressed
                      .least = n.native("threshold", 0.01),
                      .any_class = true,
                      .from_center = false};
  const OutPort rows = b.concat({picture, number, score, decoded(b, n, variances)}, 2);
  const BestRows chosen = best_rows(b, s, rows);
  return {b.reshape(b.select(chosen.there, chosen.rows, b.like(rows, -1)), b.list({1, 1, -1, 7}))};
}

static Ports multi_box_detection(Build& b, const SourceNode& n) {
  const int64_t classes = dim_of(b, b.in(0), 1);
  const auto variances = floats_of(n, "variances", {0.1, 0.1, 0.2, 0.2}, 4);
  if (n.native("force_suppress", false)) return over_all_classes(b, n, variances);
  const auto top = n.native("nms_topk", -1);
  const OutPort scores = b.reshape(classes_last(b, b.in(0)), Ints{0, -1});
  const Node d =
      b.node("DetectionOutput", "opset1", {b.in(1), scores, with_variances(b, b.in(2), variances)});
  d.set("num_classes", classes).set("background_label_id", 0).set("top_k", top).set("keep_top_k", Ints{top});
  d.set("variance_encoded_in_target", false).set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE");
  d.set("share_location", true).set("nms_threshold", n.native("nms_threshold", 0.5));
  d.set("confidence_threshold", n.native("threshold", 0.01));
  d.set("clip_before_nms", n.native("clip", true))
      .set("clip_after_nms", false)
      .set("decrease_label_id", true);
  d.set("normalized", true).set("objectness_score", 0.0).set("input_height", 1).set("input_width", 1);
  return {d.out_port()};
}

}  // namespace detecting

void register_multi_box_detection(Registry& r) {
  convert<detecting::multi_box_detection>(
      r, "_contrib_MultiBoxDetection MultiBoxDetection", "MultiBoxDetection(scores, locations, anchors)",
      "DetectionOutput(locations, scores, anchors with variances), or with "
      "force_suppress rows chosen by NonMaxSuppression");
}

}  // namespace mo::mxnet
