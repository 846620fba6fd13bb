// SSD: what decodes the boxes of all anchors and suppresses those that overlap is DetectionOutput.
//
//   before: detection_boxes, … = NonMaxSuppression in a loop(Decode(boxes, anchors), scores)
//   after:  DetectionOutput(boxes, Sigmoid(scores), anchors and variances)
#include "support/anchor_levels.hpp"
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

// The convolutions that predict the boxes or classes of a level.
std::optional<Node> head(const Graph& g, size_t level, bool boxes) {
  const std::string shared = level == 0 ? "" : text('_', level);
  for (const std::string& name :
       {text("BoxPredictor_", level, boxes ? "/BoxEncodingPredictor" : "/ClassPredictor", "/BiasAdd"),
        text("WeightSharedConvolutionalBoxPredictor", shared, boxes ? "/BoxPredictor" : "/ClassPredictor",
             "/BiasAdd")})
    if (const auto n = g.find(name)) return n;
  return std::nullopt;
}

// The Reshape behind a head, whose number of boxes is that of the pictures in training, takes any.
void relax_reshape(const Graph& g, const Node& from, const Ints& shape) {
  OutPort p = from.out_port();
  for (int i = 0; i < 4; ++i) {
    for (const InPort& in : p.get_destinations()) {
      const Node n = in.node();
      if (!n.is("Reshape") || in.index() != 0) continue;
      if (n.attr<bool>("special_zero")) return;
      n.set("special_zero", true);
      n.in_port(1).set_source(g.create_ints(text(n.name(), "/any_size"), shape).out_port());
      return;
    }
    if (p.destination_count() != 1 || p.get_destination().node().out_count() != 1) return;
    p = p.get_destination().node().out_port();
  }
}

// Boxes and variances that follow from the sizes of the feature maps and of the picture; an empty port where
// the model is not built as the settings say.
OutPort prior_boxes(const Build& b, const DetectorSettings& s, int64_t classes) {
  if (s.custom().get("disable_prior_boxes_layers_generator", false)) return {};
  const auto levels = anchor_levels(s);
  if (!levels) return {};
  const Graph g = b.graph();
  for (size_t i = 0; i < levels->size(); ++i)
    if (!head(g, i, true) || !head(g, i, false)) return {};
  const auto size = [&](const OutPort& x) { return b.part(b.shape_of(x), 1, 3); };
  const OutPort picture = size(picture_input(g).out_port());
  Ports all;
  for (size_t i = 0; i < levels->size(); ++i) {
    const AnchorLevel& level = (*levels)[i];
    const Node boxes = *head(g, i, true);
    relax_reshape(g, boxes, {0, -1, 1, 4});
    relax_reshape(g, *head(g, i, false), {0, -1, classes});
    const Node n = g.create_node("PriorBoxClustered", "opset1", text("PriorBoxClustered_", i),
                                 {size(boxes.out_port()), picture});
    n.set("width", level.widths).set("height", level.heights).set("clip", false).set("offset", level.offset);
    n.set("step_w", level.step).set("step_h", level.step).set("step", 0.0).set("variance", variances_of(s));
    all.push_back(n.out_port());
  }
  return b.unsqueeze(b.concat(all, 1), b.list({0}));
}

// The anchors of the model as they are, normalized.
OutPort given_boxes(const Build& b, const DetectorSettings& s, const OutPort& anchors) {
  const OutPort boxes = b.reshape(swapped(b, anchors), {1, 1, -1});
  const OutPort one = b.constant(Tensor::filled(b.context(), ElementType::f32, variances_of(s), {4}));
  const OutPort count = b.part(b.shape_of(b.reshape(anchors, {-1, 4})), 0, 1);
  return b.concat({boxes, b.reshape(b.op("Tile", "opset1", {one, count}), {1, 1, -1})}, 1);
}

// Versions of the exporter give nodes behind the conversion of scores names that were before it.
void require_raw(const OutPort& scores) {
  OutPort p = scores;
  while (p.node().is("Identity") && p.node().is_in_port_connected(0)) p = p.node().in_port(0).get_source();
  const std::string op = p.node().op_name();
  require(
      op != "Sigmoid" && op != "SoftMax", "input 1 of the match reads '", p.node().name(),
      "', scores that are probabilities already; this configuration is for another version of the exporter");
}

struct DetectWithAnchors : FrontReplacementFromConfigFileSubGraph {
  DetectWithAnchors() {
    replacement_id = "ObjectDetectionAPISSDPostprocessorReplacement";
    doc = "boxes are decoded and chosen by one operation";
    describe_detection(
        *this, "NonMaxSuppressionV3 in a loop(Decode(boxes, anchors), scores)",
        "DetectionOutput(boxes, Sigmoid(scores), PriorBoxClustered)",
        {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"});
  }

  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const DetectorSettings s(g.context(), m.custom_attributes());
    const OutPort boxes = source_of(m, 0), logits = source_of(m, 1), anchors = source_of(m, 2);
    require_raw(logits);
    const std::vector<Node> old = inner_nodes(m);
    const Build b(g, m.output_node(0).node());
    const bool background = s.flag("add_background_class");
    const int64_t classes = s.integer("num_classes", 1, INT32_MAX - 1) + 1;

    const OutPort found_priors = prior_boxes(b, s, background ? classes : classes - 1);
    if (!found_priors)
      g.context().log(MO_LOG_INFO, "the boxes that the model starts from are kept as they are");
    const OutPort priors = found_priors ? found_priors : given_boxes(b, s, anchors);

    OutPort scores = logits;
    if (const double scale = s.number("postprocessing_logit_scale"); scale != 1)
      scores = b.op("Divide", "opset1", {scores, b.like(logits, scale)});
    scores = converted_scores(b, scores, 2, s);
    if (!background) {  // class 0 of DetectionOutput is none, so that labels count from 1 as the model's do
      const OutPort none = b.op("Multiply", "opset1", {in_order(b, scores, {0}), b.like(logits, 0)});
      scores = b.concat({none, scores}, -1);
    }
    const OutPort offsets = swapped(b, boxes);
    const Node n =
        detection_output(b, {b.reshape(offsets, {0, -1}), b.reshape(scores, {0, -1}), priors}, s, classes);
    n.set("background_label_id", 0).set("share_location", true).set("variance_encoded_in_target", false);
    replace_outputs(g, old, n.out_port());
    drop_unread(g, old);
  }
};

}  // namespace

void register_detect_with_anchors(Registry& r) { r.transformation<DetectWithAnchors>(); }

}  // namespace mo::tensorflow
