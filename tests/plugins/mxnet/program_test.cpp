// What the program's options do to a network of MXNet: cuts, configurations, and what `check` says.
#include "apps/config_tools/config_file.hpp"
#include "apps/options/input_grammar.hpp"
#include "apps/survey/survey.hpp"
#include "mxnet_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class MxnetProgram : public Mxnet {
 protected:
  // data -> block_scaled (* 2) -> block_shifted (+ 1) -> split into the outputs 0 and 1 -> y = output 1,
  // squared
  std::string network() const {
    const std::string nodes =
        variable("data", R"j({"__shape__": "(1, 2, 2, 1)"})j") +
        R"j(, {"op": "_mul_scalar", "name": "block_scaled", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
               {"op": "_plus_scalar", "name": "block_shifted", "attrs": {"scalar": "1"}, "inputs": [[1, 0, 0]]},
               {"op": "SliceChannel", "name": "parts", "attrs": {"num_outputs": "2"}, "inputs": [[2, 0, 0]]},
               {"op": "square", "name": "y", "inputs": [[3, 1, 0]]})j";
    return model_of(symbol_of(nodes, "[4, 0, 0]", of_1_9), {});
  }
  core::GraphPtr converted(core::Stage stage = core::Stage::final) {
    return ConversionTest::prepare(network(), stage);
  }
  // An entry of a configuration has no transformation that could be run twice.
  core::GraphPtr configured(std::string_view json) {
    const std::string file = folder_.write("c.json", json);
    plugin_ = [file](core::Session& s) {
      s.configuration = std::make_shared<const core::Configuration>(app::read_configuration({file}));
    };
    core::ConvertOptions options = convert_;
    options.input_model = network();
    options.emit.model_name = "model";
    core::ConvertResult result;
    return core::prepare_model(new_session(), options, result);
  }
};

TEST_F(MxnetProgram, CutsByNodesAndByTensors) {
  convert_.inputs = app::parse_inputs("0:parts[1 4 2 1]");
  const auto behind = converted();
  EXPECT_EQ(count(*behind, "Add"), 0U);
  EXPECT_EQ(shape(*behind), (Shape{1, 2, 2, 1}));
  convert_.inputs = app::parse_inputs("block_shifted:0[1 6 2 1]");
  EXPECT_EQ(shape(*converted()), (Shape{1, 3, 2, 1}));
  convert_.inputs.clear();
  convert_.outputs = app::parse_outputs("parts:0,block_scaled");
  const auto before = converted();
  ASSERT_EQ(before->results().size(), 2U);
  EXPECT_EQ(names_of(*before, output(*before, 0)), "parts:0");
  EXPECT_EQ(type(*before, "block_scaled"), "Multiply@opset1");
  convert_.outputs = app::parse_outputs("nobody");
  EXPECT_THAT(ConversionTest::failure_of(network()),
              HasSubstr("no node or tensor of the model is named 'nobody'"));
}

// Names are those of the symbol, and operators those of MXNet: a configuration comes before they are
// converted.
TEST_F(MxnetProgram, ConfigurationsOfEachKindFindTheirPart) {
  const auto scope =
      configured(R"j([{"id": "a", "match_kind": "scope", "op": "Sigmoid", "instances": ["block_.*"]}])j");
  EXPECT_EQ(count(*scope, "Sigmoid"), 1U);
  EXPECT_EQ(count(*scope, "Add"), 0U);
  EXPECT_EQ(shape(*scope), (Shape{1, 1, 2, 1}));
  const auto points = configured(R"j([{"id": "a", "match_kind": "points", "op": "Sigmoid",
      "instances": {"start_points": ["block_scaled"], "end_points": ["block_shifted"]}}])j");
  EXPECT_EQ(count(*points, "Sigmoid"), 1U);
  EXPECT_EQ(count(*points, "Multiply"), 1U) << "the square";
}

TEST_F(MxnetProgram, CheckNamesEachOperatorThatFailsAndWhoTakesTheOthers) {
  const std::string nodes = variable("x", R"j({"__shape__": "(1, 4)"})j") +
                            R"j(, {"op": "square", "name": "good", "inputs": [[0, 0, 0]]},
             {"op": "Activation", "name": "bad", "attrs": {"act_type": "step"}, "inputs": [[1, 0, 0]]},
             {"op": "gammaln", "name": "worse", "inputs": [[2, 0, 0]]},
             {"op": "Nobody", "name": "worst", "inputs": [[3, 0, 0]]})j";
  core::ConvertOptions options = convert_;
  options.input_model = model_of(symbol_of(nodes, "[4, 0, 0]", of_1_9), {});
  const app::ModelSurvey survey = app::survey_model(new_session(), options);
  EXPECT_FALSE(survey.all_convertible());
  std::map<std::string, app::SurveyedOperation> by_op;
  for (const app::SurveyedOperation& o : survey.operations) by_op[o.op] = o;
  EXPECT_THAT(by_op["square"].by, ElementsAre("mxnet.front.square of org.mo-host.mxnet"));
  EXPECT_THAT(by_op["Activation"].why, ElementsAre(HasSubstr("attribute 'act_type' is 'step'")));
  EXPECT_THAT(by_op["gammaln"].why, ElementsAre(HasSubstr("the IR has no such function")));
  EXPECT_EQ(by_op["Nobody"].open, 1U);
}

}  // namespace

}  // namespace mo::test
