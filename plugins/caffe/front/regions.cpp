// Proposals of regions and their pooling (Faster R-CNN, R-FCN). Proposal is a layer of its own, or one in
// Python.
#include "support/registering.hpp"

namespace mo::caffe {

namespace regions {

struct Defaults {
  int64_t before, after;
  double threshold;
};

// Under the names that the parameters have in either form.
static Reals list_of(const SourceNode& l, const std::string& p, std::string_view name,
                     const Reals& fallback) {
  for (const std::string& path : {text(p, name, 's'), text(p, name)})
    if (Reals list = reals(l, path); !list.empty()) return list;
  return fallback;
}

static Ports make(const Build& b, const SourceNode& l, const std::string& p, const Defaults& d) {
  const Node n =
      b.node("Proposal", "opset4", {bottom(l, 0), bottom(l, 1), reshaped(b, bottom(l, 2), {-1})}, 2);
  n.set("feat_stride", integer(l, p + "feat_stride", 16)).set("base_size", integer(l, p + "base_size", 16));
  n.set("min_size", integer(l, p + "min_size", 16)).set("nms_thresh", real(l, p + "nms_thresh", d.threshold));
  n.set("pre_nms_topn", integer(l, p + "pre_nms_topn", d.before));
  n.set("post_nms_topn", integer(l, p + "post_nms_topn", d.after));
  n.set("ratio", list_of(l, p, "ratio", {0.5, 1, 2})).set("scale", list_of(l, p, "scale", {8, 16, 32}));
  if (l.out_count() == 1) return {n.out_port(0)};
  return {n.out_port(0), reshaped(b, n.out_port(1), {-1, 1})};
}

static Ports proposal(Build& b, const SourceNode& l) {
  if (!l.op().starts_with("Python.")) return make(b, l, "proposal_param.", {6000, 300, 0.7});
  const bool of_ssh = l.op().starts_with("Python.SSH.");
  return make(b, l, "param_str.", of_ssh ? Defaults{1000, 1000, 1.0} : Defaults{6000, 300, 0.7});
}

static Ports roi_pooling(Build& b, const SourceNode& l) {
  const Node n = b.node("ROIPooling", "opset2", {bottom(l, 0), bottom(l, 1)});
  n.set("pooled_h", integer(l, "roi_pooling_param.pooled_h", 0))
      .set("pooled_w", integer(l, "roi_pooling_param.pooled_w", 0));
  n.set("spatial_scale", real(l, "roi_pooling_param.spatial_scale", 1)).set("method", "max");
  return {n.out_port()};
}

static Ports ps_roi_pooling(Build& b, const SourceNode& l) {
  const int64_t groups = integer(l, "psroi_pooling_param.group_size", 1);
  const Node n = b.node("PSROIPooling", "opset1", {bottom(l, 0), bottom(l, 1)});
  n.set("output_dim", integer(l, "psroi_pooling_param.output_dim", 0)).set("group_size", groups);
  n.set("spatial_scale", real(l, "psroi_pooling_param.spatial_scale", 1)).set("mode", "average");
  return {n.out_port()};
}

}  // namespace regions

void register_regions(Registry& r) {
  convert<regions::proposal>(
      r, "Proposal Python.rpn.proposal_layer.ProposalLayer Python.SSH.layers.proposal_layer.ProposalLayer",
      "Proposal(scores, boxes, image)", "Proposal(scores, boxes, Reshape(image))");
  convert<regions::roi_pooling>(r, "ROIPooling", "ROIPooling(x, regions)", "ROIPooling(x, regions)");
  convert<regions::ps_roi_pooling>(r, "PSROIPooling", "PSROIPooling(x, regions)", "PSROIPooling(x, regions)");
}

}  // namespace mo::caffe
