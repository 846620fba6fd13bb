#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

const std::vector<std::string> in_order = {"middle.scale_inputs", "middle.subtract_means",
                                           "middle.reverse_input_channels"};

// One pixel with three channels.
constexpr std::string_view one_pixel = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,3,1,1]} -> f32[1,3,1,1] names("x")
  %y = ReLU@opset1 "y" (%x) -> _ names("y")
  Result@opset1 "r" (%y)
)";

constexpr std::string_view two_inputs = R"(
  %a = Parameter@opset1 "a" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("a")
  %b = Parameter@opset1 "b" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("tensor_b")
  %y = Concat@opset1 "y" (%a, %b) {axis=1} -> _ names("y")
  Result@opset1 "r" (%y)
)";

using Options = std::vector<std::pair<std::string, core::Attribute>>;

struct Row {
  std::string_view graph;
  Options options;
  std::string inputs;
  std::vector<double> expected;
};

std::vector<double> computed(const Row& row) {
  PassesLab lab;
  for (const auto& [name, value] : row.options) lab.session.set_option(name, value);
  const auto g = lab.graph(row.graph);
  lab.run(*g, in_order);
  return lab.computed(*g, row.inputs);
}

TEST(InputOptions, NumbersComeOut) {
  using std::string;
  const std::string x = "x->[10 20 30]", ab = "a->[1 2],b->[3 4]";
  const Row rows[] = {
      {one_pixel, {}, x, {10, 20, 30}},
      {one_pixel, {{"mean_values", string("(1,2,3)")}}, x, {9, 18, 27}},
      {one_pixel, {{"mean_values", string("[1 2 3]")}}, x, {9, 18, 27}},
      {one_pixel, {{"mean_values", string("x(4)")}}, x, {6, 16, 26}},
      {one_pixel, {{"mean_values", string("(0,0,0)")}}, x, {10, 20, 30}},
      {one_pixel, {{"scale", 2.0}}, x, {5, 10, 15}},
      {one_pixel, {{"scale_values", string("(1,2,5)")}}, x, {10, 10, 6}},
      // The mean first, then the scale.
      {one_pixel, {{"mean_values", string("(2,4,6)")}, {"scale", 4.0}}, x, {2, 4, 6}},
      {one_pixel, {{"mean_values", string("(2,4,5)")}, {"scale_values", string("x[4,2,5]")}}, x, {2, 8, 5}},
      {one_pixel, {{"reverse_input_channels", true}}, x, {30, 20, 10}},
      // Their numbers are in the order of the model, so the channels are reversed before.
      {one_pixel, {{"mean_values", string("(1,2,3)")}, {"reverse_input_channels", true}}, x, {29, 18, 7}},
      {two_inputs, {{"mean_values", string("(1,1),(0.5)")}}, ab, {0, 1, 2.5, 3.5}},
      {two_inputs, {{"mean_values", string("b(2,1)")}}, ab, {1, 2, 1, 3}},
      {two_inputs, {{"mean_values", string("tensor_b(2,1)")}}, ab, {1, 2, 1, 3}},
      {two_inputs, {{"mean_values", string("b:0(2,1), a[-1]")}}, ab, {2, 3, 1, 3}},
      {two_inputs, {{"scale", 0.5}}, ab, {2, 4, 6, 8}},
  };
  for (const Row& r : rows) {
    std::string told;
    for (const auto& [name, value] : r.options)
      told +=
          name + " " + (std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : "") + " ";
    EXPECT_EQ(computed(r), r.expected) << told;
  }
}

TEST(InputOptions, NothingIsInsertedWhereNothingChanges) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(0,0,0)"));
  lab.session.set_option("scale_values", std::string("(1,1,1)"));
  const auto g = lab.graph(one_pixel);
  lab.run(*g, in_order);
  EXPECT_EQ(g->size(), 3U);
}

TEST(InputOptions, RunningTwiceIsRunningOnce) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(1,2,3)"));
  lab.session.set_option("scale", 2.0);
  lab.session.set_option("reverse_input_channels", true);
  const auto g = lab.graph(one_pixel);
  lab.run(*g, in_order);
  const std::string once = app::to_text(*g);
  lab.run(*g, in_order);
  EXPECT_EQ(app::to_text(*g), once);
}

TEST(InputOptions, TheInputKeepsItsNamesAndItsShapeIsReadFromItself) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(1,2,3)"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[?,3,?,?]} -> f32[?,3,?,?] names("tensor_x")
    %s = ShapeOf@opset3 "s" (%x) {output_type=i64}
    %y = Reshape@opset1 "y" (%x, %s) {special_zero=false} -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, in_order);
  const core::NodeId x = g->find("x");
  EXPECT_EQ(g->source({g->find("s"), 0}).node, x);
  EXPECT_EQ(g->name(g->source({g->find("y"), 0}).node), "x/mean");
  ASSERT_EQ(g->out({x, 0}).names.size(), 1U);
  EXPECT_EQ(g->symbols().text(g->out({x, 0}).names[0]), "tensor_x");
}

TEST(InputOptions, ChannelsAreLastInThatLayout) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(1,2,3)"));
  lab.session.set_option("reverse_input_channels", true);
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,1,1,3]} -> f32[1,1,1,3] names("x")
    %y = ReLU@opset1 "y" (%x) -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  g->set_attribute("layout", std::string("NHWC"));
  lab.run(*g, in_order);
  EXPECT_EQ(lab.computed(*g, "x->[10 20 30]"), (std::vector<double>{29, 18, 7}));
}

TEST(InputOptions, OrderIsThatOfInput) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(1),(2)"));
  const auto g = lab.graph(two_inputs);
  core::cut_inputs(*g, app::parse_inputs("b,a"), false);
  lab.run(*g, in_order);
  EXPECT_EQ(lab.computed(*g, "a->[1 2],b->[3 4]"), (std::vector<double>{-1, 0, 2, 3}));
}

TEST(InputOptions, AFrozenInputIsNotCounted) {
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("(1)"));
  const auto g = lab.graph(two_inputs);
  core::cut_inputs(*g, app::parse_inputs("a->[7 7],b"), false);
  core::infer_all(lab.session, *g);
  lab.run(*g, in_order);
  EXPECT_EQ(lab.computed(*g, "b->[3 4]"), (std::vector<double>{7, 7, 2, 3}));
}

TEST(InputOptions, ACutIsNamedAsItWasCut) {
  for (const char* name : {"y", "0:y"}) {
    PassesLab lab;
    lab.session.set_option("mean_values", std::string(name) + "(1,2,3)");
    const auto g = lab.graph(one_pixel);
    core::cut_inputs(*g, app::parse_inputs("y"), false);
    lab.run(*g, in_order);
    EXPECT_EQ(lab.computed(*g, "y/placeholder_port_0->[10 20 30]"), (std::vector<double>{9, 18, 27})) << name;
  }
}

TEST(InputOptions, InputsOfOtherTypesAreLeftOutByScale) {
  PassesLab lab;
  lab.session.set_option("scale", 2.0);
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=i64, shape=shape[2]} -> i64[2] names("x")
    Result@opset1 "r" (%x)
  )");
  lab.run(*g, in_order);
  EXPECT_EQ(g->size(), 2U);
  EXPECT_EQ(lab.warnings, "--scale leaves input 'x' as it is: its type is i64\n");
}

TEST(InputOptions, ReversingNothingIsSaid) {
  PassesLab lab;
  lab.session.set_option("reverse_input_channels", true);
  const auto g = lab.graph(two_inputs);
  lab.run(*g, in_order);
  EXPECT_EQ(g->size(), 4U);
  EXPECT_EQ(lab.warnings,
            "--reverse_input_channels changes nothing: no input has 4 dimensions and 3 channels\n");
}

TEST(InputOptions, MistakesAreExplained) {
  struct Mistake {
    std::string_view graph;
    const char *option, *value, *expected;
  };
  const Mistake rows[] = {
      {one_pixel, "mean_values", "q(1)", "no input of the model is named 'q'; there are 'x'"},
      {one_pixel, "mean_values", "(1),(2)",
       "there are 2 groups of numbers for 1 inputs; write the input's name before each group: name(1,2,3)"},
      {two_inputs, "scale_values", "(1)", "there are 1 groups of numbers for 2 inputs"},
      {one_pixel, "mean_values", "(1,2)",
       "2 numbers do not fit input 'x' of shape [1,3,1,1]; give one number, or one per channel"},
      {two_inputs, "mean_values", "a(1),a:0(2)", "input 'a' is named twice"},
  };
  for (const Mistake& m : rows) {
    PassesLab lab;
    lab.session.set_option(m.option, std::string(m.value));
    const auto g = lab.graph(m.graph);
    EXPECT_THAT(PassesLab::failure_of([&] { lab.run(*g, in_order); }),
                HasSubstr(std::string("MO0117: --") + m.option + ": " + m.expected))
        << m.value;
  }
  PassesLab lab;
  lab.session.set_option("mean_values", std::string("x(1)"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=u8, shape=shape[2]} -> u8[2] names("x")
    Result@opset1 "r" (%x)
  )");
  EXPECT_EQ(
      PassesLab::failure_of([&] { lab.run(*g, in_order); }),
      "MO0117: --mean_values: input 'x' is u8, not a floating-point type; --input 'x{f32}' makes it one");
}

TEST(InputOptions, AreCheckedBeforeTheWorkBegins) {
  const auto said = [](const Options& options) {
    PassesLab lab;
    for (const auto& [name, value] : options) lab.session.set_option(name, value);
    const auto g = lab.graph(one_pixel);
    return PassesLab::failure_of([&] { lab.run(*g, {"front.check_input_options"}); }) + lab.warnings;
  };
  using std::string;
  EXPECT_EQ(said({}), "no failure");
  EXPECT_EQ(said({{"scale", 2.0}, {"scale_values", string("(1)")}}),
            "MO0117: --scale: it does not go together with --scale_values; use one of them");
  EXPECT_EQ(said({{"scale", 0.0}}), "MO0117: --scale: nothing can be divided by 0");
  EXPECT_EQ(said({{"scale", 0.5}}),
            "no failure--scale is 0.5: inputs are divided by it, so they become larger\n");
  EXPECT_EQ(said({{"scale_values", string("(1,0)")}}), "MO0117: --scale_values: nothing can be divided by 0");
  PassesLab lab;
  EXPECT_THAT(PassesLab::failure_of([&] { lab.session.set_option("data_type", string("FP17")); }),
              HasSubstr("MO0104: --data_type is 'FP17'; expected FP16|FP32|half|float"));
  EXPECT_EQ(said({{"mean_values", string("a(1),(2)")}}),
            "MO0117: --mean_values: some groups have names and some have none; name all inputs or none");
  const std::string forms = "; groups are like name(1,2,3),other[4]";
  EXPECT_EQ(said({{"mean_values", string("a(1")}}),
            "MO0117: --mean_values: expected ')' at the end of 'a(1'" + forms);
  EXPECT_EQ(said({{"mean_values", string("(1,x)")}}),
            "MO0117: --mean_values: expected a number before 'x)'" + forms);
  EXPECT_EQ(said({{"mean_values", string("()")}}),
            "MO0117: --mean_values: expected a number before ')'" + forms);
  EXPECT_EQ(said({{"mean_values", string("(1)(2)")}}),
            "MO0117: --mean_values: expected a comma before '(2)'" + forms);
  EXPECT_EQ(said({{"mean_values", string(",(1)")}}),
            "MO0117: --mean_values: expected numbers in brackets before ',(1)'" + forms);
  EXPECT_EQ(said({{"mean_values", string("a\\,b(1)")}}), "no failure");
  EXPECT_EQ(said({{"mean_values", string("1,2,3")}}),
            "MO0117: --mean_values: expected numbers in brackets before ',2,3'" + forms);
}

}  // namespace
}  // namespace mo::test
