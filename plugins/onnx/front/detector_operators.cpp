// Operators that detectors trained elsewhere carry over into ONNX under the names of operations of the IR: in
// the domain org.openvinotoolkit, or, from older exporters, in none.
#include <cmath>

#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

namespace detectors {

using Floats = std::vector<double>;

// Registers for both domains.
template <MakeOperator Make>
static void both(Registry& r, std::string_view op, std::string_view before, std::string_view after) {
  replace<Make>(r, {op, before, after, {}, {}, "org.openvinotoolkit"});
}

static Floats floats(const SourceNode& n, std::string_view name, Floats fallback = {}) {
  auto list = n.find_native<Floats>(name);
  return list && !list->empty() ? *list : fallback;
}

// Height and width of pictures.
static OutPort picture_size(const Build& b, size_t input) { return b.part(b.shape_of(b.in(input)), 2, 4); }

static Ports fake_quantize(Build& b, const SourceNode& n) {
  const Node f = b.node("FakeQuantize", "opset1", {b.in(0), b.in(1), b.in(2), b.in(3), b.in(4)});
  f.set("levels", n.native<int64_t>("levels"));
  return {f.out_port()};
}

// With a scale for each channel, or one for all.
static Ports normalize(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const bool across = n.native("across_spatial", 0) != 0;
  const OutPort axes = across ? b.axes(x, 1, INT64_MAX) : b.list({1});
  const Node norm = b.node("NormalizeL2", "opset1", {x, axes});
  norm.set("eps", n.native("eps", 1e-10)).set("eps_mode", "add");
  if (!b.has(1)) return {norm.out_port()};
  const OutPort scale = n.native("channel_shared", 0) != 0 ? b.reshape(b.in(1), Ints{1})
                                                           : b.reshape(b.in(1), Ints{1, -1, 1, 1});
  return {b.multiply(norm.out_port(), scale)};
}

static Ports group_norm(Build& b, const SourceNode& n) {
  const Node g = b.node("GroupNormalization", "opset12", {b.in(0), b.in(1), b.in(2)});
  g.set("num_groups", n.native("num_groups", 1)).set("epsilon", n.native("eps", 1e-6));
  return {g.out_port()};
}

static Ports deformable_conv(Build& b, const SourceNode& n) {
  const Node c = b.node("DeformableConvolution", "opset1", {b.in(0), b.in(1), b.in(2)});
  set_strides_and_pads(c, read_windows(n, 2));
  c.set("group", n.native("group", 1)).set("deformable_group", n.native("deformable_group", 1));
  return {c.out_port()};
}

// The result is [2, n] and had a batch of one in the networks these come from.
static Ports with_batch(const Build& b, const Node& prior) {
  return {b.unsqueeze(prior.out_port(), b.list({0}))};
}

static Ports prior_box(Build& b, const SourceNode& n) {
  const Node p = b.node("PriorBox", "opset1", {picture_size(b, 0), picture_size(b, 1)});
  p.set("min_size", floats(n, "min_size")).set("max_size", floats(n, "max_size"));
  p.set("aspect_ratio", floats(n, "aspect_ratio")).set("variance", floats(n, "variance", {0.1}));
  p.set("flip", n.native("flip", 0) != 0).set("clip", n.native("clip", 0) != 0);
  p.set("step", n.native("step", 0.0)).set("offset", n.native("offset", 0.0));
  p.set("fixed_size", floats(n, "fixed_size")).set("fixed_ratio", floats(n, "fixed_ratio"));
  p.set("density", floats(n, "density")).set("scale_all_sizes", n.native("scale_all_sizes", 1) != 0);
  return with_batch(b, p);
}

static Ports prior_box_clustered(Build& b, const SourceNode& n) {
  const Node p = b.node("PriorBoxClustered", "opset1", {picture_size(b, 0), picture_size(b, 1)});
  p.set("width", floats(n, "width")).set("height", floats(n, "height"));
  p.set("variance", floats(n, "variance", {0.1})).set("clip", n.native("clip", 0) != 0);
  p.set("step", n.native("step", 0.0)).set("offset", n.native("offset", 0.0));
  p.set("step_w", n.native("step_w", 0.0)).set("step_h", n.native("step_h", 0.0));
  return with_batch(b, p);
}

static Ports detection_output(Build& b, const SourceNode& n) {
  Ports inputs;
  for (size_t i = 0; i < n.in_count(); ++i) inputs.push_back(b.in(i));
  const auto code = n.native("code_type", "CORNER");
  require(code == "CORNER" || code == "CENTER_SIZE", "attribute 'code_type' is '", code,
          "', expected CORNER or CENTER_SIZE");
  const Node d = b.node("DetectionOutput", "opset1", inputs);
  const auto flag = [&](std::string_view name, int fallback) { d.set(name, n.native(name, fallback) != 0); };
  d.set("num_classes", n.native<int64_t>("num_classes"));
  d.set("background_label_id", n.native("background_label_id", 0)).set("top_k", n.native("top_k", -1));
  const auto keep = n.find_native<Ints>("keep_top_k");
  d.set("keep_top_k", keep && !keep->empty() ? *keep : Ints{n.native("keep_top_k", -1)});
  d.set("code_type", "caffe.PriorBoxParameter." + code);
  d.set("nms_threshold", n.native("nms_threshold", 0.0));
  d.set("confidence_threshold", n.native("confidence_threshold", 0.0));
  d.set("input_height", n.native("input_height", 1)).set("input_width", n.native("input_width", 1));
  d.set("objectness_score", n.native("objectness_score", 0.0));
  flag("variance_encoded_in_target", 0);
  flag("share_location", 1);
  flag("clip_after_nms", 0);
  flag("clip_before_nms", 0);
  flag("decrease_label_id", 0);
  flag("normalized", 1);
  return {d.out_port()};
}

static Ports detectron_output(Build& b, const SourceNode& n) {
  const Node d =
      b.node("ExperimentalDetectronDetectionOutput", "opset6", {b.in(0), b.in(1), b.in(2), b.in(3)}, 3);
  d.set("class_agnostic_box_regression", n.native("class_agnostic_box_regression", 0) != 0);
  d.set("max_detections_per_image", n.native("max_detections_per_image", 100));
  d.set("nms_threshold", n.native("nms_threshold", 0.5)).set("num_classes", n.native("num_classes", 81));
  d.set("post_nms_count", n.native("post_nms_count", 2000));
  d.set("score_threshold", n.native("score_threshold", 0.05));
  d.set("max_delta_log_wh", n.native("max_delta_log_wh", std::log(1000.0 / 16.0)));
  d.set("deltas_weights", floats(n, "deltas_weights", {10, 10, 5, 5}));
  Ports outputs = d.out_ports();
  outputs.resize(std::min<size_t>(3, n.out_count()));
  return outputs;
}

static Ports detectron_proposals(Build& b, const SourceNode& n) {
  const Node p = b.node("ExperimentalDetectronGenerateProposalsSingleImage", "opset6",
                        {b.in(0), b.in(1), b.in(2), b.in(3)}, 2);
  p.set("min_size", n.native("min_size", 0.0)).set("nms_threshold", n.native("nms_threshold", 0.7));
  p.set("post_nms_count", n.native("post_nms_count", 1000));
  p.set("pre_nms_count", n.native("pre_nms_count", 1000));
  Ports outputs = p.out_ports();
  outputs.resize(std::min<size_t>(2, n.out_count()));
  return outputs;
}

static Ports detectron_prior_grid(Build& b, const SourceNode& n) {
  const Node p = b.node("ExperimentalDetectronPriorGridGenerator", "opset6", {b.in(0), b.in(1), b.in(2)});
  p.set("flatten", n.native("flatten", 1) != 0).set("h", n.native("h", 0)).set("w", n.native("w", 0));
  p.set("stride_x", n.native("stride_x", 0.0)).set("stride_y", n.native("stride_y", 0.0));
  return {p.out_port()};
}

static Ports detectron_features(Build& b, const SourceNode& n) {
  Ports inputs;
  for (size_t i = 0; i < n.in_count(); ++i) inputs.push_back(b.in(i));
  require(inputs.size() >= 2, "it has ", inputs.size(), " inputs, expected regions and feature maps");
  const Node f = b.node("ExperimentalDetectronROIFeatureExtractor", "opset6", inputs, 2);
  f.set("output_size", n.native("output_size", 7)).set("sampling_ratio", n.native("sampling_ratio", 2));
  auto scales = n.find_native<Ints>("pyramid_scales").value_or(Ints{4, 8, 16, 32, 64});
  require(scales.size() + 1 >= inputs.size(), "attribute 'pyramid_scales' has ", scales.size(),
          " entries for ", inputs.size() - 1, " feature maps");
  scales.resize(inputs.size() - 1);
  f.set("pyramid_scales", scales).set("aligned", n.native("aligned", 0) != 0);
  Ports outputs = f.out_ports();
  outputs.resize(std::min<size_t>(2, n.out_count()));
  return outputs;
}

static Ports detectron_top_k(Build& b, const SourceNode& n) {
  const Node t = b.node("ExperimentalDetectronTopKROIs", "opset6", {b.in(0), b.in(1)});
  t.set("max_rois", n.native("max_rois", 1000));
  return {t.out_port()};
}

}  // namespace detectors

void register_detector_operators(Registry& r) {
  using namespace detectors;
  both<detectors::fake_quantize>(r, "FakeQuantize", "FakeQuantize(x, …)", "FakeQuantize-1(x, …)");
  both<normalize>(r, "Normalize", "Normalize(x, scale)", "Multiply(NormalizeL2(x, axes), scale)");
  both<group_norm>(r, "GroupNorm", "GroupNorm(x, scale, bias)", "GroupNormalization-12(x, scale, bias)");
  both<group_norm>(r, "ExperimentalDetectronGroupNorm", "ExperimentalDetectronGroupNorm(x, scale, bias)",
                   "GroupNormalization-12(x, scale, bias)");
  both<deformable_conv>(r, "DeformableConv2D", "DeformableConv2D(x, offset, w)",
                        "DeformableConvolution(x, offset, w)");
  both<prior_box>(r, "PriorBox", "PriorBox(x, picture)", "Unsqueeze(PriorBox-1(size of x, size of picture))");
  both<prior_box_clustered>(r, "PriorBoxClustered", "PriorBoxClustered(x, picture)",
                            "Unsqueeze(PriorBoxClustered-1(size of x, size of picture))");
  both<detection_output>(r, "DetectionOutput", "DetectionOutput(boxes, classes, priors)",
                         "DetectionOutput-1(boxes, classes, priors)");
  both<detectron_output>(r, "ExperimentalDetectronDetectionOutput", "ExperimentalDetectronDetectionOutput(…)",
                         "the same of opset6");
  both<detectron_proposals>(r, "ExperimentalDetectronGenerateProposalsSingleImage",
                            "ExperimentalDetectronGenerateProposalsSingleImage(…)", "the same of opset6");
  both<detectron_prior_grid>(r, "ExperimentalDetectronPriorGridGenerator",
                             "ExperimentalDetectronPriorGridGenerator(…)", "the same of opset6");
  both<detectron_features>(r, "ExperimentalDetectronROIFeatureExtractor",
                           "ExperimentalDetectronROIFeatureExtractor(…)", "the same of opset6");
  both<detectron_top_k>(r, "ExperimentalDetectronTopKROIs", "ExperimentalDetectronTopKROIs(…)",
                        "the same of opset6");
}

}  // namespace mo::onnx
