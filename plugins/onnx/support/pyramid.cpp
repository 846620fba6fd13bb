#include "support/pyramid.hpp"

namespace mo::onnx {

NamedOutputs::NamedOutputs(const Graph& g) : graph_(g) {
  for (const Node& n : g.nodes())
    for (const OutPort& p : n.out_ports())
      for (const std::string& name : p.tensor_names()) tensors_.emplace(name, p);
}

OutPort NamedOutputs::find(std::string_view key, const std::string& name) const {
  if (const auto t = tensors_.find(name); t != tensors_.end()) return t->second;
  if (const auto n = graph_.find(name); n && n->out_count() > 0) return n->out_port();
  fail("custom attribute '", key, "' names '", name, "', but the model has no such tensor or node; this ",
       "configuration is for another model, or for another export of it");
}

std::vector<OutPort> NamedOutputs::find_all(std::string_view key,
                                            const std::vector<std::string>& names) const {
  std::vector<OutPort> ports;
  for (const std::string& n : names) ports.push_back(find(key, n));
  require(!ports.empty(), "custom attribute '", key, "' is an empty list");
  return ports;
}

// The first level is a quarter of the picture, each next one half of the one before.
static std::vector<int64_t> pyramid_scales(size_t levels) {
  require(levels <= 16, "a pyramid of ", levels, " levels is more than any model has");
  std::vector<int64_t> scales;
  for (size_t i = 0; i < levels; ++i) scales.push_back(int64_t{4} << i);
  return scales;
}

Node add_roi_extractor(const Graph& g, const RoiExtractor& e) {
  std::vector<OutPort> inputs{e.rois};
  inputs.insert(inputs.end(), e.levels.begin(), e.levels.end());
  const Node n = g.create_node("ExperimentalDetectronROIFeatureExtractor", "opset6", e.name, inputs, 2);
  n.set("output_size", e.size).set("sampling_ratio", 2);
  n.set("pyramid_scales", pyramid_scales(e.levels.size()));
  return n;
}

void take_over(const OutPort& old, const OutPort& made) { old.get_connection().set_source(made); }

}  // namespace mo::onnx
