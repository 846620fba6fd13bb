// What the program does with each model: cuts, shapes, configurations, means and `check`.
#include <cmath>

#include "apps/options/input_grammar.hpp"
#include "apps/survey/survey.hpp"
#include "paddle_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;

namespace {

class PaddleProgram : public Paddle {
 protected:
  static paddle_rows::Row row() {
    return row_of(R"(
input x f32 1x3x4x4 given spread 0
block 0 -1 x=f32:-1x3x4x4 block_scaled=f32:-1x3x4x4 block_shifted=f32:-1x3x4x4 y=f32:-1x3x4x4
op feed X=feed > Out=x | col=i:0
op scale X=x > Out=block_scaled | scale=f:2 bias=f:0 bias_after_scale=b:1
op scale X=block_scaled > Out=block_shifted | scale=f:1 bias=f:1 bias_after_scale=b:1
op tanh X=block_shifted > Out=y |
op fetch X=y > Out=fetch | col=i:0
)");
  }
  std::filesystem::path network() { return write(row()); }
};

TEST_F(PaddleProgram, CutsByNodesAndByTensors) {
  convert_.inputs = app::parse_inputs("block_shifted:0[1 3 4 4]");
  const auto behind = prepare(network());
  EXPECT_EQ(count(*behind, "Add"), 0U);
  EXPECT_EQ(count(*behind, "Tanh"), 1U);
  convert_.inputs.clear();
  convert_.outputs = app::parse_outputs("block_shifted");
  const auto before = prepare(network());
  EXPECT_EQ(count(*before, "Tanh"), 0U);
  EXPECT_EQ(type(*before, "block_shifted"), "Add@opset1");
}

TEST_F(PaddleProgram, OpenDimensionsStayOpenAndShapesOfInputsGoThrough) {
  EXPECT_EQ(shape(*prepare(network())), (Shape{any_dim, 3, 4, 4}));
  convert_.inputs = app::parse_inputs("x[2 3 4 4]");
  EXPECT_EQ(shape(*prepare(network())), (Shape{2, 3, 4, 4}));
}

TEST_F(PaddleProgram, MeansAndScalesOfPictures) {
  options_ = {{"mean_values", std::string("(0.1,0.2,0.3)")}};
  const auto y = values_of(run(*prepare(network()), row()).at(0));
  ASSERT_EQ(y.size(), 48U);
  for (const size_t channel : {0U, 1U, 2U})
    EXPECT_NEAR(y[16 * channel], std::tanh(1 - 0.2 * static_cast<double>(channel + 1)), 1e-5);
}

TEST_F(PaddleProgram, CheckNamesEachOperatorThatFailsAndWhoTakesTheOthers) {
  core::ConvertOptions options = convert_;
  options.input_model = write(row_of(R"(
block 0 -1 x=f32:2 good=f32:2 bad=f32:2 worst=f32:2
op feed X=feed > Out=x | col=i:0
op square X=x > Out=good |
op sequence_pool X=good > Out=bad |
op nobody X=good > Out=worst |
op fetch X=bad > Out=fetch | col=i:0
op fetch X=worst > Out=fetch | col=i:1
)"))
                            .string();
  const app::ModelSurvey survey = app::survey_model(new_session(), options);
  EXPECT_FALSE(survey.all_convertible());
  std::map<std::string, app::SurveyedOperation> by_op;
  for (const app::SurveyedOperation& o : survey.operations) by_op[o.op] = o;
  EXPECT_THAT(by_op["square"].by, ElementsAre(HasSubstr("org.mo-host.paddle")));
  EXPECT_THAT(by_op["sequence_pool"].why, ElementsAre(HasSubstr("LoDTensors")));
  EXPECT_EQ(by_op["nobody"].open, 1U);
}

}  // namespace
}  // namespace mo::test
