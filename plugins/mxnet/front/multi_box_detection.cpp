// What an SSD has found.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace detecting {

// Class scores [batch, classes, anchors] with the classes last. A softmax over classes between two
// transpositions goes over the last dimension of what was transposed.
static OutPort classes_last(const Build& b, const OutPort& scores) {
  const Node softmax = scores.node();
  const Node turned = softmax.op() == "SoftMax" ? softmax.in_node(0) : Node();
  const bool between = turned && turned.op() == "Transpose" && softmax.attr<int64_t>("axis", 1) == 1 &&
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

static Ports multi_box_detection(Build& b, const SourceNode& n) {
  require(!n.native("force_suppress", false),
          "suppression of boxes over all classes (force_suppress) is not supported");
  const int64_t classes = dim_of(b, b.in(0), 1);
  const auto variances = floats_of(n, "variances", {0.1, 0.1, 0.2, 0.2}, 4);
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
  convert<detecting::multi_box_detection>(r, "_contrib_MultiBoxDetection MultiBoxDetection",
                                          "MultiBoxDetection(scores, locations, anchors)",
                                          "DetectionOutput(locations, scores, anchors with variances)");
}

}  // namespace mo::mxnet
