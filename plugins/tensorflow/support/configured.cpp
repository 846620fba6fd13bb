#include "support/configured.hpp"

#include <mo/config.hpp>

namespace mo::tensorflow {

Node named_node(const Graph& g, std::string_view key, const std::string& name) {
  const auto n = g.find(name);
  if (!n || n->out_count() == 0)
    fail("custom attribute '", key, "' names the node '", name, "', which the model does not have; this ",
         "configuration is for another model, or for another export of it");
  return *n;
}

void remove_results(const Graph& g) {
  for (const Node& r : g.results()) r.remove();
}

void remove_results_of(const OutPort& x) {
  for (const InPort& reader : x.get_destinations()) {
    require(reader.node().is("Result"), "'", reader.node().name(), "' reads '", x.node().name(),
            "'; expected an output of the model");
    reader.node().remove();
  }
}

void add_result(const Graph& g, const OutPort& x) {
  const std::string name = x.node().name();
  x.set_tensor_names({name});
  const Node r = g.create_node("Result", "opset1", text(name, "/sink_port_0"), {x}, 0);
  r.set(MO_ATTR_KEEPS_DIMENSION_ORDER, true);  // no picture with channels last
}

OutPort flattened(const Build& b, const OutPort& x) { return b.reshape(x, b.list({0, -1}), true); }

Node add_detection_output(const Graph& g, const std::string& name, const Ports& inputs, const Json& a,
                          const DetectionPreset& preset) {
  // Finds the number of classes by itself.
  const Node n = g.create_node("DetectionOutput", "opset8", name, inputs);
  n.set("background_label_id", a.get<int64_t>("background_label_id", preset.background));
  n.set("top_k", a.get<int64_t>("top_k", preset.top_k));
  n.set("keep_top_k", Ints{preset.keep_top_k ? a.get<int64_t>("keep_top_k", *preset.keep_top_k)
                                             : a.get<int64_t>("keep_top_k")});
  n.set("code_type", preset.code_type.empty() ? a.get<std::string>("code_type")
                                              : a.get<std::string>("code_type", preset.code_type));
  n.set("nms_threshold", preset.overlap ? *preset.overlap : a.get<double>("nms_threshold"));
  n.set("confidence_threshold", a.get<double>("confidence_threshold"));
  n.set("clip_before_nms", a.get<bool>("clip_before_nms", preset.clip_before_nms));
  // Boxes in parts of the picture, the same for all classes, each with its variances.
  n.set("share_location", a.get<bool>("share_location", true)).set("normalized", true);
  for (const std::string_view key : {"clip_after_nms", "variance_encoded_in_target", "decrease_label_id"})
    if (a.find(key) != nullptr) n.set(key, a.get<bool>(key));
  return n;
}

}  // namespace mo::tensorflow
