// R-FCN: each bin of a region has channels of its own.
//   before: mean of CropAndResize for each bin, in a loop over the pictures(maps, regions)
//   after:  Reshape(ReduceMean(PSROIPooling(maps, Proposal)))
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

struct PoolByPosition : FrontReplacementFromConfigFileSubGraph {
  PoolByPosition() {
    replacement_id = "ObjectDetectionAPIPSROIPoolingReplacement";
    doc = "position-sensitive crops of regions are pooled by one operation";
    describe_detection(*this, "Mean(CropAndResize(map, regions)) in a loop",
                       "ReduceMean(PSROIPooling(maps, regions))", {"ObjectDetectionAPIProposalReplacement"});
  }
  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const DetectorSettings s(g.context(), m.custom_attributes());
    const OutPort maps = source_of(m, 0);
    const Build b(g, m.output_node(0).node());
    const auto proposals = g.find("proposals");
    require(proposals.has_value(), "the model has no regions of ObjectDetectionAPIProposalReplacement; ",
            "is that entry in the configuration file, and was it applied?");
    constexpr int64_t most = 1 << 16;
    const int64_t classes = s.integer("num_classes", 1, most);
    const bool of_classes = maps.node().name().find("class_predictions") != std::string::npos;
    const int64_t depth = of_classes ? classes + 1 : classes * 4;
    const int64_t bins_x = s.integer("num_spatial_bins_width", 1, most),
                  bins_y = s.integer("num_spatial_bins_height", 1, most),
                  height = s.integer("crop_height", 1, most), width = s.integer("crop_width", 1, most);
    require(height % bins_y == 0 && width % bins_x == 0 && height / bins_y == width / bins_x, "crops of ",
            height, " x ", width, " in ", bins_y, " x ", bins_x,
            " bins; PSROIPooling takes bins of the same whole height and width");
    const OutPort regions = in_order(b, b.reshape(proposals->out_port(), {-1, 5}), {0, 2, 1, 4, 3});
    const Node pool = b.node("PSROIPooling", "opset1", {b.channels_first(maps, 4), regions});
    pool.set("output_dim", depth).set("group_size", width / bins_x).set("mode", "bilinear");
    pool.set("spatial_bins_x", bins_x).set("spatial_bins_y", bins_y).set("spatial_scale", 1.0);
    // As the loop gives it: [pictures, regions, 1, 1, channels].
    const OutPort mean = b.reduce("ReduceMean", pool.out_port(), b.list({2, 3}), false);
    const int64_t count = s.integer("first_stage_max_proposals", 1, int64_t{1} << 24);
    m.output_node(0).get_connection().set_source(b.reshape(mean, {-1, count, 1, 1, depth}), Names::source);
    drop_unread(g, inner_nodes(m));
  }
};

}  // namespace

void register_pool_by_position(Registry& r) { r.transformation<PoolByPosition>(); }

}  // namespace mo::tensorflow
