#include "tests/plugins/builtin_passes/layout_lab.hpp"

#include "tests/support/test_plugin.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

const std::string lists = R"(
  %first = Const@opset1 "first" -> i64[4] {0,3,1,2}
  %last = Const@opset1 "last" -> i64[4] {0,2,3,1}
  %first3 = Const@opset1 "first3" -> i64[3] {0,2,1}
  %w = Const@opset1 "w" -> f32[4,4,1,1] {0.5...}
  %bias = Const@opset1 "bias" -> f32[4] {1,2,3,4}
  %rows = Const@opset1 "rows" -> f32[2,4] {1,2,3,4,5,6,7,8}
  %zero = Const@opset1 "zero" -> i64[] {0}
  %one = Const@opset1 "one" -> i64[] {1}
  %three = Const@opset1 "three" -> i64[] {3}
  %hw = Const@opset1 "hw" -> i64[2] {1,2}
  %flat = Const@opset1 "flat" -> i64[2] {0,-1}
)";
const std::string conv =
    "{strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0], auto_pad=\"explicit\"}";

// The input of one convolution, %a, comes channels last from another one, %c.
std::string between(const std::string& body, const std::string& shape = "2,3,2,4") {
  return "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[" + shape + "]} -> f32[" + shape +
         "] names(\"x\")\n" + lists + R"(
  %t0 = Transpose@opset1 "t0" (%x, %first)
  %c0 = Convolution@opset1 "c/Convolution" (%t0, %w) )" +
         conv + R"(
  %c = Transpose@opset1 "c" (%c0, %last) -> _ names("c:0")
)" + body;
}
std::string then_conv(const std::string& body, const std::string& shape = "2,3,2,4") {
  return between(body + R"(
  %t1 = Transpose@opset1 "t1" (%a, %first)
  %d = Convolution@opset1 "d" (%t1, %w) )" +
                     conv + "\nResult@opset1 \"r\" (%d)\n",
                 shape);
}

std::string moved(const std::string& text) { return formula_after(text, {"middle.move_transposes"}); }

TEST(MoveTransposes, TheyMeetAndCancel) {
  const std::string in = "Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1])";
  const std::pair<std::string, std::string> rows[] = {
      {"%a = ReLU@opset1 \"a\" (%c)", "ReLU(C)"},
      {"%a = Add@opset1 \"a\" (%c, %bias)", "Add(C, [1,4,1,1])"},
      {"%a = Add@opset1 \"a\" (%rows, %c)", "Add([1,4,1,2], C)"},
      {"%b = ReLU@opset1 \"b\" (%c)\n%a = Add@opset1 \"a\" (%c, %b)", "Add(C, ReLU(C))"},
      {"%a = Concat@opset1 \"a\" (%c, %c) {axis=-2}", "Concat@3(C, C)"},
      {"%a = SoftMax@opset1 \"a\" (%c) {axis=3}", "SoftMax@1(C)"},
      {"%a = ReduceMean@opset1 \"a\" (%c, %hw) {keep_dims=true}", "ReduceMean(C, {2 3})"},
      {"%i = Const@opset1 \"i\" -> i64[2] {3,0}\n%a = Gather@opset1 \"a\" (%c, %i, %three)\n",
       "Gather(C, {3 0}, {1})"},
      {"%p = Const@opset1 \"p\" -> i64[4] {0,1,2,3}\n%q = Const@opset1 \"q\" -> i64[4] {0,0,0,-3}\n"
       "%a = Pad@opset1 \"a\" (%c, %p, %p) {pad_mode=\"constant\"}\n",
       ""},
      // A shape that is read is told in the order of the model.
      {"%s = ShapeOf@opset3 \"s\" (%c)\n%f = Reshape@opset1 \"f\" (%c, %flat) {special_zero=true}\n"
       "%a = Reshape@opset1 \"a\" (%f, %s) {special_zero=false}",
       "Transpose(Reshape(Reshape(Transpose(C, {0 2 3 1}), {0 -1}), ShapeOf(Transpose(C, {0 2 3 1}))), {0 3 "
       "1 2})"},
      {"%s = ShapeOf@opset3 \"s\" (%c)\n%a = Reshape@opset1 \"a\" (%x, %s) {special_zero=false}",
       "Reshape(Transpose(x, {0 3 1 2}), ShapeOf(C))"},
      {"%s = ShapeOf@opset3 \"s\" (%c)\n%f = Reshape@opset1 \"f\" (%x, %flat) {special_zero=true}\n"
       "%a = Reshape@opset1 \"a\" (%f, %s) {special_zero=false}",
       "Transpose(Reshape(Reshape(x, {0 -1}), Gather(ShapeOf(C), {0 2 3 1}, {0})), {0 3 1 2})"},
      // And a target follows without a detour.
      {"%s = ShapeOf@opset3 \"s\" (%c)\n%k = Const@opset1 \"k\" -> f32[] {2}\n"
       "%b = Broadcast@opset3 \"b\" (%k, %s) {mode=\"numpy\"}\n%a = Add@opset1 \"a\" (%b, %c)",
       "Add(Broadcast([], ShapeOf(C)), C)"},
      // Another order between two of ours.
      {"%o = Const@opset1 \"o\" -> i64[4] {0,2,1,3}\n%a = Transpose@opset1 \"a\" (%c, %o)",
       "Transpose(C, {0 1 3 2})"},
  };
  for (const auto& [body, expected] : rows) {
    std::string whole = "Convolution(" + expected + ", [4,4,1,1])";
    for (size_t at = whole.find('C', 12); at != std::string::npos; at = whole.find('C', at + 1)) {
      const bool alone = !std::isalpha(static_cast<unsigned char>(whole[at + 1])) &&
                         !std::isalpha(static_cast<unsigned char>(whole[at - 1]));
      if (!alone) continue;
      whole.replace(at, 1, in);
      at += in.size();
    }
    if (expected.empty()) {  // changes the number of channels
      EXPECT_THAT(moved(between(body + "Result@opset1 \"r\" (%a)\n")), HasSubstr("{0 3 1 2}"));
      continue;
    }
    const bool other_channels = expected.find("{3 0}") != std::string::npos;
    if (other_channels)
      EXPECT_EQ(moved(between(body + "%t = Transpose@opset1 \"t\" (%a, %first)\nResult@opset1 \"r\" (%t)\n")),
                whole.substr(12, whole.size() - 12 - 12));
    else
      EXPECT_EQ(moved(then_conv(body)), whole) << body;
  }
}

TEST(MoveTransposes, SomeHaveToStay) {
  const std::string in = "Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1])";
  // Elements of several dimensions are counted as one.
  EXPECT_EQ(
      moved(between("%f = Reshape@opset1 \"f\" (%c, %flat) {special_zero=true}\nResult@opset1 \"r\" (%f)\n")),
      "Reshape(Transpose(" + in + ", {0 2 3 1}), {0 -1})");
  // The input as it is, and the product over channels.
  EXPECT_EQ(moved(between("%m = Const@opset1 \"m\" -> f32[4,3] {1...}\n%a = MatMul@opset1 \"a\" (%c, %m)\n"
                          "Result@opset1 \"r\" (%a)\n")),
            "MatMul(Transpose(" + in + ", {0 2 3 1}), [4,3])");
  // One Transpose for two that read it.
  EXPECT_EQ(
      moved(
          between("%m = Const@opset1 \"m\" -> f32[4,3] {1...}\n%a = MatMul@opset1 \"a\" (%c, %m)\n"
                  "%b = MatMul@opset1 \"b\" (%c, %m)\nResult@opset1 \"r\" (%a)\nResult@opset1 \"s\" (%b)\n")),
      "MatMul(Transpose(" + in + ", {0 2 3 1}), [4,3]); MatMul(Transpose(" + in + ", {0 2 3 1}), [4,3])");
  // No Transpose of ours anywhere.
  const std::string heads = R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,3,4]} -> f32[1,2,3,4]
    %o = Const@opset1 "o" -> i64[4] {0,2,1,3}
    %t = Transpose@opset1 "t" (%x, %o)
    %y = ReLU@opset1 "y" (%t)
    Result@opset1 "r" (%y)
  )";
  EXPECT_EQ(moved(heads), "ReLU(Transpose(x, {0 2 1 3}))");
}

TEST(MoveTransposes, OneDimensionMayBeAllThereIs) {
  // The mean over both dimensions leaves one row of channels, which is the same either way.
  EXPECT_EQ(
      moved(between("%m = ReduceMean@opset1 \"m\" (%c, %hw) {keep_dims=true}\n"
                    "%f = Reshape@opset1 \"f\" (%m, %flat) {special_zero=true}\nResult@opset1 \"r\" (%f)\n")),
      "Reshape(ReduceMean(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1]), {2 3}), {0 -1})");
  EXPECT_EQ(
      moved(between("%m = ReduceMean@opset1 \"m\" (%c, %hw) {keep_dims=false}\nResult@opset1 \"r\" (%m)\n")),
      "ReduceMean(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1]), {2 3})");
}

TEST(MoveTransposes, ThreeDimensionsBetween) {
  // A convolution of sequences is one of images that are one line high.
  EXPECT_EQ(moved(between(R"(
      %s = Squeeze@opset1 "s" (%c, %one)
      %b = Add@opset1 "b" (%s, %bias)
      %a = Unsqueeze@opset1 "a" (%b, %one)
      %t1 = Transpose@opset1 "t1" (%a, %first)
      Result@opset1 "r" (%t1)
    )",
                          "2,1,5,4")),
            "Unsqueeze(Add(Squeeze(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1]), {2}), [1,4,1]), {2})");
}

TEST(MoveTransposes, NamesStayWithWhatUsersAskFor) {
  LayoutLab lab;
  const auto g = lab.graph(then_conv("%a = ReLU@opset1 \"a\" (%c) -> _ names(\"a:0\")"));
  lab.run(*g, {"middle.move_transposes"});
  const core::NodeId c = g->find("c");
  ASSERT_NE(c, core::no_node);
  EXPECT_EQ(g->symbols().text(g->node(c).op), "Convolution");
  ASSERT_EQ(g->out({c, 0}).names.size(), 1U);
  EXPECT_EQ(g->symbols().text(g->out({c, 0}).names[0]), "c:0");
}

// The shape of a turned tensor, which is an output of the model, too.
TEST(MoveTransposes, NamesGoWithAShapeThatIsAnOutput) {
  LayoutLab lab;
  const std::string body =
      "%s = ShapeOf@opset3 \"s\" (%c) -> _ names(\"s:0\")\n%a = ReLU@opset1 \"a\" (%c)\n"
      "Result@opset1 \"rs\" (%s)\nResult@opset1 \"again\" (%s)\n";
  const auto g = lab.graph(then_conv(body));
  lab.run(*g, {"middle.move_transposes"});
  const core::NodeId s = g->find("s"), result = g->find("rs");
  ASSERT_NE(s, core::no_node);
  ASSERT_NE(result, core::no_node);
  EXPECT_EQ(g->symbols().text(g->node(s).op), "Gather") << "in the order of the model";
  EXPECT_EQ(g->source({result, 0}).node, s);
  EXPECT_EQ(g->source({g->find("again"), 0}).node, s);
  ASSERT_EQ(g->out({s, 0}).names.size(), 1U);
  EXPECT_EQ(g->symbols().text(g->out({s, 0}).names[0]), "s:0");
  EXPECT_THAT(moved(then_conv(body)), HasSubstr("Gather(ShapeOf("));
}

TEST(MoveTransposes, TheyFuse) {
  const auto two = [](const std::string& a, const std::string& b) {
    return "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[1,2,3,4]} -> f32[1,2,3,4]\n"
           "%a = Const@opset1 \"a\" -> i64[4] {" +
           a + "}\n%b = Const@opset1 \"b\" -> i64[4] {" + b + "}\n" +
           "%t = Transpose@opset1 \"t\" (%x, %a)\n%u = Transpose@opset1 \"u\" (%t, %b)\n"
           "%y = ReLU@opset1 \"y\" (%u)\nResult@opset1 \"r\" (%y)\n";
  };
  EXPECT_EQ(moved(two("0,3,1,2", "0,2,3,1")), "ReLU(x)");
  EXPECT_EQ(moved(two("1,0,3,2", "1,0,3,2")), "ReLU(x)");
  EXPECT_EQ(moved(two("1,0,2,3", "0,1,3,2")), "ReLU(Transpose(x, {1 0 3 2}))");
}

TEST(ReshapeTransposes, OnlyWhereElementsStay) {
  const auto reshaped = [](const std::string& shape) {
    LayoutLab lab;
    const auto g = lab.graph("%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[" + shape +
                             "]} -> f32[" + shape + "]\n%o = Const@opset1 \"o\" -> i64[4] {0,3,1,2}\n" +
                             "%t = Transpose@opset1 \"t\" (%x, %o)\nResult@opset1 \"r\" (%t)\n");
    lab.run(*g, {"middle.reshape_transposes"});
    return Former(lab, *g).of_results();
  };
  EXPECT_EQ(reshaped("1,1,1,8"), "Reshape(x, {0 -1 1 1})");
  EXPECT_EQ(reshaped("?,1,1,?"), "Reshape(x, {0 -1 1 1})");
  EXPECT_EQ(reshaped("2,1,5,1"), "Reshape(x, {0 1 1 -1})");
  EXPECT_EQ(reshaped("1,2,1,8"), "Transpose(x, {0 3 1 2})");
  EXPECT_EQ(reshaped("1,?,1,8"), "Transpose(x, {0 3 1 2})");
}

struct Scales {
  static constexpr std::string_view type = "Scales", opset = "org.test";
  static void schema(OpSchema& s) {
    s.inputs(1).attr<int64_t>("axis", 0).role(Role::axes);
    s.attr("strides", std::vector<int64_t>{1, 2, 3, 4}).role(Role::per_dimension).layout_agnostic();
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
struct Unsaid {
  static constexpr std::string_view type = "Unsaid", opset = "org.test";
  static void schema(OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
// Each says that any order will do.
struct Halves : Scales {  // its last dimension, whichever that is
  static constexpr std::string_view type = "Halves";
  static void infer(InferContext& c) {
    Shape s = c.shape(0);
    if (s.has_rank()) s[s.size() - 1] = floor_div(s[s.size() - 1], 2);
    c.output(0, c.type(0), s);
  }
};
struct Refuses : Scales {
  static constexpr std::string_view type = "Refuses";
  static void infer(InferContext& c) {
    c.require(c.shape(0)[3] == Dim(4), "the last dimension is not 4");
    c.output(0, c.type(0), c.shape(0));
  }
};
void register_vendor(Registry& r) {
  r.operation<Halves>();
  r.operation<Refuses>();
  r.operation<Scales>();
  r.operation<Unsaid>();
}

TEST(MoveTransposes, VendorsSayWhatTheirOperationsDo) {
  LayoutLab lab;
  load_test_plugin<register_vendor>(lab.session);
  const auto g = lab.graph(then_conv("%a = Scales@org.test \"a\" (%c) {axis=3, strides=[5,6,7,8]}"));
  lab.run(*g, {"middle.move_transposes"});
  EXPECT_EQ(Former(lab, *g).of_results(),
            "Convolution(Scales@1(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1])), [4,4,1,1])");
  const core::Attribute* strides = g->attribute(g->find("a"), "strides");
  EXPECT_EQ(std::get<std::vector<int64_t>>(*strides), (std::vector<int64_t>{5, 8, 6, 7}));
  EXPECT_EQ(lab.warnings, "");
}

// What is wrong in what a plugin says is told of its operation, not of the next one that reads its result.
TEST(MoveTransposes, WhatIsSaidWronglyIsBlamedOnWhoSaysIt) {
  const std::pair<std::string, std::vector<std::string>> rows[] = {
      {"%b = Halves@org.test \"b\" (%c)\n%a = Concat@opset1 \"a\" (%b, %b) {axis=3}",
       {"operation 'Halves' of 'org.test', 'b'", "its plugin says that it can do with another order",
        "its output 0 is [2,4,3,1]", "[2,2,3,2] was expected ([2,3,2,2] in the order of the model)"}},
      {"%a = Scales@org.test \"s\" (%c) {strides=[5,6]}",
       {"operation 'Scales' of 'org.test', 's'", "its plugin says that it can do with another order",
        "'strides' has one entry for each dimension, and it has 2 for 4"}},
      {"%a = Scales@org.test \"s\" (%c) {axis=4}",
       {"operation 'Scales' of 'org.test', 's'", "its plugin says that it can do with another order",
        "'axis' numbers dimensions, and there is one that is not within 4"}},
      {"%a = Refuses@org.test \"b\" (%c)", {"'b'", "the last dimension is not 4"}},
  };
  for (const auto& [body, parts] : rows) {
    LayoutLab lab;
    load_test_plugin<register_vendor>(lab.session);
    const auto g = lab.graph(then_conv(body));
    try {
      lab.run(*g, {"middle.move_transposes"});
      ADD_FAILURE() << body;
    } catch (const core::Failure& e) {
      for (const std::string& part : parts) EXPECT_THAT(e.render(), HasSubstr(part));
      EXPECT_THAT(e.render(), testing::Not(HasSubstr("node    'd'")));
    }
  }
}

TEST(MoveTransposes, WithoutAWordTheyGetTheOrderOfTheModel) {
  LayoutLab lab;
  load_test_plugin<register_vendor>(lab.session);
  const auto g = lab.graph(then_conv("%b = Unsaid@org.test \"b\" (%c)\n%a = Unsaid@org.test \"a\" (%b)"));
  lab.run(*g, {"middle.move_transposes"});
  EXPECT_EQ(Former(lab, *g).of_results(),
            "Convolution(Transpose(Unsaid(Unsaid(Transpose(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1]), "
            "{0 2 3 1}))), {0 3 1 2}), [4,4,1,1])");
  EXPECT_THAT(lab.warnings, HasSubstr("operation 'Unsaid' of 'org.test'"));
  EXPECT_THAT(lab.warnings, HasSubstr("OpSchema::layout_agnostic()"));
  EXPECT_EQ(std::count(lab.warnings.begin(), lab.warnings.end(), '\n'), 1);
}

// The graph is looked at again after something has moved; what was said is not said again.
TEST(MoveTransposes, AWarningComesOnce) {
  LayoutLab lab;
  load_test_plugin<register_vendor>(lab.session);
  const auto g =
      lab.graph(then_conv("%e = ReLU@opset1 \"e\" (%c)\n%b = Unsaid@org.test \"b\" (%e)\n"
                          "%a = ReLU@opset1 \"a\" (%b)"));
  lab.run(*g, {"middle.move_transposes"});
  EXPECT_EQ(std::count(lab.warnings.begin(), lab.warnings.end(), '\n'), 1) << lab.warnings;
}

TEST(MoveTransposes, ManyOperationsAreNoMatter) {
  std::string body;
  std::string last = "c";
  for (int i = 0; i < 50000; ++i) {
    const std::string name = "n" + std::to_string(i);
    body += "%" + name + " = ReLU@opset1 \"" + name + "\" (%" + last + ")\n";
    last = name;
  }
  LayoutLab lab;
  lab.session.set_option(core::schedule_options::check_graph, false);
  const auto g = lab.graph(then_conv(body + "%a = ReLU@opset1 \"a\" (%" + last + ")"));
  const auto begin = std::chrono::steady_clock::now();
  lab.run(*g, {"middle.move_transposes"});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
            sanitized ? 120 : 30);
  EXPECT_EQ(LayoutLab::count(*g, "Transpose"), 1U);
}

}  // namespace
}  // namespace mo::test
