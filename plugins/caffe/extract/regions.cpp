// Proposals of regions and their pooling (Faster R-CNN, R-FCN). Proposal is a layer of its own, or one in
// Python.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace regions {

struct Defaults {
  int64_t before, after;
  double threshold;
};

// Under the names that the parameters have in either form.
static Reals list_of(const Layer& l, const std::string& p, std::string_view name, const Reals& fallback) {
  for (const std::string& path : {text(p, name, 's'), text(p, name)})
    if (Reals list = l.reals(path); !list.empty()) return list;
  return fallback;
}

static Ports make(Layer& l, const std::string& p, const Defaults& d) {
  const Node n = l.with("Proposal", "opset4", {l.in(0), l.in(1), l.reshape(l.in(2), {-1})}, 2);
  n.set("feat_stride", l.integer(p + "feat_stride", 16)).set("base_size", l.integer(p + "base_size", 16));
  n.set("min_size", l.integer(p + "min_size", 16)).set("nms_thresh", l.real(p + "nms_thresh", d.threshold));
  n.set("pre_nms_topn", l.integer(p + "pre_nms_topn", d.before));
  n.set("post_nms_topn", l.integer(p + "post_nms_topn", d.after));
  n.set("ratio", list_of(l, p, "ratio", {0.5, 1, 2})).set("scale", list_of(l, p, "scale", {8, 16, 32}));
  if (l.tops() == 1) return {n.out_port(0)};
  return {n.out_port(0), l.reshape(n.out_port(1), {-1, 1})};
}

static Ports native_form(Layer& l) { return make(l, "proposal_param.", {6000, 300, 0.7}); }
static Ports python_form(Layer& l) { return make(l, "param_str.", {6000, 300, 0.7}); }
static Ports ssh_form(Layer& l) { return make(l, "param_str.", {1000, 1000, 1.0}); }

static Ports roi_pooling(Layer& l) {
  const Node n = l.with("ROIPooling", "opset2", {l.in(0), l.in(1)});
  n.set("pooled_h", l.integer("roi_pooling_param.pooled_h", 0))
      .set("pooled_w", l.integer("roi_pooling_param.pooled_w", 0));
  n.set("spatial_scale", l.real("roi_pooling_param.spatial_scale", 1)).set("method", "max");
  return {n.out_port()};
}

static Ports ps_roi_pooling(Layer& l) {
  const int64_t groups = l.integer("psroi_pooling_param.group_size", 1);
  const Node n = l.with("PSROIPooling", "opset1", {l.in(0), l.in(1)});
  n.set("output_dim", l.integer("psroi_pooling_param.output_dim", 0)).set("group_size", groups);
  n.set("spatial_scale", l.real("psroi_pooling_param.spatial_scale", 1)).set("mode", "average");
  return {n.out_port()};
}

}  // namespace regions

void register_regions(Items& items) {
  items.layer("Proposal", &regions::native_form);
  items.python_layer("rpn.proposal_layer.ProposalLayer", &regions::python_form);
  items.python_layer("SSH.layers.proposal_layer.ProposalLayer", &regions::ssh_form);
  items.layer("ROIPooling", &regions::roi_pooling);
  items.layer("PSROIPooling", &regions::ps_roi_pooling);
}

}  // namespace mo::caffe
