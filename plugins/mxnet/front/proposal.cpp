// Regions that may show something.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace proposing {

static Ports proposal(Build& b, const SourceNode& n) {
  require(!n.native("iou_loss", false), "iou_loss is not supported");
  // The IR has one list of the sizes of the picture; the batch is 1 in what MXNet's operator reads.
  const OutPort sizes = b.reshape(b.in(2), b.list({-1}));
  const auto stride = n.native("feature_stride", n.native("feat_stride", 16));
  const Node p = b.node("Proposal", "opset4", {b.in(0), b.in(1), sizes}, 2);
  p.set("base_size", stride).set("feat_stride", stride).set("min_size", n.native("rpn_min_size", 16));
  p.set("pre_nms_topn", n.native("rpn_pre_nms_top_n", 6000))
      .set("post_nms_topn", n.native("rpn_post_nms_top_n", 300));
  p.set("nms_thresh", n.native("threshold", 0.7));
  p.set("ratio", floats_of(n, "ratios", {0.5, 1, 2})).set("scale", floats_of(n, "scales", {4, 8, 16, 32}));
  p.set("clip_before_nms", true).set("clip_after_nms", false).set("normalize", false);
  p.set("framework", "").set("box_size_scale", 1.0).set("box_coordinate_scale", 1.0);
  if (n.out_count() == 1) return {p.out_port(0)};
  return {p.out_port(0), b.unsqueeze(p.out_port(1), b.list({1}))};
}

}  // namespace proposing

void register_proposal(Registry& r) {
  convert<proposing::proposal>(r, "_contrib_Proposal Proposal Custom.proposal",
                               "_contrib_Proposal(scores, deltas, size)", "Proposal(scores, deltas, size)");
}

}  // namespace mo::mxnet
