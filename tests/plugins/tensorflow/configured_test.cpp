// The configurations that come with the plugin, on models with the names and the structure they are made for.
// Numbers are those of the networks' own definitions, computed with numpy.
#include <cmath>

#include "apps/config_tools/config_file.hpp"
#include "core/infer/execute.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

// Numbers without a pattern that models and the computation of expected values share.
std::vector<float> sequence(size_t n, int a = 37, int b = 11, int m = 23, double d = 4) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<float>(((static_cast<int>(i) * a + b) % m - m / 2) / d);
  return v;
}

class TensorflowConfigured : public Tensorflow {
 protected:
  core::GraphPtr configured(const GraphDef& m, const std::string& file) {
    return with(m, app::read_configuration({MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/" + file}));
  }
  core::GraphPtr with(const GraphDef& m, core::Configuration entries) {
    core::Session& session = new_session();
    session.configuration = std::make_shared<const core::Configuration>(std::move(entries));
    core::ConvertOptions options = convert_;
    options.input_model = folder_.write("model.pb", m.bytes());
    options.emit.model_name = "model";
    core::ConvertResult result;
    return core::prepare_model(session, options, result);
  }
  core::GraphPtr with(const GraphDef& m, std::string_view json) {
    return with(m, app::parse_configuration("c.json", json));
  }
  template <class... Args>
  std::string refusal(const Args&... args) {
    try {
      with(args...);
    } catch (const core::Failure& f) {
      return f.render();
    }
    return "accepted";
  }

  std::vector<double> run(core::Graph& g, const std::vector<float>& picture, size_t output = 0) {
    const core::NodeId p = g.parameters()[0];
    std::vector<int64_t> dims;
    for (const Dim& d : g.out({p, 0}).tensor.shape) dims.push_back(d.value());
    const core::TensorRef in = core::make_tensor(ElementType::f32, dims);
    std::memcpy(in->buffer.get(), picture.data(), picture.size() * sizeof(float));
    core::Session& session = *sessions_.back();
    session.executing = true;
    return values_of(core::execute(session, g, std::vector{in})[output]);
  }

  static std::vector<TfAttribute> f32(std::vector<TfAttribute> more = {}) {
    more.push_back(tf_type("T", TfType::f32));
    return more;
  }
  // A convolution with a kernel of one element.
  static void point_wise(GraphDef& g, const std::string& name, const std::string& x, int64_t in,
                         const std::vector<float>& kernel, const std::string& format = "NHWC") {
    g.constant(name + "/kernel", tf_floats({1, 1, in, static_cast<int64_t>(kernel.size()) / in}, kernel));
    g.node(
        "Conv2D", name, {x, name + "/kernel"},
        f32({tf_ints("strides", {1, 1, 1, 1}), tf_text("padding", "VALID"), tf_text("data_format", format)}));
  }
  // Detections [1, 1, N, 7] up to the end mark.
  static std::vector<double> found(std::vector<double> rows) {
    for (size_t i = 0; i < rows.size(); i += 7)
      if (rows[i] < 0) rows.resize(i);
    return rows;
  }
  static testing::Matcher<std::vector<double>> near(const std::vector<double>& expected, double by = 1e-5) {
    return testing::Pointwise(testing::DoubleNear(by), expected);
  }
  static std::vector<double> every(const std::vector<double>& v, size_t step) {
    std::vector<double> some;
    for (size_t i = 0; i < v.size(); i += step) some.push_back(v[i]);
    return some;
  }
};

GraphDef yolo2() {
  GraphDef g;
  g.placeholder("input", TfType::f32, {1, 1, 2, 1});
  return g;
}

TEST_F(TensorflowConfigured, Yolo2) {
  GraphDef m = yolo2();
  point_wise(m, "conv", "input", 1, sequence(125));
  m.node("Identity", "output", {"conv"}, f32());
  const core::GraphPtr g = configured(m, "yolo_v2_voc.json");
  EXPECT_EQ(count(*g, "RegionYolo"), 1U);
  EXPECT_EQ(count(*g, "Transpose"), 0U);  // channels come first anyway
  EXPECT_EQ(g->name(output(*g).node), "conv/YoloRegion");
  EXPECT_EQ(attribute<int64_t>(*g, output(*g).node, "classes"), 20);
  EXPECT_EQ(shape(*g), (Shape{1, 250}));
  EXPECT_THAT(every(run(*g, {1, -0.5}), 9),
              near({0.5,       0.2227,    0.287276,   0.0438385,  0.0143026, 0.0110841, 2.5,
                    0.0522005, 0.0106614, 0.0131984,  0.166772,   0.0591509, 0.320821,  0.015374,
                    0.112977,  0.0689014, 0.00562482, 0.320821,   0.109136,  0.0723173, 0.00543358,
                    0.0182847, 0.0849954, 0.875,      0.00354652, 0.0215342, 0.0554769, 0.0965098}));
}

TEST_F(TensorflowConfigured, Yolo2WithAnotherNumberOfClasses) {
  GraphDef m = yolo2();
  point_wise(m, "output", "input", 1, sequence(30));
  EXPECT_THAT(refusal(m, app::read_configuration(
                             {MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/yolo_v2.json"})),
              testing::AllOf(HasSubstr("expected 425 channels for 5 regions of 85 numbers"),
                             HasSubstr("take the configuration that fits the number of classes")));
}

TEST_F(TensorflowConfigured, Yolo2WithChannelsInSecondPlace) {
  GraphDef m;
  m.placeholder("input", TfType::f32, {1, 1, 1, 2});
  point_wise(m, "output", "input", 1, sequence(125), "NCHW");
  const core::GraphPtr g = configured(m, "yolo_v2_tiny_voc.json");
  EXPECT_EQ(count(*g, "Transpose"), 0U);
  EXPECT_THAT(every(run(*g, {1, -0.5}), 9)[1], testing::DoubleNear(0.2227, 1e-5));
}

TEST_F(TensorflowConfigured, Yolo1IsDense) {
  GraphDef m;
  m.placeholder("input", TfType::f32, {1, 1470});
  m.node("Identity", "output", {"input"}, f32());
  const core::GraphPtr g = configured(m, "yolo_v1_tiny.json");
  EXPECT_EQ(count(*g, "RegionYolo"), 0U);
  EXPECT_EQ(shape(*g), (Shape{1, 1470}));
  GraphDef other;
  other.placeholder("input", TfType::f32, {1, 1471});
  other.node("Identity", "output", {"input"}, f32());
  EXPECT_THAT(refusal(other, app::read_configuration(
                                 {MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/yolo_v1_tiny.json"})),
              HasSubstr("expected a multiple of 30 numbers: 20 classes and 2 boxes"));
}

constexpr std::string_view dense_with_softmax = R"([{"id": "TFYOLO", "match_kind": "general",
  "custom_attributes": {"classes": 2, "coords": 4, "num": 1, "do_softmax": 1}}])";

TEST_F(TensorflowConfigured, Yolo1WithSoftmax) {
  GraphDef m;
  m.placeholder("input", TfType::f32, {1, 14});
  m.node("Identity", "output", {"input"}, f32());
  const core::GraphPtr g = with(m, dense_with_softmax);
  EXPECT_THAT(run(*g, sequence(14)), near({0.904651, 0.0953495, 0.904651, 0.0953495, 2.5, 0.25, -2, 1.5,
                                           -0.75, 2.75, 0.5, -1.75, 1.75, -0.5}));
}

// Behind the scales stands what nobody can convert, and nobody has to.
GraphDef yolo3(const std::vector<std::string>& entries) {
  GraphDef g;
  g.placeholder("input", TfType::f32, {1, 1, 2, 1});
  g.node("MaxPool", "small", {"input"},
         {tf_type("T", TfType::f32), tf_ints("ksize", {1, 1, 1, 1}), tf_ints("strides", {1, 1, 2, 1}),
          tf_text("padding", "VALID")});
  g.constant("list", tf_i32({2}, {-1, 255}));
  for (size_t i = 0; i < entries.size(); ++i) {
    g.node("Reshape", entries[i], {"scale" + std::to_string(i), "list"}, {tf_type("T", TfType::f32)});
    g.node("Mystery", "decoded" + std::to_string(i), {entries[i]});
  }
  return g;
}

TEST_F(TensorflowConfigured, Yolo3) {
  GraphDef m = yolo3({"detector/yolo-v3-tiny/Reshape", "detector/yolo-v3-tiny/Reshape_4"});
  std::vector<float> kernel = sequence(255);
  for (float& v : kernel) v *= 0.75F;
  point_wise(m, "scale0", "small", 1, kernel);
  point_wise(m, "scale1", "input", 1, sequence(255, 41, 5));
  const core::GraphPtr g = configured(m, "yolo_v3_tiny.json");
  ASSERT_EQ(g->results().size(), 2U);
  EXPECT_EQ(count(*g, "Transpose"), 0U);
  EXPECT_EQ(g->name(output(*g, 0).node), "scale0/YoloRegion");
  EXPECT_THAT(attribute<List>(*g, output(*g, 0).node, "mask"), testing::ElementsAre(3, 4, 5));
  EXPECT_THAT(attribute<List>(*g, output(*g, 1).node, "mask"), testing::ElementsAre(0, 1, 2));
  EXPECT_EQ(shape(*g, 1), (Shape{1, 255, 1, 2}));
  EXPECT_THAT(every(run(*g, {1, -0.5}, 0), 15),
              near({0.5, 0.637031, 0.754915, 0.843895, 0.112795, 0.182426, 0.281406, 0.407333, 0.546738,
                    0.679179, 0.787931, 0.867036, 0.132964, 0.212069, 0.320821, 0.453262, 0.592667}));
  EXPECT_THAT(every(run(*g, {1, -0.5}, 1), 31),
              near({0.182426, 0.201813, 0.5, 0.679179, 0.817574, 0.5, 0.0600867, 0.320821, 0.2227, 0.798187,
                    0.562177, 0.651355, 0.851953, 0.468791, 0.0758582, 0.294215, 0.268941}));
}

TEST_F(TensorflowConfigured, Yolo3OfAnotherExport) {
  GraphDef m = yolo3({"detector/yolo-v3/Reshape"});
  point_wise(m, "scale0", "small", 1, sequence(255));
  EXPECT_THAT(refusal(m, app::read_configuration(
                             {MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/yolo_v3.json"})),
              testing::AllOf(HasSubstr("'entry_points' names the node 'detector/yolo-v3/Reshape_4'"),
                             HasSubstr("for another model")));
}

TEST_F(TensorflowConfigured, MasksThatDoNotFit) {
  GraphDef m = yolo3({"a", "b"});
  point_wise(m, "scale0", "small", 1, sequence(255));
  point_wise(m, "scale1", "input", 1, sequence(255));
  const auto json = [](std::string_view masks) {
    return R"([{"id": "TFYOLOV3", "match_kind": "general", "custom_attributes": {"classes": 80, "coords": 4,
      "num": 3, "masks": )" +
           std::string(masks) + R"(, "entry_points": ["a", "b"]}}])";
  };
  EXPECT_THAT(refusal(m, json("[[0, 1, 2]]")),
              HasSubstr("'masks' has 1 lists, expected one for each of the 2"));
  EXPECT_THAT(refusal(m, json("[[0, 1, 2], [1, 2, 3]]")),
              HasSubstr("a mask has 3, but there are only 3 regions"));
}

GraphDef retinanet(bool in_loop) {
  GraphDef g;
  g.placeholder("picture", TfType::f32, {1, 8, 16, 3});
  std::vector<float> offsets = sequence(12);
  for (float& v : offsets) v /= 2;
  const std::vector<std::pair<std::string, TfTensor>> parts{
      {"regression/concat", tf_floats({1, 3, 4}, offsets)},
      {"classification/concat", tf_floats({1, 3, 2}, {0.9F, 0.04F, 0.6F, 0.3F, 0.2F, 0.8F})},
      {"anchors/concat", tf_floats({1, 3, 4}, {0, 0, 8, 8, 1, 0, 9, 8, 6, 2, 18, 6})}};
  for (const auto& [name, value] : parts) {
    g.constant(name + "/of", value);
    g.node("Identity", name, {name + "/of"}, {tf_type("T", TfType::f32)});
  }
  g.node("Shape", "clipped_boxes/Shape", {"picture"}, {tf_type("T", TfType::f32)});
  g.constant("most", tf_i32({}, {300}));
  g.constant("overlap", tf_floats({}, {0.4F}));
  const std::vector<std::string> all{"regression/concat", "classification/concat", "anchors/concat",
                                     "clipped_boxes/Shape"};
  std::vector<std::string> decoded{"decoded"};
  g.node("Mystery", "decoded", all);
  if (!in_loop) {
    g.node("NonMaxSuppressionV3", "selected",
           {"decoded", "classification/concat", "most", "overlap", "overlap"}, {tf_type("T", TfType::f32)});
    decoded.emplace_back("selected");
  }
  for (const char* suffix : {"", "_1", "_2"})
    g.node("Mystery",
           std::string("filtered_detections/map/TensorArrayStack") + suffix + "/TensorArrayGatherV3",
           decoded);
  return g;
}

TEST_F(TensorflowConfigured, RetinaNet) {
  options_["disable_nhwc_to_nchw"] = true;
  const core::GraphPtr g = configured(retinanet(false), "retinanet.json");
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(shape(*g), (Shape{1, 1, 300, 7}));
  EXPECT_NEAR(attribute<double>(*g, output(*g).node, "nms_threshold"), 0.4, 1e-6);  // the model's
  EXPECT_THAT(found(run(*g, sequence(8 * 16 * 3))),
              near({0, 0, 0.9, 0,       0,      0.5625, 0.9,    0, 0, 0.2, 0.31875, 0.3875, 1,      0.6625,
                    0, 1, 0.8, 0.31875, 0.3875, 1,      0.6625, 0, 1, 0.3, 0.1875,  0.025,  0.4625, 1}));
}

TEST_F(TensorflowConfigured, RetinaNetWithTheOverlapOfTheConfiguration) {
  const core::GraphPtr g = configured(retinanet(true), "retinanet.json");
  EXPECT_EQ(attribute<double>(*g, output(*g).node, "nms_threshold"), 0.5);
}

TEST_F(TensorflowConfigured, SsdToolbox) {
  const std::string scope = "SSD/concat_reshape_softmax/";
  for (const auto& [file, priors] :
       {std::pair("ssd_toolbox_detection_output.json", std::string("SSD/fc7_priorbox")),
        std::pair("ssd_toolbox_multihead_detection_output.json", scope + "mbox_priorbox")}) {
    GraphDef m;
    m.placeholder("offsets", TfType::f32, {1, 2, 4});
    m.node("Identity", scope + "mbox_loc_final", {"offsets"}, f32());
    // What does not follow from an input would be no output.
    m.constant("zero", tf_floats({}, {0})).constant("all", tf_i32({3}, {0, 1, 2}));
    m.node("Mul", "nothing", {"offsets", "zero"}, f32()).node("Sum", "none", {"nothing", "all"}, f32());
    m.constant("scores", tf_floats({1, 2, 3}, {0.1F, 0.7F, 0.2F, 0.3F, 0.005F, 0.695F}));
    m.node("AddV2", scope + "mbox_conf_final", {"scores", "none"}, f32());
    m.constant("priors", tf_floats({1, 2, 8}, {0.1F, 0.1F, 0.5F, 0.5F, 0.4F, 0.3F, 0.9F, 0.8F, 0.1F, 0.1F,
                                               0.2F, 0.2F, 0.1F, 0.1F, 0.2F, 0.2F}));
    m.node("AddV2", priors, {"priors", "none"}, f32());
    const core::GraphPtr g = configured(m, file);
    ASSERT_EQ(g->results().size(), 1U);
    EXPECT_THAT(found(run(*g, sequence(8))), near({0, 1, 0.7,   0.0431949, 0.0462538, 0.556805, 0.373746,
                                                   0, 2, 0.695, 0.60742,   0.225035,  0.94258,  0.899965,
                                                   0, 2, 0.2,   0.0431949, 0.0462538, 0.556805, 0.373746}));
  }
}

// A network of one convolution, with its levels 3 and 4 for pictures of 16 x 16.
GraphDef efficientdet() {
  GraphDef g;
  const auto f = tf_type("T", TfType::f32);
  g.placeholder("image_arrays", TfType::u8, {1, 16, 16, 3});
  g.node("Mystery", "decoded", {"image_arrays"});
  g.node("Cast", "convert_image", {"decoded"}, {tf_type("SrcT", TfType::u8), tf_type("DstT", TfType::f32)});
  g.constant("mean", tf_floats({}, {0.5F})).constant("deviation", tf_floats({}, {2}));
  g.node("Sub", "sub", {"convert_image", "mean"}, {f}).node("RealDiv", "truediv", {"sub", "deviation"}, {f});
  g.node("Mystery", "resized", {"truediv"});
  g.constant("stem/kernel", tf_floats({8, 8, 3, 4}, sequence(768, 17, 3, 19, 200)));
  const std::vector<TfAttribute> one{f, tf_ints("strides", {1, 1, 1, 1}), tf_text("padding", "VALID")};
  g.node("Conv2D", "level3", {"resized", "stem/kernel"},
         {f, tf_ints("strides", {1, 8, 8, 1}), tf_text("padding", "VALID")});
  g.node("MaxPool", "level4", {"level3"},
         {f, tf_ints("ksize", {1, 1, 1, 1}), tf_ints("strides", {1, 2, 2, 1}), tf_text("padding", "VALID")});
  g.constant("box_net/box-predict/pointwise_kernel", tf_floats({1, 1, 4, 36}, sequence(144, 13, 5, 29, 40)));
  g.constant("box_net/box-predict/bias", tf_floats({36}, sequence(36, 7, 2, 13, 20)));
  g.constant("class/kernel", tf_floats({1, 1, 4, 810}, sequence(3240, 101, 17, 997, 1100)));
  g.constant("class/bias", tf_floats({}, {-2.45F}));
  g.constant("boxes", tf_i32({3}, {1, -1, 4})).constant("classes", tf_i32({3}, {1, -1, 90}));
  g.constant("axis", tf_i32({}, {1}));
  const std::vector<std::pair<std::string, std::string>> levels{{"level3", ""}, {"level4", "_1"}};
  for (const auto& [level, suffix] : levels) {
    const std::string box = "box_net/box-predict" + suffix;
    g.node("Conv2D", box + "/conv", {level, "box_net/box-predict/pointwise_kernel"}, one);
    g.node("BiasAdd", box + "/BiasAdd", {box + "/conv", "box_net/box-predict/bias"}, {f});
    g.node("Reshape", "boxes" + level, {box + "/BiasAdd", "boxes"}, {f});
    g.node("Conv2D", "class" + level, {level, "class/kernel"}, one);
    g.node("Add", "sum" + level, {"class" + level, "class/bias"}, {f});
    g.node("Reshape", "classes" + level, {"sum" + level, "classes"}, {f});
  }
  g.node("ConcatV2", "concat", {"classeslevel3", "classeslevel4", "axis"}, {f, tf_int("N", 2)});
  g.node("ConcatV2", "concat_1", {"boxeslevel3", "boxeslevel4", "axis"}, {f, tf_int("N", 2)});
  return g.node("Mystery", "detections", {"concat", "concat_1"});
}

TEST_F(TensorflowConfigured, EfficientDet) {
  options_["disable_nhwc_to_nchw"] = true;
  const core::GraphPtr g = configured(efficientdet(), "automl_efficientdet.json");
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(g->name(output(*g).node), "detections");
  EXPECT_EQ(shape(*g), (Shape{1, 1, 100, 7}));
  std::vector<float> picture = sequence(768, 29, 7, 31, 16);
  for (float& v : picture) v *= 8;
  EXPECT_THAT(found(run(*g, picture)), near({0, 8,  0.201914, -0.580657,  -1.13363,  3.47641,   -0.00962307,
                                             0, 33, 0.202757, -2.10129,   -0.194579, 2.62542,   1.92313,
                                             0, 44, 0.201493, -2.06356,   -0.144599, -0.316368, 4.06717,
                                             0, 55, 0.200236, -0.247067,  -1.98778,  0.517867,  1.87108,
                                             0, 69, 0.202335, -1.1613,    -1.71443,  2.56519,   0.739055,
                                             0, 80, 0.201074, -0.0867114, -2.34599,  3.61898,   0.341867,
                                             0, 87, 0.203179, -0.580657,  -1.13363,  3.47641,   -0.00962307},
                                            2e-5));
}

TEST_F(TensorflowConfigured, EfficientDetOfAnotherExport) {
  GraphDef m = yolo2();
  m.node("Identity", "convert_image", {"input"}, f32());
  point_wise(m, "truediv", "convert_image", 1, {1});
  EXPECT_THAT(
      refusal(m, app::read_configuration(
                     {MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/automl_efficientdet.json"})),
      HasSubstr("'concat' names the node 'concat', which the model does not have"));
}

TEST_F(TensorflowConfigured, HintAtYolo3) {
  GraphDef m = yolo2();
  point_wise(m, "detector/darknet-53/Conv", "input", 1, {1, 2});
  m.node("Identity", "detector/yolo-v3/Conv", {"detector/darknet-53/Conv"}, f32());
  prepare(m);
  EXPECT_THAT(log_, HasSubstr("looks like YOLO v3; --transformations_config yolo_v3.json"));
  log_.clear();
  options_["transformations_config"] = std::string("yolo_v3.json");
  prepare(m);
  EXPECT_EQ(log_, "");
}

GraphDef darkflow(size_t layers) {
  GraphDef m;
  const auto f = tf_type("T", TfType::f32);
  m.placeholder("input", TfType::f32, {1, 4, 4, 1});
  m.constant("pads", tf_i32({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0}));
  m.constant("kernel", tf_floats({3, 3, 1, 1}, std::vector<float>(9, 0.1F)));
  m.constant("one", tf_floats({1}, {1})).constant("slope", tf_floats({}, {0.1F}));
  std::string x = "input";
  for (size_t i = 0; i < layers; ++i) {
    const auto name = [&](const char* part) { return std::to_string(i) + part; };
    m.node("Pad", name("pad"), {x, "pads"}, {f, tf_type("Tpaddings", TfType::i32)});
    m.node("Conv2D", name("conv"), {name("pad"), "kernel"},
           {f, tf_ints("strides", {1, 1, 1, 1}), tf_text("padding", "VALID")});
    m.node("Sub", name("sub"), {name("conv"), "one"}, {f});
    m.node("RealDiv", name("div"), {name("sub"), "one"}, {f});
    m.node("Mul", name("mul"), {name("div"), "one"}, {f});
    m.node("BiasAdd", name("bias"), {name("mul"), "one"}, {f});
    m.node("Mul", name("slope"), {"slope", name("bias")}, {f});
    m.node("Maximum", name("leaky"), {name("slope"), name("bias")}, {f});
    x = name("leaky");
  }
  return m.node("Identity", "output", {x}, {f});
}

TEST_F(TensorflowConfigured, HintAtDarkflow) {
  prepare(darkflow(8));
  EXPECT_THAT(log_,
              HasSubstr("looks like a tiny YOLO by darkflow; --transformations_config yolo_v2_tiny.json"));
  log_.clear();
  prepare(darkflow(22));
  EXPECT_THAT(log_, HasSubstr("looks like YOLO v2 by darkflow; --transformations_config yolo_v2.json"));
  log_.clear();
  prepare(darkflow(9));
  EXPECT_EQ(log_, "");
}

TEST_F(TensorflowConfigured, HintAtRetinaNet) {
  GraphDef m = yolo2();
  point_wise(m, "conv", "input", 1, {1});
  m.constant("0", tf_i32({}, {0})).constant("1", tf_i32({}, {1})).constant("2", tf_i32({}, {2}));
  m.constant("half", tf_floats({}, {0.5F})).constant("stride", tf_floats({}, {8}));
  const auto i = tf_type("T", TfType::i32), f = tf_type("T", TfType::f32);
  for (const std::string s : {"x", "y"}) {
    m.node("Range", s, {"0", "2", "1"}, {tf_type("Tidx", TfType::i32)});
    m.node("Cast", s + "/f", {s}, {tf_type("SrcT", TfType::i32), tf_type("DstT", TfType::f32)});
    m.node("AddV2", s + "/at", {s + "/f", "half"}, {f})
        .node("Mul", s + "/scaled", {s + "/at", "stride"}, {f});
    m.node("Size", s + "/size", {s + "/scaled"}, {f});
  }
  m.node("Pack", "dims", {"x/size", "y/size"}, {i, tf_int("N", 2)});
  m.node("Fill", "grid", {"dims", "half"}, {f});
  prepare(m);
  EXPECT_THAT(log_, HasSubstr("looks like RetinaNet by Keras; --transformations_config retinanet.json"));
}

}  // namespace
}  // namespace mo::test
