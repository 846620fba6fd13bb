// The detector of persons at crossroads: each ROIAlign over the levels of a pyramid, with the choice of the
// level around it, becomes one operation.
//
//   before: …Where, RoiAlign, Scatter…(regions, levels)      named in ROI_feature_extractor_outputs
//   after:  ROIFeatureExtractor(regions, levels)             with that name
#include "support/pyramid.hpp"

namespace mo::onnx {

namespace {

struct ExtractRegions : FrontReplacementFromConfigFileGeneral {
  ExtractRegions() {
    replacement_id = "ONNXPersonDetectionCrossroadReplacement";
    doc = "the features of regions by an operation made for that";
    before = "sub-graphs of RoiAlign for each level";
    after = "ExperimentalDetectronROIFeatureExtractor";
    frameworks = {"onnx"};
    // What it replaces need not be convertible.
    run_after = {"load.finish"};
    run_before = {"front.start"};
  }

  void transform_graph(Graph g, const Json& a) override {
    const NamedOutputs named(g);
    const auto list = [&](std::string_view key) {
      return named.find_all(key, a.get<std::vector<std::string>>(key));
    };
    const auto levels = list("fpn_heads"), regions = list("ROI_feature_extractor_inputs"),
               old = list("ROI_feature_extractor_outputs");
    require(regions.size() == old.size(), "custom attribute 'ROI_feature_extractor_inputs' has ",
            regions.size(), " names, 'ROI_feature_extractor_outputs' ", old.size(), "; expected as many");
    for (size_t i = 0; i < old.size(); ++i) {
      const Node replaced = old[i].node();
      const std::string name = replaced.name();
      replaced.rename(name + "/old");
      take_over(old[i], add_roi_extractor(g, {name, 7, regions[i], levels}).out_port());
    }
  }
};

}  // namespace

void register_extract_regions(Registry& r) { r.transformation<ExtractRegions>(); }

}  // namespace mo::onnx
