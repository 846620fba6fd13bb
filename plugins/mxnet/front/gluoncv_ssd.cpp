// The end of an SSD of gluoncv: loader/gluoncv.hpp.
#include "loader/gluoncv.hpp"
#include "support/boxes.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace gluoncv {

// Centers and sizes [1, anchors, 4] become corners, with the variances beside them: [1, 2, anchors * 4].
static OutPort priors(const Build& b, const OutPort& anchors, const std::vector<double>& variances) {
  const OutPort corners = to_corners(b, b.reshape(anchors, b.list({1, -1, 4})));
  const OutPort four = b.constant(Tensor::filled(b.context(), ElementType::f32, variances, {1, 1, 4}));
  const OutPort all = b.broadcast(four, b.shape_of(corners));
  return b.concat({b.reshape(corners, b.list({1, 1, -1})), b.reshape(all, b.list({1, 1, -1}))}, 1);
}

// The end of an SSD of gluoncv: loader/gluoncv.hpp.
static Ports ssd_of_gluoncv(Build& b, const SourceNode& n) {
  const auto variances = floats_of(n, "variances", {});
  require(variances.size() == 4, "its variances are ", variances, "; expected 4 numbers");
  const OutPort scores = b.reshape(b.in(1), Ints{0, -1});
  const auto most = n.native("topk", 400);
  const Node d = b.node("DetectionOutput", "opset1", {b.in(0), scores, priors(b, b.in(2), variances)});
  d.set("num_classes", n.native<int64_t>("num_classes")).set("background_label_id", 0);
  d.set("top_k", most).set("keep_top_k", Ints{most}).set("decrease_label_id", true);
  d.set("variance_encoded_in_target", false).set("share_location", true).set("normalized", true);
  d.set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE").set("objectness_score", 0.0);
  d.set("nms_threshold", n.native("overlap_thresh", 0.45));
  d.set("confidence_threshold", n.native("valid_thresh", 0.01));
  d.set("clip_before_nms", false).set("clip_after_nms", false).set("input_height", 1).set("input_width", 1);
  return {d.out_port()};
}

}  // namespace gluoncv

void register_gluoncv_ssd(Registry& r) {
  static_assert(ssd_detection == "gluoncv.ssd_detection");  // spelt out, so that the build finds it by its id
  convert<gluoncv::ssd_of_gluoncv>(r, "gluoncv.ssd_detection", "the end of an SSD of gluoncv",
                                   "DetectionOutput(locations, scores, anchors with variances)");
}

}  // namespace mo::mxnet
