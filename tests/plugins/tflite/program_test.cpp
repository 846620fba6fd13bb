// What the program's options do to a model of TensorFlow Lite: cuts, shapes, configurations, and what `check`
// says.
#include "apps/config_tools/config_file.hpp"
#include "apps/options/input_grammar.hpp"
#include "apps/survey/survey.hpp"
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

class TfliteProgram : public Tflite {
 protected:
  // data -> block_scaled (* 2) -> block_shifted (+ 1) -> split into first and second -> y = exp of second
  std::filesystem::path network() const {
    LiteFile file;
    LiteGraph& g = file.main();
    const auto tensor = [](const char* name, int32_t columns) {
      return LiteTensor{.name = name, .dims = {2, columns}};
    };
    const int32_t data = g.input(tensor("data", 4)), scaled = g.tensor(tensor("block_scaled", 4)),
                  shifted = g.tensor(tensor("block_shifted", 4)), first = g.tensor(tensor("first", 2)),
                  second = g.tensor(tensor("second", 2)), y = g.output(tensor("y", 2)),
                  two = g.floats({}, {2}), one = g.floats({}, {1}),
                  axis = g.constant<int32_t>(LiteType::i32, {}, {1});
    g.tensors[static_cast<size_t>(two)].name =
        "block_two";  // what a part reads from outside is an input of it
    g.tensors[static_cast<size_t>(one)].name = "block_one";
    g.operators = {{.code = 18, .inputs = {data, two}, .outputs = {scaled}},
                   {.code = lite::add, .inputs = {scaled, one}, .outputs = {shifted}, .options_type = 11},
                   {.code = 49,
                    .inputs = {axis, shifted},
                    .outputs = {first, second},
                    .options_type = 35,
                    .options = {{0, 2}}},
                   {.code = 47, .inputs = {second}, .outputs = {y}}};
    return folder_.write("model.tflite", file.bytes());
  }
  core::GraphPtr converted() { return ConversionTest::prepare(network()); }
  // An entry of a configuration has no transformation that could be run twice.
  core::GraphPtr configured(std::string_view json) {
    const std::string file = folder_.write("c.json", json);
    plugin_ = [file](core::Session& s) {
      s.configuration = std::make_shared<const core::Configuration>(app::read_configuration({file}));
    };
    core::ConvertOptions options = convert_;
    options.input_model = network().string();
    options.emit.model_name = "model";
    core::ConvertResult result;
    return core::prepare_model(new_session(), options, result);
  }
  static bool has_tensor_name(const core::Graph& g, core::PortRef port, std::string_view name) {
    const auto& names = g.out(port).names;
    return std::any_of(names.begin(), names.end(),
                       [&](core::Symbol s) { return g.symbols().text(s) == name; });
  }
};

TEST_F(TfliteProgram, CutsByNodesAndByTensors) {
  convert_.inputs = app::parse_inputs("block_shifted:0[2 6]");
  const auto behind = converted();
  EXPECT_EQ(count(*behind, "Add"), 0U);
  EXPECT_EQ(shape(*behind), (Shape{2, 3}));
  convert_.inputs.clear();
  convert_.outputs = app::parse_outputs("first,block_scaled");
  const auto before = converted();
  ASSERT_EQ(before->results().size(), 2U);
  EXPECT_TRUE(has_tensor_name(*before, output(*before, 0), "first"));
  EXPECT_EQ(type(*before, "block_scaled"), "Multiply@opset1");
  EXPECT_EQ(count(*before, "Exp"), 0U);
  convert_.outputs = app::parse_outputs("nobody");
  EXPECT_THAT(ConversionTest::failure_of(network()),
              HasSubstr("no node or tensor of the model is named 'nobody'"));
}

TEST_F(TfliteProgram, ShapesOfInputsGoThroughTheModel) {
  convert_.inputs = app::parse_inputs("data[5 8]");
  EXPECT_EQ(shape(*converted()), (Shape{5, 4}));
}

// Names are those of the tensors, and a configuration comes before operators are converted.
TEST_F(TfliteProgram, ConfigurationsOfEachKindFindTheirPart) {
  const auto scope =
      configured(R"j([{"id": "a", "match_kind": "scope", "op": "Sigmoid", "instances": ["block_.*"]}])j");
  EXPECT_EQ(count(*scope, "Sigmoid"), 1U);
  EXPECT_EQ(count(*scope, "Add"), 0U);
  EXPECT_EQ(shape(*scope), (Shape{2, 2}));
  const auto points = configured(R"j([{"id": "a", "match_kind": "points", "op": "Sigmoid",
      "instances": {"start_points": ["block_scaled"], "end_points": ["block_shifted"]}}])j");
  EXPECT_EQ(count(*points, "Sigmoid"), 1U);
  EXPECT_EQ(count(*points, "Multiply"), 0U);
}

TEST_F(TfliteProgram, CheckNamesEachOperatorThatFailsAndWhoTakesTheOthers) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t x = g.input({.name = "x", .dims = {2}}), good = g.tensor({.name = "good", .dims = {2}}),
                y = g.output({.name = "worst", .dims = {2}}), bad = g.output({.name = "bad", .dims = {2}});
  g.operators = {{.code = 92, .inputs = {x}, .outputs = {good}},
                 {.code = 30, .inputs = {good}, .outputs = {bad}},
                 {.code = lite::custom, .inputs = {good}, .outputs = {y}, .custom = "Nobody"}};
  core::ConvertOptions options = convert_;
  options.input_model = folder_.write("checked.tflite", file.bytes());
  const app::ModelSurvey survey = app::survey_model(new_session(), options);
  EXPECT_FALSE(survey.all_convertible());
  std::map<std::string, app::SurveyedOperation> by_op;
  for (const app::SurveyedOperation& o : survey.operations) by_op[o.op] = o;
  EXPECT_THAT(by_op["SQUARE"].by, ElementsAre(HasSubstr("org.mo-host.tflite")));
  EXPECT_THAT(by_op["SKIP_GRAM"].why, ElementsAre(HasSubstr("it hashes or splits its input")));
  EXPECT_EQ(by_op["Nobody"].open, 1U);
}

}  // namespace
}  // namespace mo::test
