// Mask R-CNN: the features for the masks are those in the boxes that DetectionOutput gives.
//   before: CropAndResize(features, boxes)
//   after:  ROIPooling(features, columns 0 and 3 to 6 of DetectionOutput)
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

struct CropDetections : FrontReplacementFromConfigFileSubGraph {
  CropDetections() {
    replacement_id = "ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement";
    doc = "features for masks are those in the boxes of DetectionOutput";
    describe_detection(*this, "CropAndResize(features, boxes)", "ROIPooling(features, DetectionOutput)",
                       {"ObjectDetectionAPIProposalReplacement"});
  }
  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const DetectorSettings s(g.context(), m.custom_attributes());
    const Build b(g, m.output_node(0).node());
    const auto found = g.find("DetectionOutput");
    require(found.has_value(),
            "the model has no DetectionOutput of ObjectDetectionAPIDetectionOutputReplacement; ",
            "is that entry in the configuration file, and was it applied?");
    const int64_t size = s.integer("initial_crop_size", 1, 1 << 16);
    const Node rows =
        g.create_node("Reshape", "opset1", "reshape_do_2d", {found->out_port(), b.list({-1, 7})});
    rows.set("special_zero", false);
    // The output of the model has two dimensions.
    for (const InPort& in : found->out_port().get_destinations())
      if (in.node().is("Result")) in.set_source(rows.out_port());
    found->out_port().set_tensor_names({});
    rows.out_port().set_tensor_names({rows.name()});

    const OutPort regions = in_order(b, rows.out_port(), {0, 3, 4, 5, 6});
    const Node pool = g.create_node("ROIPooling", "opset2", "ROI_pooling_2",
                                    {b.channels_first(source_of(m, 0), 4), regions});
    pool.set("pooled_h", size).set("pooled_w", size).set("spatial_scale", 1.0).set("method", "bilinear");
    m.output_node(0).get_connection().set_source(b.channels_last(pool.out_port(), 4), Names::source);
    drop_unread(g, inner_nodes(m));
  }
};

}  // namespace

void register_crop_detections(Registry& r) { r.transformation<CropDetections>(); }

}  // namespace mo::tensorflow
