// Faster R-CNN: what makes regions of the first stage's boxes is Proposal, or DetectionOutput of two classes.
//
//   before: regions = NonMaxSuppression in a loop(Decode(boxes, anchors), Softmax(scores))
//   after:  regions = columns 1 to 4 of Proposal(Softmax(scores), boxes, image_info)
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

constexpr int64_t most_regions = int64_t{1} << 24;

// Proposal knows one number for both directions.
double same_both_ways(const DetectorSettings& s, std::string_view first, std::string_view second) {
  const double a = s.number(first), b = s.number(second);
  require(a == b, "'", first, "' is ", a, " and '", second, "' ", b,
          ", but Proposal takes one number for both; ",
          "add \"operation_to_add\": \"DetectionOutput\" to \"custom_attributes\" of the entry");
  return a;
}

// Of each place and anchor the probabilities of nothing and something: [N, 2 * anchors, H, W], first all of
// the one.
OutPort probabilities(const Build& b, const OutPort& scores, int64_t anchors) {
  const OutPort x = b.channels_first(scores, 4);
  const Node softmax = b.node("SoftMax", "opset1", {b.reshape(x, {0, anchors, 2, -1})});
  softmax.set("axis", 2);
  return b.reshape(b.transpose(softmax.out_port(), {0, 2, 1, 3}), b.shape_of(x), false);
}

OutPort image_info(const Build& b) {
  const Node n = b.graph().create_node("Parameter", "opset1", "image_info");
  const Shape shape{1, 3};
  n.set("element_type", ElementType::f32).set("shape", shape);
  n.out_port().set_shape(ElementType::f32, shape);
  n.out_port().set_tensor_names({n.name()});
  return b.reshape(n.out_port(), Ints{-1});
}

// Rows of picture, y0, x0, y1, x1.
OutPort proposals(const Build& b, const DetectorSettings& s, const OutPort& boxes, const OutPort& scores,
                  int64_t most) {
  const auto ratios = s.positive_numbers("anchor_generator_aspect_ratios"),
             scales = s.positive_numbers("anchor_generator_scales");
  const auto anchors = static_cast<int64_t>(ratios.size() * scales.size());
  for (const char* key : {"anchor_generator_height_offset", "anchor_generator_width_offset"})
    require(s.number(key) == 0, "'", key, "' is ", s.number(key), ", but anchors of Proposal start at 0; ",
            "add \"operation_to_add\": \"DetectionOutput\" to \"custom_attributes\" of the entry");
  const double coordinate_scale = same_both_ways(s, "frcnn_variance_x", "frcnn_variance_y"),
               size_scale = same_both_ways(s, "frcnn_variance_width", "frcnn_variance_height");
  same_both_ways(s, "anchor_generator_height_stride", "anchor_generator_width_stride");
  same_both_ways(s, "anchor_generator_height", "anchor_generator_width");
  const Node n =
      b.graph().create_node("Proposal", "opset1", "proposals",
                            {probabilities(b, scores, anchors), b.channels_first(boxes, 4), image_info(b)});
  n.set("framework", "tensorflow").set("min_size", 1).set("pre_nms_topn", int64_t{INT32_MAX});
  n.set("post_nms_topn", most).set("ratio", ratios).set("scale", scales).set("normalize", true);
  n.set("box_size_scale", size_scale).set("box_coordinate_scale", coordinate_scale);
  n.set("feat_stride", s.integer("anchor_generator_height_stride", 1, most_regions));
  n.set("base_size", s.integer("anchor_generator_height", 1, most_regions));
  n.set("nms_thresh", s.number("first_stage_nms_iou_threshold"));
  n.set("clip_before_nms", s.custom().get("clip_before_nms", true));
  n.set("clip_after_nms", s.custom().get("clip_after_nms", false));
  return n.out_port();
}

// The same of DetectionOutput, whose rows are picture, class, score and corners. It needs no size of the
// picture but that of the input, and takes any anchors.
OutPort detected(const Build& b, const DetectorSettings& s, const OutPort& boxes, const OutPort& scores,
                 const OutPort& anchors, int64_t most) {
  const auto f32 = [&](const std::vector<double>& v, const Ints& dims) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, v, dims));
  };
  const auto within = [&](const OutPort& x) { return b.clamp(x, 0.0, 1.0); };
  const Node softmax = b.node("SoftMax", "opset1", {b.reshape(scores, {0, -1, 2})});
  softmax.set("axis", 2);
  const OutPort size =
      b.convert(b.part(b.shape_of(picture_input(b.graph()).out_port()), 1, 3), ElementType::f32);
  const OutPort rows = b.reshape(anchors, {-1, 4});
  const OutPort normal = within(b.divide(rows, b.concat({size, size})));
  const OutPort variances =
      b.op("Tile", "opset1", {f32(variances_of(s), {4}), b.part(b.shape_of(rows), 0, 1)});
  const OutPort priors =
      b.concat({b.reshape(swapped(b, normal), {1, 1, -1}), b.reshape(variances, {1, 1, -1})}, 1);
  const OutPort offsets = swapped(b, b.reshape(boxes, {0, -1, 4}));
  const Node n =
      b.graph().create_node("DetectionOutput", "opset1", "first_do",
                            {b.reshape(offsets, {0, -1}), b.reshape(softmax.out_port(), {0, -1}), priors});
  n.set("num_classes", 2).set("background_label_id", 0).set("top_k", 6000).set("keep_top_k", Ints{most});
  n.set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE").set("normalized", true);
  n.set("share_location", true).set("variance_encoded_in_target", false);
  n.set("clip_before_nms", false).set("clip_after_nms", true).set("confidence_threshold", 0.0);
  n.set("nms_threshold", s.number("first_stage_nms_iou_threshold"));
  const OutPort found = in_order(b, n.out_port(), {0, 4, 3, 6, 5});
  const Node named = b.graph().create_node("Reshape", "opset1", "proposals", {found, b.list({-1, 5})});
  named.set("special_zero", false);
  return named.out_port();
}

// How many regions each picture has, which the second stage of Mask R-CNN reads: all that there is room for.
void state_counts(const Graph& g, const OutPort& counts, int64_t most) {
  const Shape pictures = picture_input(g).out_port().shape();
  const bool known = pictures.has_rank() && pictures[0].is_static();
  if (counts.disconnected() || !known) return;
  const int64_t n = pictures[0].value();
  const std::vector<double> all(static_cast<size_t>(n), static_cast<double>(most));
  const ElementType type = counts.type() == ElementType::unknown ? ElementType::i32 : counts.type();
  const Tensor list = Tensor::filled(g.context(), type, all, {n});
  const Node made = g.create_const(text(counts.node().name(), "/counts"), list);
  counts.get_connection().set_source(made.out_port(), Names::source);
}

struct ProposeRegions : FrontReplacementFromConfigFileSubGraph {
  ProposeRegions() {
    replacement_id = "ObjectDetectionAPIProposalReplacement";
    doc = "regions are proposed by one operation";
    describe_detection(
        *this, "NonMaxSuppressionV3 in a loop(Decode(boxes, anchors), Softmax(scores))",
        "Proposal(Softmax(scores), boxes, image_info)",
        {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"});
  }
  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const DetectorSettings s(g.context(), m.custom_attributes());
    const Build b(g, m.output_node(0).node());
    const auto operation = s.custom().get("operation_to_add", "Proposal");
    const OutPort boxes = before_reshaping(source_of(m, 0)), scores = before_reshaping(source_of(m, 1));
    const int64_t most = s.integer("first_stage_max_proposals", 1, most_regions);
    OutPort rows;
    if (operation == "DetectionOutput")
      rows = detected(b, s, boxes, scores, source_of(m, 2), most);
    else if (operation == "Proposal")
      rows = proposals(b, s, boxes, scores, most);
    else
      fail("custom attribute 'operation_to_add' is '", operation, "'; expected Proposal or DetectionOutput");
    const Node regions = g.create_node("Gather", "opset7", "crop_proposals",
                                       {b.reshape(rows, {-1, most, 5}), b.list({1, 2, 3, 4}), b.integer(2)});
    regions.set("batch_dims", 0);
    m.output_node(0).get_connection().set_source(regions.out_port(), Names::source);
    for (size_t i = 1; i < m.outputs_count(); ++i)
      if (m.output_node(i).node().name().find("NonMaxSuppression/map/TensorArrayStack") != std::string::npos)
        state_counts(g, m.output_node(i), most);
    drop_unread(g, inner_nodes(m));
  }
};

}  // namespace

void register_propose_regions(Registry& r) { r.transformation<ProposeRegions>(); }

}  // namespace mo::tensorflow
