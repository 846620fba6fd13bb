// The configurations for models of TensorFlow's Object Detection API.
//
// Expected rows: numpy, from what the API's sources say (box_coders/faster_rcnn_box_coder.py,
// anchor_generators/, core/post_processing.py, utils/ops.py); nothing of this project was used.
#include "detector_graphs.hpp"

namespace mo::test {
namespace {

const std::vector<double> ssd_rows{
    0,         1,        0.784366, 0.00632792, 0.643919,   0.144699, 0.829705, 0,        1,         0.776351,
    0.489246,  0.648857, 0.55477,  0.776052,   0,          1,        0.72582,  0.768177, 0.196047,  1,
    0.282868,  0,        1,        0.720378,   0.15522,    0.264623, 0.699693, 0.772056, 0,         1,
    0.687068,  0.784509, 0.762689, 0.821447,   0.81664,    0,        1,        0.632143, 0.0854978, 0.196981,
    0.179115,  0.287835, 0,        2,          0.877828,   0.11659,  0.684753, 0.231233, 0.744632,  0,
    2,         0.84707,  0.155281, 0.146375,   0.231782,   0.289821, 0,        2,        0.834335,  0.786477,
    0.0861851, 0.886474, 0.217614, 0,          2,          0.803957, 0.660323, 0.646097, 0.986729,  0.812264,
    0,         2,        0.738902, 0.395512,   0.00515995, 0.567282, 0.307141, 0,        2,         0.716578,
    0.162195,  0.505984, 0.219612, 0.786193,
};
const std::vector<double> efficient_rows{
    0,        1,        0.879204, 0.00249213, 0,        0.5137,     0.29362,  0,        1,         0.777581,
    0.203765, 0.172057, 0.408465, 0.403391,   0,        1,          0.7733,   0.163809, 0.6985,    0.378661,
    0.929823, 0,        1,        0.724725,   0.427717, 0.227385,   0.65578,  0.411967, 0,         1,
    0.268392, 0.245004, 0.389168, 0.44154,    0.709977, 0,          2,        0.927635, 0.0324342, 0.0206013,
    0.176388, 0.170475, 0,        2,          0.82399,  0.00249213, 0,        0.5137,   0.29362,   0,
    2,        0.737918, 0.163809, 0.6985,     0.378661, 0.929823,   0,        2,        0.736059,  0.427717,
    0.227385, 0.65578,  0.411967, 0,          2,        0.515509,   0.203765, 0.172057, 0.408465,  0.403391,
};
const std::vector<double> faster_rows{
    0,        1,        0.861843, 0,       0.484074, 0.526686, 0.816114, 0,        1,        0.627519, 0,
    0.488364, 0.30419,  0.760019, 0,       1,        0.421722, 0.452735, 0.259903, 0.595165, 0.968067, 0,
    1,        0.325296, 0.205857, 0.13246, 0.495469, 0.769703, 0,        2,        0.63872,  0.300141, 0,
    0.458773, 0.74507,  0,        2,       0.198613, 0.488008, 0.200417, 0.663216, 0.905084,
};
const std::vector<double> mask_values{
    0.362428, 0.288769, 0.825976, 0.248186, 0.107704, 0.449137, 0.233351, 0.365115, 0.374236, 0.267009,
    0.828006, 0.304627, 0.108874, 0.381123, 0.206986, 0.625463, 0.303053, 0.420319, 0.283187, 0.438559,
    0.295662, 0.440709, 0.550331, 0.171706, 0.345007, 0.263302, 0.359129, 0.225249, 0.220457, 0.196229,
    0.66957,  0.425713, 0.39943,  0.224713, 0.317797, 0.226266, 0.20622,  0.114402, 0.628581, 0.478998,
    0.298172, 0.393211, 0.287385, 0.516319, 0.261155, 0.3256,   0.439821, 0.252586,
};
const std::vector<double> rfcn_rows{
    0,        1,          0.440752, 0.25485,   0.0137166, 0.495455, 0.654223, 0,        1,
    0.366876, 0.00803951, 0,        0.556454,  0.904955,  0,        1,        0.289563, 0.0349408,
    0.289124, 0.316367,   0.843378, 0,         2,         0.527735, 0,        0.324746, 0.3544,
    0.756739, 0,          2,        0.448062,  0.472334,  0.324985, 0.624391, 0.881971, 0,
    2,        0.417479,   0.018296, 0.0245595, 0.863805,  0.93471,
};

constexpr std::string_view ssd_pipeline = R"(
# Comments and what nobody asks for mean nothing.
model {
  ssd {
    num_classes: 2
    image_resizer { fixed_shape_resizer { height: 16 width: 24 } }
    feature_extractor { type: "ssd" 'ish' conv_hyperparams: < activation: RELU_6, > [some.extension]: -1 }
    box_coder { faster_rcnn_box_coder { y_scale: 10.0 x_scale: 8.0 height_scale: 5.0 width_scale: 4.0 } }
    anchor_generator {
      ssd_anchor_generator { num_layers: 2; min_scale: 0.2; max_scale: 0.95; aspect_ratios: [1.0, 2.0, 0.5] }
    }
    post_processing {
      batch_non_max_suppression {
        score_threshold: 0.3 iou_threshold: 0.4 max_detections_per_class: 100 max_total_detections: 12
      }
      score_converter: SIGMOID
    }
  }
}
train_config { batch_size: 24 })";

DetectorGraph ssd() {
  DetectorGraph g;
  g.add_pictures();
  const std::string box = "/BoxEncodingPredictor/BiasAdd", cls = "/ClassPredictor/BiasAdd";
  g.head("BoxPredictor_0" + box, {1, 2, 3, 12}, 1, 4).head("BoxPredictor_1" + box, {1, 1, 1, 16}, 2, 4);
  g.head("BoxPredictor_0" + cls, {1, 2, 3, 9}, 3, 2).head("BoxPredictor_1" + cls, {1, 1, 1, 12}, 4, 2);
  g.reshape("BoxPredictor_0/Reshape", "BoxPredictor_0" + box, {1, 18, 1, 4});
  g.reshape("BoxPredictor_1/Reshape", "BoxPredictor_1" + box, {1, 4, 1, 4});
  g.reshape("BoxPredictor_0/Reshape_1", "BoxPredictor_0" + cls, {1, 18, 3});
  g.reshape("BoxPredictor_1/Reshape_1", "BoxPredictor_1" + cls, {1, 4, 3});
  g.concat("concat", {"BoxPredictor_0/Reshape", "BoxPredictor_1/Reshape"});
  g.op("Squeeze", "Squeeze", {"concat"}, {tf_ints("squeeze_dims", {2})});
  g.concat("concat_1", {"BoxPredictor_0/Reshape_1", "BoxPredictor_1/Reshape_1"});
  g.mystery("MultipleGridAnchorGenerator/Identity", {});
  const std::string p = "Postprocessor/";
  g.mystery(p + "Shape", {"Squeeze"}).mystery(p + "Reshape_1", {"Squeeze"});
  g.mystery(p + "Tile", {"MultipleGridAnchorGenerator/Identity"});
  g.constant(p + "scale", tf_floats({}, {1}));
  g.op("RealDiv", p + "scale_logits", {"concat_1", p + "scale"});
  g.mystery(p + "ToFloat", {"Preprocessor/map/TensorArrayStack_1/TensorArrayGatherV3"});
  g.mystery(p + "map/TensorArrayStack/TensorArrayGatherV3",
            {p + "Shape", p + "Reshape_1", p + "Tile", p + "scale_logits", p + "ToFloat"});
  g.add_detections(p + "map/TensorArrayStack/TensorArrayGatherV3");
  return g;
}

TEST_F(ObjectDetection, Ssd) {
  const core::GraphPtr g = configured(ssd(), "ssd_v2_support", ssd_pipeline);
  EXPECT_EQ(g->results().size(), 2U) << app::to_text(*g);
  EXPECT_EQ(count(*g, "PriorBoxClustered"), 2U) << "boxes follow from the size of the pictures";
  const core::NodeId found = node(*g, "DetectionOutput");
  EXPECT_EQ(attribute<int64_t>(*g, found, "num_classes"), 3);
  EXPECT_EQ(attribute<bool>(*g, found, "clip_after_nms"), true);
  const auto outputs = run(*g);
  // Pictures of the size that the file says, channels first; Sub(Mul(x, 2), 3).
  EXPECT_EQ(shape(*g, 0), Shape({1, 3, 16, 24}));
  EXPECT_EQ(outputs[0][5], 7);
  EXPECT_EQ(shape(*g, 1), Shape({1, 1, 12, 7}));
  expect_rows(outputs[1], ssd_rows);
}

TEST_F(ObjectDetection, SsdOfAnotherSizeHasOtherBoxes) {
  set_picture_size({1, 32, 48, 3});
  const core::GraphPtr g = configured(ssd(), "ssd_v2_support", ssd_pipeline);
  EXPECT_EQ(shape(*g, 0), Shape({1, 3, 32, 48}));
  EXPECT_THAT(log_, HasSubstr("the model resizes pictures to 16 x 24, but the shape given is for 32 x 48"));
  const core::GraphPtr front = configured(ssd(), "ssd_v2_support", ssd_pipeline, core::Stage::front);
  EXPECT_EQ(count(*front, "PriorBoxClustered"), 2U);
  EXPECT_EQ(attribute<std::vector<double>>(*front, node(*front, "PriorBoxClustered_0"), "variance"),
            (std::vector<double>{0.125, 0.1, 0.25, 0.2}));
  // 0.1, 0.2 * sqrt(2) and 0.2 / sqrt(2) of the shorter side.
  EXPECT_THAT(attribute<std::vector<double>>(*front, node(*front, "PriorBoxClustered_0"), "width"),
              testing::Pointwise(testing::DoubleNear(1e-6), {1.6, 4.5254834, 2.2627417}));
}

TEST_F(ObjectDetection, PipelineConfigIsNeeded) {
  EXPECT_THAT(configured_failure(ssd(), "ssd_v2_support", ""),
              HasSubstr("give --tensorflow_object_detection_api_pipeline_config FILE; the file is called "
                        "pipeline.config and lies beside the frozen model"));
}

TEST_F(ObjectDetection, MistakesInPipelineConfigHaveAPlace) {
  const auto failure = [&](std::string_view text) {
    return configured_failure(ssd(), "ssd_v2_support", text);
  };
  EXPECT_THAT(failure("model {\n ssd { num_classes: x } }"),
              HasSubstr("does not say which size pictures are"));
  std::string text(ssd_pipeline);
  text.replace(text.find("num_classes: 2"), 14, "num_classes: x");
  EXPECT_THAT(failure(text),
              HasSubstr("pipeline.config:5:18: field 'num_classes' is 'x'; expected an integer"));
  EXPECT_THAT(failure("model { ssd {"),
              HasSubstr("pipeline.config:1:14: a message does not end; expected '}'"));
  EXPECT_THAT(failure("model { ssd: {} x }"), HasSubstr("expected ':' or '{' after 'x', found '}'"));
  EXPECT_THAT(failure("model { ssd { a: [1, } }"), HasSubstr("expected a value, found '}'"));
  EXPECT_THAT(failure("train_config {}"), HasSubstr("has no 'model { ssd { … } }'"));
  EXPECT_THAT(failure("a: \xff"), HasSubstr("pipeline.config:1:4"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "a{";
  EXPECT_THAT(failure(deep), HasSubstr("nested deeper than 64 levels"));
}

TEST_F(ObjectDetection, ScoresThatAreProbabilitiesAreOfAnotherVersion) {
  DetectorGraph g = ssd();
  const std::string p = "Postprocessor/";
  g.op("Sigmoid", p + "convert_scores", {p + "scale_logits"});
  g.identity(p + "raw_box_scores", p + "convert_scores");
  g.mystery(p + "Slice", {p + "raw_box_scores"});
  g.mystery(p + "ExpandDims", {"MultipleGridAnchorGenerator/Identity"});
  g.mystery("more", {p + "Slice", p + "ExpandDims"});
  EXPECT_THAT(configured_failure(g, "ssd_support", ssd_pipeline),
              HasSubstr("scores that are probabilities already; this configuration is for another version"));
}

TEST_F(ObjectDetection, WithoutAConfigurationOneIsNamed) {
  failure_of(ssd());
  EXPECT_THAT(log_, HasSubstr("--transformations_config tf/ssd_v2_support.json"));
}

// The version for TensorFlow 2; boxes to start from are constants.
constexpr std::string_view efficient_pipeline = R"(model { ssd {
  num_classes: 2
  add_background_class: false
  image_resizer { keep_aspect_ratio_resizer { min_dimension: 20 max_dimension: 32 pad_to_max_dimension: true } }
  box_coder { faster_rcnn_box_coder { y_scale: 1 x_scale: 1 height_scale: 1 width_scale: 1 } }
  post_processing {
    batch_non_max_suppression { score_threshold: 0.2 iou_threshold: 0.5 max_total_detections: 10 }
    score_converter: SIGMOID
    logit_scale: 2.0
  } } })";

TEST_F(ObjectDetection, EfficientDet) {
  DetectorGraph g;
  const std::string s = "StatefulPartitionedCall/", p = s + "Postprocessor/";
  g.placeholder("input_tensor", TfType::u8, {1, -1, -1, 3});
  g.node("Cast", s + "Cast", {"input_tensor"}, {tf_type("SrcT", TfType::u8), tf_type("DstT", TfType::f32)});
  g.constant(s + "mean", tf_floats({3}, {1, 2, 3}));
  g.op("Sub", s + "sub", {s + "Cast", s + "mean"});
  g.mystery(s + "Preprocessor/unstack", {s + "sub"});
  g.mystery(s + "Preprocessor/stack", {s + "Preprocessor/unstack"});
  g.mystery(s + "Preprocessor/stack_1", {s + "Preprocessor/unstack"});
  g.features(s + "Preprocessor/stack");
  std::vector<float> anchors = wave(24, 5, 0.4);
  for (size_t i = 0; i < 24; i += 4)
    for (size_t k = 0; k < 2; ++k) {
      anchors[i + k] = std::abs(anchors[i + k]);
      anchors[i + 2 + k] = anchors[i + k] + std::abs(anchors[i + 2 + k]) + 0.1F;
    }
  g.constant("anchors", tf_floats({1, 6, 4}, anchors));
  g.constant("boxes", wave_tensor({1, 6, 4}, 6, 1));
  g.constant("classes", wave_tensor({1, 6, 2}, 7, 6));
  g.mystery(p + "Reshape_1", {"boxes"})
      .mystery(p + "scale_logits", {"classes"})
      .mystery(p + "Tile", {"anchors"});
  g.mystery(p + "Cast_1", {s + "Preprocessor/stack_1"});
  g.mystery("nms", {p + "Reshape_1", p + "scale_logits", p + "Tile", p + "Cast_1"});
  for (int i = 0; i < 8; ++i) g.identity(s + (i == 0 ? "Identity" : "Identity_" + std::to_string(i)), "nms");
  convert_.disabled = {"ObjectDetectionAPIOutputReplacement"};  // "features" is asked for, too
  const core::GraphPtr converted = configured(g, "efficient_det_support_api_v2.0", efficient_pipeline);
  ASSERT_EQ(converted->results().size(), 2U) << app::to_text(*converted);
  EXPECT_EQ(shape(*converted, 0), Shape({1, 3, 32, 32}));
  const auto outputs = run(*converted);
  EXPECT_EQ(outputs[0][7], 6);
  EXPECT_EQ(outputs[0][32 * 32 + 3], static_cast<double>((32 * 32 + 3) % 250 - 2));
  expect_rows(outputs[1], efficient_rows);
}

constexpr std::string_view two_stages = R"(model { faster_rcnn {
  num_classes: 2
  image_resizer { keep_aspect_ratio_resizer { min_dimension: 16 max_dimension: 24 } }
  first_stage_anchor_generator { grid_anchor_generator {
    height: 16 width: 16 height_stride: 8 width_stride: 8
    scales: 0.5 scales: 1.0 aspect_ratios: 1.0 aspect_ratios: 2.0 } }
  first_stage_nms_iou_threshold: 0.6
  first_stage_max_proposals: 5
  initial_crop_size: 2
  second_stage_box_predictor { rfcn_box_predictor { crop_height: 6 crop_width: 6 } }
  second_stage_post_processing {
    batch_non_max_suppression {
      score_threshold: 0.1 iou_threshold: 0.6 max_detections_per_class: 100 max_total_detections: 6 }
    score_converter: SOFTMAX
  } } })";

// Up to the regions: "map/TensorArrayStack/TensorArrayGatherV3", [1, 5, 4].
DetectorGraph first_stage(const std::vector<std::string>& starts) {
  DetectorGraph g;
  g.add_pictures();
  const std::string f = "FirstStageBoxPredictor/";
  g.head(f + "BoxEncodingPredictor/BiasAdd", {1, 2, 3, 16}, 8, 4)
      .head(f + "ClassPredictor/BiasAdd", {1, 2, 3, 8}, 9, 2);
  g.reshape(f + "Reshape", f + "BoxEncodingPredictor/BiasAdd", {1, 24, 1, 4});
  g.reshape(f + "Reshape_1", f + "ClassPredictor/BiasAdd", {1, 24, 2});
  g.op("Squeeze", "Squeeze", {f + "Reshape"}, {tf_ints("squeeze_dims", {2})});
  g.concat("concat", {"Squeeze"}).concat("concat_1", {f + "Reshape_1"});
  g.mystery("anchors", {});
  g.identity("GridAnchorGenerator/Identity", "anchors").mystery("Shape", {"Preprocessor/sub"});
  std::vector<std::string> inputs = starts;
  // Exporters leave this reader of the sizes of the pictures.
  g.mystery("strided_slice_11", {"Preprocessor/map/TensorArrayStack_1/TensorArrayGatherV3"});
  inputs.insert(inputs.end(), {"GridAnchorGenerator/Identity", "Shape", "strided_slice_11"});
  g.mystery("nms", inputs);
  for (const char* name : {"map", "map_1"})
    g.mystery(std::string(name) + "/TensorArrayStack/TensorArrayGatherV3", {"nms"});
  g.mystery("BatchMultiClassNonMaxSuppression/map/TensorArrayStack_4/TensorArrayGatherV3", {"nms"});
  return g;
}

// Crops of the regions, each read by two products.
void add_second_stage(DetectorGraph& g) {
  const std::string regions = "map/TensorArrayStack/TensorArrayGatherV3";
  g.constant("maps", wave_tensor({1, 4, 6, 2}, 10, 2));
  g.reshape("flat_regions", regions, {-1, 4});
  g.constant("mul/y", tf_i32({}, {300}));  // the number of regions when it was exported
  g.constant("one", tf_i32({1}, {1})).constant("zero", tf_i32({}, {0}));
  g.node("Mul", "mul", {"one", "mul/y"}, {tf_type("T", TfType::i32)});
  g.node("Fill", "pictures", {"mul", "zero"},
         {tf_type("T", TfType::i32), tf_type("index_type", TfType::i32)});
  g.constant("crop_size", tf_i32({2}, {2, 2}));
  g.op("CropAndResize", "CropAndResize", {"maps", "flat_regions", "pictures", "crop_size"});
  g.reshape("flat", "CropAndResize", {-1, 8});
  g.constant("box_weights", wave_tensor({8, 8}, 11, 1.5))
      .constant("class_weights", wave_tensor({8, 3}, 12, 1));
  g.op("MatMul", "boxes", {"flat", "box_weights"}).op("MatMul", "classes", {"flat", "class_weights"});
  g.reshape("SecondStageBoxPredictor/Reshape", "boxes", {-1, 1, 2, 4});
  g.reshape("SecondStageBoxPredictor/Reshape_1", "classes", {-1, 1, 3});
}
void add_second_postprocessor(DetectorGraph& g) {
  const std::string p = "SecondStagePostprocessor/",
                    out = p + "BatchMultiClassNonMaxSuppression/map/TensorArrayStack/TensorArrayGatherV3";
  g.mystery(p + "Reshape", {"SecondStageBoxPredictor/Reshape"});
  g.mystery(p + "Reshape_1", {"SecondStageBoxPredictor/Reshape_1"});
  g.mystery(p + "ExpandDims", {"map/TensorArrayStack/TensorArrayGatherV3"});
  g.mystery(out, {p + "Reshape", p + "Reshape_1", p + "ExpandDims",
                  "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_4/TensorArrayGatherV3"});
  g.add_detections(out);
}

TEST_F(ObjectDetection, FasterRcnn) {
  DetectorGraph model = first_stage({"concat", "concat_1"});
  add_second_stage(model);
  add_second_postprocessor(model);
  set_picture_size({1, 16, 24, 3});
  const core::GraphPtr g = configured(model, "faster_rcnn_support_api_v1.10", two_stages);
  ASSERT_EQ(g->results().size(), 1U) << app::to_text(*g);
  const core::NodeId proposal = node(*g, "proposals");
  EXPECT_EQ(type(*g, "proposals"), "Proposal@opset1");
  EXPECT_EQ(attribute<int64_t>(*g, proposal, "post_nms_topn"), 5);
  EXPECT_EQ(attribute<std::string>(*g, proposal, "framework"), "tensorflow");
  EXPECT_EQ(type(*g, "image_info"), "Parameter@opset1");
  EXPECT_EQ(shape(*g), Shape({1, 1, 6, 7}));
  expect_rows(run(*g)[0], faster_rows);
}

TEST_F(ObjectDetection, SizesFollowTheResizer) {
  DetectorGraph model = first_stage({"concat", "concat_1"});
  add_second_stage(model);
  add_second_postprocessor(model);
  set_picture_size({1, 40, 50, 3});
  const core::GraphPtr g = configured(model, "faster_rcnn_support_api_v1.10", two_stages, core::Stage::front);
  EXPECT_EQ(g->out({node(*g, "image_tensor"), 0}).tensor.shape, Shape({1, 16, 20, 3}));
  EXPECT_THAT(log_, HasSubstr("the model resizes a picture of 40 x 50 to 16 x 20"));
}

TEST_F(ObjectDetection, MaskRcnn) {
  DetectorGraph model = first_stage({"concat", "concat_1"});
  add_second_stage(model);
  const std::string nms = "BatchMultiClassNonMaxSuppression_1/map/TensorArrayStack",
                    gather = "/TensorArrayGatherV3", mask = "SecondStageBoxPredictor_1/Conv_1/BiasAdd";
  model.mystery("ExpandDims_6", {"map/TensorArrayStack/TensorArrayGatherV3"})
      .mystery("ToFloat_6", {"ToFloat"});
  model.mystery("nms_1",
                {"SecondStageBoxPredictor/Reshape", "SecondStageBoxPredictor/Reshape_1", "ExpandDims_6",
                 "ToFloat_6", "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_4/TensorArrayGatherV3"});
  model.mystery(nms + gather, {"nms_1"}).mystery(nms + "_2" + gather, {"nms_1"});
  model.mystery("CropAndResize_1/CropAndResize", {"maps", nms + gather});
  model.reshape("Reshape_10", "CropAndResize_1/CropAndResize", {-1, 2, 2, 2});
  model.constant("mask_bias", wave_tensor({2}, 13, 1));
  model.op("BiasAdd", mask, {"Reshape_10", "mask_bias"});
  model.add_detections(nms + "_2" + gather);
  model.mystery("detection_masks", {mask});
  set_picture_size({1, 16, 24, 3});
  const core::GraphPtr g = configured(model, "mask_rcnn_support_api_v1.11", two_stages);
  ASSERT_EQ(g->results().size(), 2U) << app::to_text(*g);
  EXPECT_EQ(source(*g, g->name(g->results()[1])), "reshape_do_2d");
  const auto outputs = run(*g);
  expect_rows(outputs[1], faster_rows);
  EXPECT_EQ(shape(*g, 0), Shape({6, 2, 2, 2})) << "channels first";
  EXPECT_THAT(outputs[0], testing::Pointwise(testing::DoubleNear(1e-5), mask_values));
}

TEST_F(ObjectDetection, RFcn) {
  DetectorGraph model = first_stage({"FirstStageBoxPredictor/Reshape", "FirstStageBoxPredictor/Reshape_1"});
  const std::string s = "SecondStageBoxPredictor/", regions = "map/TensorArrayStack/TensorArrayGatherV3";
  model.head(s + "refined_locations/BiasAdd", {1, 4, 6, 72}, 14, 6);
  model.head(s + "class_predictions/BiasAdd", {1, 4, 6, 27}, 15, 4);
  for (const auto& [map, maps] : {std::pair{s + "map/", s + "refined_locations/BiasAdd"},
                                  std::pair{s + "map_1/", s + "class_predictions/BiasAdd"}}) {
    const std::string scatter = "TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3",
                      second = "TensorArrayUnstack_1/TensorArrayScatter/TensorArrayScatterV3";
    model.mystery(map + "Shape", {maps}).mystery(map + "TensorArrayUnstack/Shape", {maps});
    model.mystery(map + scatter, {map + "Shape", map + "TensorArrayUnstack/Shape", maps});
    model.mystery(map + "TensorArrayUnstack_1/Shape", {regions});
    model.mystery(map + second, {map + "Shape", map + "TensorArrayUnstack_1/Shape", regions});
    model.mystery(map + "TensorArrayStack/TensorArrayGatherV3", {map + scatter, map + second});
  }
  const std::string out = "TensorArrayStack/TensorArrayGatherV3";
  model.op("Squeeze", "boxes", {s + "map/" + out}, {tf_ints("squeeze_dims", {2, 3})});
  model.op("Squeeze", "classes", {s + "map_1/" + out}, {tf_ints("squeeze_dims", {2, 3})});
  model.reshape(s + "Reshape", "boxes", {5, 1, 2, 4});
  model.reshape(s + "Reshape_1", "classes", {5, 1, 3});
  add_second_postprocessor(model);
  set_picture_size({1, 16, 24, 3});
  const core::GraphPtr g = configured(model, "rfcn_support_api_v1.10", two_stages);
  EXPECT_EQ(count(*g, "PSROIPooling"), 2U);
  ASSERT_EQ(g->results().size(), 1U) << app::to_text(*g);
  expect_rows(run(*g)[0], rfcn_rows);
}

}  // namespace
}  // namespace mo::test
