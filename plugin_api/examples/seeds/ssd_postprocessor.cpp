// Everything between the start and end points of an SSD's postprocessor becomes one operation, started by a
// "points" entry: ssd_support.json, which is extensions/front/tf/ssd_support_api_v1.15.json.
#include "seeds.hpp"

namespace seeds {

struct SsdPostprocessor {
  static constexpr std::string_view type = "SsdPostprocessor", opset = seeds::opset;
  static void schema(mo::OpSchema& s) {
    s.doc("boxes, scores and number of detections from encoded boxes, logits and anchors")
        .inputs(3)
        .outputs(3);
    s.attr<std::string>("code_type").attr("clip_before_nms", false).attr("clip_after_nms", false);
  }
};

struct ObjectDetectionApiSsdPostprocessorReplacement : mo::FrontReplacementFromConfigFileSubGraph {
  ObjectDetectionApiSsdPostprocessorReplacement() {
    replacement_id = "ObjectDetectionAPISSDPostprocessorReplacement";
    doc = "the postprocessor of an SSD becomes one operation";
  }

  mo::NewSubGraph generate_sub_graph(mo::Graph graph, mo::SubgraphMatch& match) override {
    const mo::Json attributes = match.custom_attributes();
    const mo::Node ssd = graph.create_node("SsdPostprocessor", seeds::opset, "Postprocessor/SsdPostprocessor",
                                           std::vector<mo::OutPort>(3), 3);
    ssd.set("code_type", attributes.get<std::string>("code_type"));
    ssd.set("clip_before_nms", attributes.get("clip_before_nms", false));
    ssd.set("clip_after_nms", attributes.get("clip_after_nms", false));
    return {{"ssd", ssd}};
  }
  // Inputs and outputs are numbered as the points are listed: boxes, logits and anchors are start points 3, 1
  // and 2.
  mo::InputEdges input_edges_match(mo::Graph, mo::SubgraphMatch& match,
                                   const mo::NewSubGraph& made) override {
    const mo::Node& ssd = made.at("ssd");
    return {{match.single_input_node(3), ssd.in_port(0)},
            {match.single_input_node(1), ssd.in_port(1)},
            {match.single_input_node(2), ssd.in_port(2)}};
  }
  mo::OutputEdges output_edges_match(mo::Graph, mo::SubgraphMatch& match,
                                     const mo::NewSubGraph& made) override {
    mo::OutputEdges edges;
    for (size_t i = 0; i < match.outputs_count(); ++i)
      edges.emplace_back(match.output_node(i), made.at("ssd").out_port(i));
    return edges;
  }
};

void register_ssd_postprocessor(mo::Registry& registry) {
  registry.operation<SsdPostprocessor>();
  registry.transformation<ObjectDetectionApiSsdPostprocessorReplacement>();
}

}  // namespace seeds
