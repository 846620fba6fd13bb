// The end of an SSD as gluoncv writes it, with constants for what a network would compute:
// values/gluoncv-symbol.json. The rows are what shared/tools/oracle/mxnet_exec.py gives.
#include "apps/config_tools/config_file.hpp"
#include "mxnet_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

namespace {

constexpr const char* ssd = MO_SOURCE_DIR "/tests/plugins/mxnet/values/gluoncv-symbol.json";

using Row = std::vector<double>;  // class, score, box

const std::vector<Row>& detections() {
  static const std::vector<Row> rows{
      {1, 0.96688634, -0.03710888, 0.04103675, 0.5047089, 0.41176325},
      {0, 0.9525511, 0.49440238, 0.49430263, 0.93119764, 0.97469735},
      {0, 0.93206465, 0.0767318, 0.4964955, 0.4272682, 0.9995045},
      {1, 0.91344976, 0.42464072, 0.05074285, 0.9829593, 0.44125715},
      {1, 0.7165544, -0.03978872, 0.5642386, 0.5985887, 0.9949614},
      {0, 0.6201885, 0.28555888, 0.24717328, 0.7564411, 0.6598267},
      {0, 0.563733, 0.0863984, -0.02999703, 0.4848016, 0.51599705},
      {0, 0.05666906, 0.42464072, 0.05074285, 0.9829593, 0.44125715},
      {1, 0.03768054, 0.49440238, 0.49430263, 0.93119764, 0.97469735},
      {1, 0.02907921, 0.28555888, 0.24717328, 0.7564411, 0.6598267},
  };
  return rows;
}

void expect_near(const Row& got, const Row& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-5) << i;
}

class MxnetDetectors : public Mxnet {};

TEST_F(MxnetDetectors, BoxNmsGivesTheRowsThatStayInTheOrderOfTheirScores) {
  const auto g = ConversionTest::prepare(ssd);
  const auto classes = values(*g, 0), scores = values(*g, 1), boxes = values(*g, 2);
  EXPECT_EQ(shape(*g, 2), (Shape{1, 18, 4}));
  ASSERT_EQ(classes.size(), 18U);
  for (size_t r = 0; r < 18; ++r) {
    const auto box = boxes.begin() + static_cast<std::ptrdiff_t>(4 * r);
    Row row{classes[r], scores[r]};
    row.insert(row.end(), box, box + 4);
    expect_near(row, r < detections().size() ? detections()[r] : Row(6, -1));
  }
}

TEST_F(MxnetDetectors, WithTheOptionTheEndBecomesOneDetectionOutput) {
  options_["enable_ssd_gluoncv"] = true;
  const auto g = ConversionTest::prepare(ssd);
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(g->name(g->results()[0]), "nms/sink_port_0");
  const auto got = values(*g);
  ASSERT_EQ(got.size() % 7, 0U);
  // Rows [picture, class, score, box] of the best class of each anchor: those with another one are at the
  // end.
  constexpr size_t of_best_class = 7;
  size_t found = 0;
  for (size_t i = 0; i < of_best_class; ++i)
    for (size_t at = 0; at < 7 * of_best_class; at += 7) {
      const Row& wanted = detections()[i];
      if (got[at] != 0 || got[at + 1] != wanted[0] || std::abs(got[at + 2] - wanted[1]) > 1e-5) continue;
      ++found;
      const auto row = got.begin() + static_cast<std::ptrdiff_t>(at);
      expect_near(Row(row + 1, row + 7), wanted);
    }
  EXPECT_EQ(found, of_best_class);
  ASSERT_GT(got.size(), 7 * of_best_class);
  EXPECT_EQ(got[7 * of_best_class], -1);
}

TEST_F(MxnetDetectors, AnotherEndIsNoSsd) {
  options_["enable_ssd_gluoncv"] = true;
  EXPECT_THAT(
      failure_of(symbol_of(variable("x", R"j({"__shape__": "(1, 4, 6)"})j") +
                               R"j(, {"op": "_contrib_box_nms", "name": "nms", "inputs": [[0, 0, 0]]})j",
                           "[1, 0, 0]")),
      HasSubstr("what 'nms' reads is not the end of an SSD of gluoncv: there is no softmax over classes"));
}

#ifdef MO_HAVE_PLUGIN_tensorflow  // has the transformation
TEST_F(MxnetDetectors, HeadsOfYolo3BecomeRegions) {
  plugin_ = [](core::Session& s) {
    s.configuration = std::make_shared<const core::Configuration>(
        app::read_configuration({MO_SOURCE_DIR "/plugins/mxnet/configurations/yolo_v3_mobilenet1_voc.json"}));
  };
  std::string nodes, heads;
  for (size_t i = 0; i < 3; ++i) {
    nodes += variable(text('x', i), R"j({"__shape__": "(1, 75, 2, 2)"})j");
    nodes += text(R"j(, {"op": "Reshape", "name": "yolov30_yolooutputv3)j", i, R"j(_reshape0", )j",
                  R"j("attrs": {"shape": "(0, 75, -1)"}, "inputs": [[)j", 2 * i, ", 0]]}");
    if (i < 2) nodes += ", ";
    heads += text(i == 0 ? "[" : ", [", 2 * i + 1, ", 0]");
  }
  // Once: the nodes that the configuration names are gone afterwards.
  core::ConvertOptions options = convert_;
  options.input_model = model_of(symbol_of(nodes, heads), {});
  options.emit.model_name = "model";
  core::ConvertResult result;
  const auto g = core::prepare_model(new_session(), options, result);
  ASSERT_EQ(g->results().size(), 3U);
  EXPECT_EQ(count(*g, "RegionYolo"), 3U);
  EXPECT_EQ(shape(*g), (Shape{1, 75, 2, 2}));
}
#endif

}  // namespace

}  // namespace mo::test
