// The configurations for models of TensorFlow's Object Detection API.
//
// Expected rows: numpy, from what the API's sources say (box_coders/faster_rcnn_box_coder.py, anchor_generators/,
// core/post_processing.py, utils/ops.py); nothing of this project was used.
#include "detector_graphs.hpp"

namespace mo::test {
namespace {

const std::vector<double> ssd_rows{
    0, 1, 0.880797, 0.483797, 0.217816, 0.566869,  0.283784, 0, 1, 0.876533, 0.447317, 0.577432, 0.563996, 0.845635,
    0, 1, 0.837535, 0,        0.306585, 0.896798,  0.897628, 0, 1, 0.832018, 0.135236, 0,        0.181127, 0.367264,
    0, 1, 0.826353, 0.409929, 0.721298, 0.531404,  0.810702, 0, 1, 0.775564, 0.336069, 0,        0.777931, 1,
    0, 1, 0.768525, 0.116384, 0.206876, 0.386655,  0.311226, 0, 1, 0.761333, 0.142542, 0.388918, 0.209648, 0.988894,
    0, 2, 0.862949, 0.150709, 0.710429, 0.205291,  0.757571, 0, 2, 0.808455, 0.691398, 0.168752, 0.9187,   0.485115,
    0, 2, 0.73885,  0.789798, 0.198007, 0.967379,  0.272577, 0, 2, 0.731059, 0.800916, 0.42701,  0.845008, 0.855767,
};
const std::vector<double> efficient_rows{
    0, 1, 0.943747, 0.132705, 0,        0.190015,  0.518276, 0, 1, 0.834795, 0,        0.371634, 0.33587,  0.514285,
    0, 1, 0.768525, 0.419781, 0.269273, 0.641659,  0.355847, 0, 1, 0.5,      0.238887, 0,        0.315673, 1,
    0, 1, 0.396517, 0,        0.598838, 0.0338712, 1,        0, 2, 0.902031, 0.238887, 0,        0.315673, 1,
    0, 2, 0.858149, 0,        0.598838, 0.0338712, 1,        0, 2, 0.645656, 0.558245, 0.304907, 1,        0.417653,
    0, 2, 0.265027, 0.132705, 0,        0.190015,  0.518276,
};
const std::vector<double> faster_rows{
    0, 1, 0.56378,  0,         0.263193, 0.91482,  0.956296, 0, 1, 0.439404, 0.130149,  0.155336, 0.63129,  0.917153,
    0, 1, 0.260381, 0.631548,  0,        1,        0.110626, 0, 2, 0.39258,  0.0851215, 0.115712, 0.454629, 0.745945,
    0, 2, 0.353841, 0.0862909, 0.275907, 0.828904, 0.95368,  0, 2, 0.219924, 0.46557,   0,        0.758719, 0.871502,
};
const std::vector<double> mask_values{
    0.368962, 0.279155, 0.327373, 0.597524, 0.843345, 0.68639,  0.725164, 0.592494, 0.412577, 0.395714,
    0.242989, 0.343093, 0.613681, 0.551942, 0.675452, 0.804296, 0.23679,  0.706822, 0.345392, 0.517548,
    0.740706, 0.2809,   0.610962, 0.399153, 0.358549, 0.584292, 0.589046, 0.337499, 0.626156, 0.760967,
    0.692405, 0.699966, 0.344948, 0.307648, 0.237414, 0.346537, 0.782174, 0.787224, 0.675663, 0.646278,
    0.431906, 0.135043, 0.467329, 0.382741, 0.875001, 0.589746, 0.603591, 0.623897,
};
const std::vector<double> rfcn_rows{
    0, 1, 0.428815, 0.490913,  0.0372876, 0.998056, 0.152825, 0, 1, 0.373919, 0.321212, 0.0959794, 0.747611, 0.534749,
    0, 1, 0.297439, 0,         0.150814,  0.812724, 1,        0, 1, 0.290642, 0.249204, 0,         0.573721, 0.823642,
    0, 2, 0.372839, 0.0252893, 0.252405,  0.774084, 0.952697, 0, 2, 0.349084, 0.158111, 0.10974,   0.550537, 0.840406,
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
  EXPECT_EQ(g->results().size(), 2U) << core::to_text(*g);
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
  const auto failure = [&](std::string_view text) { return configured_failure(ssd(), "ssd_v2_support", text); };
  EXPECT_THAT(failure("model {\n ssd { num_classes: x } }"), HasSubstr("does not say which size pictures are"));
  std::string text(ssd_pipeline);
  text.replace(text.find("num_classes: 2"), 14, "num_classes: x");
  EXPECT_THAT(failure(text), HasSubstr("pipeline.config:5:18: field 'num_classes' is 'x'; expected an integer"));
  EXPECT_THAT(failure("model { ssd {"), HasSubstr("pipeline.config:1:14: a message does not end; expected '}'"));
  EXPECT_THAT(failure("model { ssd: {} x }"), HasSubstr("expected ':' or '{' behind 'x', found '}'"));
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
  g.constant("boxes", wave_tensor({1, 6, 4}, 6, 3));
  g.constant("classes", wave_tensor({1, 6, 2}, 7, 6));
  g.mystery(p + "Reshape_1", {"boxes"}).mystery(p + "scale_logits", {"classes"}).mystery(p + "Tile", {"anchors"});
  g.mystery(p + "Cast_1", {s + "Preprocessor/stack_1"});
  g.mystery("nms", {p + "Reshape_1", p + "scale_logits", p + "Tile", p + "Cast_1"});
  for (int i = 0; i < 8; ++i) g.identity(s + (i == 0 ? "Identity" : "Identity_" + std::to_string(i)), "nms");
  convert_.disabled = {"ObjectDetectionAPIOutputReplacement"};  // "features" is asked for, too
  const core::GraphPtr converted = configured(g, "efficient_det_support_api_v2.0", efficient_pipeline);
  ASSERT_EQ(converted->results().size(), 2U) << core::to_text(*converted);
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
  g.head(f + "BoxEncodingPredictor/BiasAdd", {1, 2, 3, 16}, 8, 4).head(f + "ClassPredictor/BiasAdd", {1, 2, 3, 8}, 9, 2);
  g.reshape(f + "Reshape", f + "BoxEncodingPredictor/BiasAdd", {1, 24, 1, 4});
  g.reshape(f + "Reshape_1", f + "ClassPredictor/BiasAdd", {1, 24, 2});
  g.op("Squeeze", "Squeeze", {f + "Reshape"}, {tf_ints("squeeze_dims", {2})});
  g.concat("concat", {"Squeeze"}).concat("concat_1", {f + "Reshape_1"});
  g.mystery("anchors", {});
  g.identity("GridAnchorGenerator/Identity", "anchors").mystery("Shape", {"Preprocessor/sub"});
  std::vector<std::string> inputs = starts;
  inputs.insert(inputs.end(), {"GridAnchorGenerator/Identity", "Shape"});
  g.mystery("nms", inputs);
  for (const char* name : {"map", "map_1"}) g.mystery(std::string(name) + "/TensorArrayStack/TensorArrayGatherV3", {"nms"});
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
  g.node("Fill", "pictures", {"mul", "zero"}, {tf_type("T", TfType::i32), tf_type("index_type", TfType::i32)});
  g.constant("crop_size", tf_i32({2}, {2, 2}));
  g.op("CropAndResize", "CropAndResize", {"maps", "flat_regions", "pictures", "crop_size"});
  g.reshape("flat", "CropAndResize", {-1, 8});
  g.constant("box_weights", wave_tensor({8, 8}, 11, 1.5)).constant("class_weights", wave_tensor({8, 3}, 12, 1));
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
  ASSERT_EQ(g->results().size(), 1U) << core::to_text(*g);
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
  model.mystery("ExpandDims_6", {"map/TensorArrayStack/TensorArrayGatherV3"}).mystery("ToFloat_6", {"ToFloat"});
  model.mystery("nms_1", {"SecondStageBoxPredictor/Reshape", "SecondStageBoxPredictor/Reshape_1", "ExpandDims_6", "ToFloat_6"});
  model.mystery(nms + gather, {"nms_1"}).mystery(nms + "_2" + gather, {"nms_1"});
  model.mystery("CropAndResize_1/CropAndResize", {"maps", nms + gather});
  model.reshape("Reshape_10", "CropAndResize_1/CropAndResize", {-1, 2, 2, 2});
  model.constant("mask_bias", wave_tensor({2}, 13, 1));
  model.op("BiasAdd", mask, {"Reshape_10", "mask_bias"});
  model.add_detections(nms + "_2" + gather);
  model.mystery("detection_masks", {mask});
  set_picture_size({1, 16, 24, 3});
  const core::GraphPtr g = configured(model, "mask_rcnn_support_api_v1.11", two_stages);
  ASSERT_EQ(g->results().size(), 2U) << core::to_text(*g);
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
  ASSERT_EQ(g->results().size(), 1U) << core::to_text(*g);
  expect_rows(run(*g)[0], rfcn_rows);
}

}  // namespace
}  // namespace mo::test
