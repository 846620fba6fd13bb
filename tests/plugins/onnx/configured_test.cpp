// The configurations that come with the plugin, on models with the structure they are made for.
#include "apps/config_tools/config_file.hpp"
#include "apps/frontends/choose_frontend.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class OnnxConfigured : public Onnx {
 protected:
  core::GraphPtr configured(const ModelBuilder& m, const std::string& name) {
    m.write(folder_ / "model.onnx");
    core::Session& session = new_session();
    session.configuration = std::make_shared<const core::Configuration>(
        app::read_configuration({MO_SOURCE_DIR "/plugins/onnx/configurations/" + name}));
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = folder_ / "model.onnx";
    options.framework = "onnx";
    core::ConvertResult result;
    return core::prepare_model(session, options, result);
  }

  // Levels of a pyramid: an eighth of a picture of 32 x 32, and so on.
  static void add_pyramid(ModelBuilder& m, const std::vector<std::string>& names) {
    std::vector<float> first(64), second(16);
    for (size_t i = 0; i < 64; ++i) first[i] = 0.5F * static_cast<float>(i);
    for (size_t i = 0; i < 16; ++i) second[i] = static_cast<float>(i) - 3;
    m.initializer("level0", floats({1, 1, 8, 8}, first));
    m.initializer("level1", floats({1, 1, 4, 4}, second));
    m.initializer("level2", floats({1, 1, 2, 2}, {1, 2, 3, 4}));
    m.initializer("level3", floats({1, 1, 1, 1}, {2}));
    for (size_t i = 0; i < 4; ++i)
      m.node({.type = "Identity", .inputs = {"level" + std::to_string(i)}, .outputs = {names[i]}});
  }
  static void add_regions(ModelBuilder& m, const std::string& name) {
    m.node({.type = "Identity",
            .inputs = {m.constant(floats({3, 4}, {4, 4, 24, 24, 0, 0, 448, 448, 2, 3, 12, 15}))},
            .outputs = {name}});
  }
  // Stands for the choice of a level and what is done on each: nobody knows it, and nobody has to.
  static void add_unknown(ModelBuilder& m, std::vector<std::string> inputs,
                          std::vector<std::string> outputs) {
    m.node({.type = "Mystery", .inputs = std::move(inputs), .outputs = std::move(outputs), .domain = "acme"});
  }
  static ModelBuilder& with_acme(ModelBuilder& m) {
    m.opset("acme", 1);
    return m;
  }
};

// Numbers: RoiAlign of onnxruntime 1.30 on the level that suits each region, sampling_ratio 2.
const std::vector<double> first_column{
    6.1071424, 8.964286, 11.821428, 14.678572, 17.535715, 20.392857, 23.25,     0.5,       0,        0, 0, 0,
    0,         0,        4.1964283, 5.910714,  7.625,     9.339285,  11.053572, 12.767857, 14.482142};

void add_column(ModelBuilder& m, const std::string& features, const std::string& name) {
  m.node({.type = "Gather",
          .inputs = {features, m.constant(OnnxTensor::scalar<int64_t>(0))},
          .outputs = {name},
          .attributes = {{"axis", 3}}});
  m.output(name);
}

TEST_F(OnnxConfigured, PersonsAtCrossroads) {
  ModelBuilder m(11);
  with_acme(m);
  add_pyramid(m, {"634", "635", "636", "637"});
  const std::vector<std::string> in{"2475", "2834", "3192"}, out{"2614", "2972", "3330"};
  for (size_t i = 0; i < 3; ++i) {
    add_regions(m, in[i]);
    add_unknown(m, {in[i], "634"}, {out[i]});
    add_column(m, out[i], "y" + std::to_string(i));
  }
  const core::GraphPtr g = configured(m, "person_detection_crossroad.json");
  for (size_t i = 0; i < 3; ++i)
    EXPECT_THAT(values(*g, i), testing::Pointwise(testing::DoubleNear(1e-4), first_column));
}

ModelBuilder& add_detector(ModelBuilder& m, const std::vector<std::string>& names, bool masks) {
  // regions, features, deltas, scores, boxes, classes, scores of what is found
  m.opset("acme", 1);
  m.node({.type = "Mystery", .inputs = {names[0], "486"}, .outputs = {names[1]}, .domain = "acme"});
  m.initializer("deltas", floats({3, 324}, std::vector<float>(972)));
  std::vector<float> scores(243, 0.001F);
  scores[5] = 0.75F;      // the first region is of class 5
  scores[81 + 7] = 0.5F;  // the second of class 7
  m.initializer("scores", floats({3, 81}, scores));
  m.node({.type = "Identity", .inputs = {"deltas"}, .outputs = {names[2]}});
  m.node({.type = "Identity", .inputs = {"scores"}, .outputs = {names[3]}});
  m.node({.type = "Mystery",
          .inputs = {names[2], names[3], names[0]},
          .outputs = {names[4], names[5], names[6]},
          .domain = "acme"});
  for (size_t i = 4; i < 7; ++i) m.output(names[i]);
  if (masks) {
    m.node({.type = "Mystery", .inputs = {names[4], "486"}, .outputs = {"6795"}, .domain = "acme"});
    m.output("6795");
  }
  return m;
}

TEST_F(OnnxConfigured, FasterRcnn) {
  ModelBuilder m(11);
  add_pyramid(m, {"486", "454", "422", "390"});
  add_regions(m, "2335");
  add_detector(m, {"2335", "2592", "2614", "2615", "6371", "6373", "6375"}, false);
  add_column(m, "2592", "features");
  const core::GraphPtr g = configured(m, "faster_rcnn.json");
  EXPECT_THAT(values(*g, 3), testing::Pointwise(testing::DoubleNear(1e-4), first_column));
  EXPECT_EQ(count(*g, "ExperimentalDetectronROIFeatureExtractor"), 0U) << "it is computed";
  EXPECT_EQ(count(*g, "ExperimentalDetectronDetectionOutput"), 1U);
  const core::NodeId found = node(*g, "DetectionOutput");
  EXPECT_EQ(std::get<int64_t>(*g->attribute(found, "num_classes")), 81);
  EXPECT_EQ(std::get<int64_t>(*g->attribute(found, "max_detections_per_image")), 100);
  EXPECT_EQ(shape(*g, 0), Shape({100, 4}));
  EXPECT_EQ(g->out(output(*g, 1)).tensor.type, ElementType::i64);
  EXPECT_EQ(shape(*g, 2), Shape({100}));
  EXPECT_EQ(type(*g, "im_info"), "Parameter@opset1");
  EXPECT_EQ(count(*g, "acme.Mystery"), 0U);
  // Results are still known by the names of the model.
  EXPECT_EQ(g->symbols().text(g->out(output(*g, 0)).names[0]), "6371");
}

TEST_F(OnnxConfigured, MaskRcnnHasASecondExtractorOnWhatIsFound) {
  ModelBuilder m(11);
  add_pyramid(m, {"486", "454", "422", "390"});
  add_regions(m, "2490");
  add_detector(m, {"2490", "2751", "2773", "2774", "6530", "6532", "6534"}, true);
  const core::GraphPtr g = configured(m, "mask_rcnn.json");
  const core::NodeId masks = node(*g, "ROIFeatureExtractor_1");
  EXPECT_EQ(g->source({masks, 0}).node, node(*g, "DetectionOutput"));
  EXPECT_EQ(shape(*g, 3), Shape({100, 1, 14, 14}));
  EXPECT_EQ(std::get<std::vector<int64_t>>(*g->attribute(masks, "pyramid_scales")),
            (std::vector<int64_t>{4, 8, 16, 32}));
}

TEST_F(OnnxConfigured, AnotherModelIsAnErrorThatSaysWhatIsMissing) {
  ModelBuilder m(11);
  m.input("x", OnnxType::float32, {1, 4});
  m.output(m.op("Relu", {"x"}));
  try {
    configured(m, "person_detection_crossroad.json");
    FAIL() << "it was converted";
  } catch (const core::Failure& f) {
    EXPECT_THAT(f.render(), HasSubstr("custom attribute 'fpn_heads' names '634', but the model has no such"));
    EXPECT_EQ(f.exit(), core::Exit::model);
  }
}

}  // namespace
}  // namespace mo::test
