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
      const mo::OutPort last = result.in_port(0).get_source();
      const mo::Node region =
          graph.create_node("RegionYolo", "opset1", last.node().name() + "/YoloRegion", {last});
      region.set("axis", 1).set("end_axis", -1);
      attributes.set_attributes(region);
      // Older files write 0 and 1.
      region.set("do_softmax", attributes.get("do_softmax", true));
      result.in_port(0).set_source(region);
      // The outputs of a model keep their names.
      region.out_port().set_tensor_names(last.tensor_names());
      last.set_tensor_names({});
    }
  }
};

void register_yolo_region(mo::Registry& registry) { registry.transformation<YoloRegionAddon>(); }

}  // namespace seeds
