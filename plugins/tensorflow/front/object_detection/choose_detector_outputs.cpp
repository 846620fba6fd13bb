// The model ends at the nodes that a configuration lists: "a,b|c" are a, and b, or c where there is no b.
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

std::vector<std::string> parts_of(std::string_view list, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(separator, begin), list.size());
    if (end > begin) parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct ChooseDetectorOutputs : FrontReplacementFromConfigFileGeneral {
  ChooseDetectorOutputs() {
    replacement_id = "ObjectDetectionAPIOutputReplacement";
    doc = "detectors end at the nodes that their configuration names, unless --output says otherwise";
    describe_detection(*this, "Result(classes), Result(masks)", "Result(masks)",
                       {"ObjectDetectionAPIConstValueOverride"});
  }
  void transform_graph(Graph g, const Json& a) override {
    if (option<std::string>(g.context(), "output")) return;
    const auto wanted = a.get<std::string>("outputs");
    std::vector<Node> ends;
    for (const std::string& alternatives : parts_of(wanted, ','))
      for (const std::string& name : parts_of(alternatives, '|'))
        if (const auto n = g.find(name); n && n->out_count() > 0) {
          ends.push_back(*n);
          break;
        }
    require(
        !ends.empty(), "custom attribute 'outputs' is '", wanted,
        "', but the model has none of these nodes; this configuration is for another kind of model, or for ",
        "another version of the exporter");
    for (const Node& r : g.results()) {
      const Node from = r.in_node(0);
      const auto wanted_end = std::find(ends.begin(), ends.end(), from);
      if (wanted_end != ends.end() && r.in_port(0).get_source().index() == 0)
        ends.erase(wanted_end);  // is an output
      else
        r.remove();
    }
    for (const Node& n : ends)
      g.create_node("Result", "opset1", text(n.name(), "/sink_port_0"), {n.out_port()}, 0);
  }
};

}  // namespace

void register_choose_detector_outputs(Registry& r) { r.transformation<ChooseDetectorOutputs>(); }

}  // namespace mo::tensorflow
