// RegionYolo before every Result: extensions/front/YOLO.py and yolo_v1_tiny.json, started by a "general"
// entry.
#include "seeds.hpp"

namespace seeds {

struct YoloRegionAddon : mo::FrontReplacementFromConfigFileGeneral {
  YoloRegionAddon() {
    replacement_id = "TFYOLO";  // the "id" of the entry
    doc = "RegionYolo in front of every Result";
    before = "Result(x)";
    after = "Result(RegionYolo(x))";
  }

  void transform_graph(mo::Graph graph, const mo::Json& attributes) override {
    for (const mo::Node& result : graph.get_op_nodes("Result")) {
      const mo::InPort in = result.in_port(0);
      const mo::Node region = graph.create_node(
          "RegionYolo", "opset1", in.get_source().node().name() + "/YoloRegion", {in.get_source()});
      region.set("axis", 1).set("end_axis", -1);
      attributes.set_attributes(region);
      // Older files write 0 and 1.
      region.set("do_softmax", attributes.get("do_softmax", true));
      in.set_source(region);
    }
  }
};

void register_yolo_region(mo::Registry& registry) { registry.transformation<YoloRegionAddon>(); }

}  // namespace seeds
