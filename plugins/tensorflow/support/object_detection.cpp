#include "support/object_detection.hpp"

#include <set>

namespace mo::tensorflow {

void describe_detection(Transformation& t, std::string_view before, std::string_view after,
                        const std::vector<std::string>& run_after) {
  t.before = before;
  t.after = after;
  t.frameworks = {"tf"};
  t.run_not_recursively = true;
  t.run_after = {"load.finish"};
  t.run_after.insert(t.run_after.end(), run_after.begin(), run_after.end());
  t.run_before = {"front.start"};
}

OutPort in_order(const Build& b, const OutPort& x, const Ints& order) {
  return b.gather(x, b.list(order), -1);
}

std::vector<Node> inner_nodes(const SubgraphMatch& m) {
  std::vector<Node> list;
  for (const Node& n : m.matched_nodes())
    if (!n.is("Result")) list.push_back(n);
  return list;
}

OutPort source_of(const SubgraphMatch& m, size_t i) {
  require(i < m.inputs_count(), "the entry of the configuration file gives ", m.inputs_count(),
          " inputs, but input ", i, " is needed");
  const auto readers = m.input_nodes(i);
  require(!readers.empty(), "nothing reads input ", i, " of the match");
  return readers.front().get_source();
}

static std::string native_or_own(const Node& n) {
  const std::string op = n.op_name();
  return op.starts_with("::") ? op.substr(2) : op;
}

OutPort before_reshaping(OutPort p) {
  const std::set<std::string, std::less<>> steps{"Reshape", "Squeeze",  "ExpandDims", "Identity",
                                                 "Concat",  "ConcatV2", "Pack",       "Unsqueeze"};
  constexpr int longest = 32;
  for (int i = 0; i < longest; ++i) {
    const Node n = p.node();
    const std::string op = native_or_own(n);
    if (steps.count(op) == 0) return p;
    // The one of them that is no constant.
    std::vector<OutPort> data;
    for (const InPort& in : n.in_ports())
      if (const OutPort from = in.get_source(); from && !constant_of(from)) data.push_back(from);
    if (op == "Reshape" && !data.empty()) data.resize(1);  // the shape may be computed
    if (data.size() != 1) return p;
    p = data.front();
  }
  return p;
}

std::optional<Tensor> constant_of(const OutPort& p) {
  OutPort from = p;
  constexpr int longest = 8;
  for (int i = 0; from && i < longest; ++i) {
    if (from.node().is("Const")) return from.value();
    if (native_or_own(from.node()) != "Identity" || !from.node().is_in_port_connected(0)) break;
    from = from.node().in_port(0).get_source();
  }
  return std::nullopt;
}

OutPort converted_scores(const Build& b, const OutPort& scores, int64_t axis, const DetectorSettings& s) {
  const std::string converter = s.word("postprocessing_score_converter");
  if (converter == "IDENTITY") return scores;
  if (converter == "SIGMOID") return b.op("Sigmoid", "opset1", {scores});
  require(converter == "SOFTMAX", "'postprocessing_score_converter' is '", converter,
          "'; expected IDENTITY, SIGMOID or SOFTMAX");
  return b.node("SoftMax", "opset1", {scores}).set("axis", axis).out_port();
}

std::vector<double> variances_of(const DetectorSettings& s) {
  std::vector<double> list;
  for (const double scale : s.box_scales()) list.push_back(1 / scale);
  return list;
}

Node detection_output(const Build& b, const Ports& inputs, const DetectorSettings& s, int64_t classes) {
  const Context c = b.context();
  constexpr int64_t most = INT32_MAX;
  const auto without = [&](std::string_view field) {
    for (const PipelineConfig::Field* f : s.pipeline().find(text("*/batch_non_max_suppression/", field)))
      if (f->value.text != "false" && f->value.text != "0" && f->value.text != "0.0")
        c.warn(text("pipeline.config has '", field, ": ", f->value.text,
                    "', which DetectionOutput does not do; what is detected may differ"));
  };
  without("use_class_agnostic_nms");
  without("soft_nms_sigma");
  const Node n = b.graph().create_node("DetectionOutput", "opset1", "DetectionOutput", inputs);
  n.set("num_classes", classes).set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE");
  n.set("top_k", s.integer("postprocessing_max_detections_per_class", -1, most));
  n.set("keep_top_k", Ints{s.integer("postprocessing_max_total_detections", -1, most)});
  n.set("confidence_threshold", s.number("postprocessing_score_threshold"));
  n.set("nms_threshold", s.number("postprocessing_iou_threshold"));
  n.set("clip_before_nms", s.custom().get("clip_before_nms", false));
  n.set("clip_after_nms", s.custom().get("clip_after_nms", false));
  n.set("normalized", true);
  return n;
}

void drop_unread(const Graph& g, const std::vector<Node>& nodes) {
  std::set<mo_node> left;
  for (const Node& n : nodes) left.insert(n.id());
  const auto unread = [&](const Node& n) {
    if (left.count(n.id()) == 0 || n.is("Parameter") || n.out_count() == 0) return false;
    for (const OutPort& p : n.out_ports())
      if (!p.disconnected()) return false;
    return true;
  };
  std::vector<Node> open;
  for (const Node& n : nodes) {  // one may be there twice
    if (!unread(n)) continue;
    open.push_back(n);
    left.erase(n.id());
  }
  while (!open.empty()) {
    const Node n = open.back();
    open.pop_back();
    std::vector<Node> producers;
    for (const InPort& in : n.in_ports())
      if (const OutPort from = in.get_source()) producers.push_back(from.node());
    n.remove();
    for (const Node& p : producers)
      if (unread(p)) {
        left.erase(p.id());
        open.push_back(p);
      }
  }
  g.set(detector_replaced, true);
}

void replace_outputs(const Graph& g, const std::vector<Node>& nodes, const OutPort& made) {
  std::set<mo_node> old;
  for (const Node& n : nodes) old.insert(n.id());
  for (const Node& r : g.results())
    if (const OutPort from = r.in_port(0).get_source(); old.count(from.node().id()) != 0) r.remove();
  made.set_tensor_names({made.node().name()});
  const Node r = g.create_node("Result", "opset1", text(made.node().name(), "/sink_port_0"), {made}, 0);
  r.set(MO_ATTR_KEEPS_DIMENSION_ORDER, true);  // four dimensions of rows
}

}  // namespace mo::tensorflow
