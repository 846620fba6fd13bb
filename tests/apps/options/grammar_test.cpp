#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/options/input_grammar.hpp"

namespace mo::app {
namespace {

// "name {type} [shape] ->value" with what is not there left out.
std::string printed(const core::InputSpec& i) {
  std::string out = i.name;
  if (i.type) out += text("{", name(*i.type), "}");
  if (i.shape) out += text(*i.shape);
  if (i.frozen) out += text("->", i.frozen->text);
  return out;
}

std::string inputs(std::string_view option) {
  std::string out;
  for (const core::InputSpec& i : parse_inputs(option)) out += text(out.empty() ? "" : "; ", printed(i));
  return out;
}

std::string shapes(std::string_view option) {
  std::string out;
  for (const Shape& s : parse_shapes(option)) out += text(out.empty() ? "" : "; ", s);
  return out;
}

template <class Parse>
std::string usage_failure(Parse parse) {
  try {
    parse();
  } catch (const core::Failure& f) {
    EXPECT_EQ(f.exit(), core::Exit::usage);
    return f.render();
  }
  return "no failure";
}

struct Row {
  const char *option, *expected;
};

TEST(InputGrammar, ReadsNamesTypesShapesAndValues) {
  const Row rows[] = {
      {"", ""},
      {"  ", ""},
      {"a", "a"},
      {"a,b", "a; b"},
      {" a , b ", "a; b"},
      {"a[1 3 224 224]", "a[1,3,224,224]"},
      {"a[1,3,224,224],b", "a[1,3,224,224]; b"},
      {"a[1, 3 , 4]", "a[1,3,4]"},
      {"a(1 3)", "a[1,3]"},
      {"a [1 3]", "a[1,3]"},
      {"a[]", "a[]"},
      {"a{f16}", "a{f16}"},
      {"a{i32}[2 3]", "a{i32}[2,3]"},
      {"a[2 3]{i32}", "a{i32}[2,3]"},
      {"a[-1 ? 1..8 2.. ..4]", "a[?,?,1..8,2..,..4]"},
      {"a[0..7]", "a[..7]"},
      {"a[3..3]", "a[3]"},
      {"a[...]", "a[...]"},
      {"a->3", "a->3"},
      {"a->[1 2 3],b", "a->[1 2 3]; b"},
      {"a->[1,2,3],b", "a->[1,2,3]; b"},
      {"a[3]{f32}->[1 2 3]", "a{f32}[3]->[1 2 3]"},
      {"a -> True", "a->True"},
      {"a->-1.5e3", "a->-1.5e3"},
      {"0:conv,conv:1", "0:conv; conv:1"},
      {"scope/a.b:0", "scope/a.b:0"},
      {"a\\,b", "a,b"},
      {"layer\\[0\\]", "layer[0]"},
      {"layer\\[0\\][1 2]", "layer[0][1,2]"},
      {"vorsätze[1]", "vorsätze[1]"},
  };
  for (const Row& r : rows) EXPECT_EQ(inputs(r.option), r.expected) << r.option;
}

TEST(InputGrammar, ShowsWhereAMistakeIs) {
  const Row rows[] = {
      {"a[1 x 3]",
       "error MO0112: --input: 'x' is not a dimension; a dimension is a number, '?', -1, or an interval like "
       "1..8\n"
       "  at      a[1 x 3]\n"
       "              ^"},
      {"a[1,,3]",
       "error MO0112: --input: a dimension is missing before the comma\n"
       "  at      a[1,,3]\n"
       "              ^"},
      {"a[1,3,]",
       "error MO0112: --input: a dimension is missing after the comma\n"
       "  at      a[1,3,]\n"
       "               ^"},
      {"a[-2]",
       "error MO0112: --input: dimension '-2' is negative; a dimension is a number, '?', -1, or an interval "
       "like 1..8\n"
       "  at      a[-2]\n"
       "            ^"},
      {"a[8..1]",
       "error MO0112: --input: the interval '8..1' is empty\n"
       "  at      a[8..1]\n"
       "            ^"},
      {"a[99999999999999999999]",
       "error MO0112: --input: '99999999999999999999' is not a dimension; a dimension is a number, '?', -1, "
       "or "
       "an interval "
       "like 1..8\n"
       "  at      a[99999999999999999999]\n"
       "            ^"},
      {"a[1][2]",
       "error MO0112: --input: a second shape for one input\n"
       "  at      a[1][2]\n"
       "           ^"},
      {"a{fp32}",
       "error MO0113: --input: there is no element type 'fp32'\n"
       "  at      a{fp32}\n"
       "            ^\n"
       "  hint    did you mean 'f32'?"},
      {"é{f8}[1",
       "error MO0111: --input: '[' is not closed\n"
       "  at      é{f8}[1\n"
       "               ^\n"
       "  hint    a bracket or comma that belongs to a name is written with a backslash before it"},
      {"a]",
       "error MO0111: --input: ']' closes nothing\n"
       "  at      a]\n"
       "           ^\n"
       "  hint    a bracket or comma that belongs to a name is written with a backslash before it"},
      {"a,,b",
       "error MO0114: --input: the name of an input is missing\n"
       "  at      a,,b\n"
       "            ^"},
      {"[1 2]",
       "error MO0114: --input: the name of an input is missing\n"
       "  at      [1 2]\n"
       "          ^"},
      {"a->",
       "error MO0114: --input: a value is missing after '->'\n"
       "  at      a->\n"
       "           ^"},
      {"a->1->2",
       "error MO0114: --input: a second '->' in one input\n"
       "  at      a->1->2\n"
       "              ^"},
  };
  for (const Row& r : rows) {
    const std::string said = usage_failure([&] { parse_inputs(r.option); });
    EXPECT_EQ(said, r.expected);
  }
}

TEST(ShapeGrammar, ReadsShapesWithCommasAndBlanks) {
  const Row rows[] = {
      {"", ""},
      {"[1,3,227,227],(2,4)", "[1,3,227,227]; [2,4]"},
      {"[1 3 227 227] , [2, 4]", "[1,3,227,227]; [2,4]"},
      {"[1,?,-1]", "[1,?,?]"},
      {"[1..4,2..]", "[1..4,2..]"},
      {"[]", "[]"},
      {"[...]", "[...]"},
  };
  for (const Row& r : rows) EXPECT_EQ(shapes(r.option), r.expected) << r.option;
}

TEST(ShapeGrammar, ShowsWhereAMistakeIs) {
  EXPECT_EQ(
      usage_failure([] { parse_shapes("1,3,224"); }),
      "error MO0112: --input_shape: a shape is expected\n"
      "  at      1,3,224\n"
      "          ^\n"
      "  hint    each shape stands in brackets: [1,3,224,224],[1,10]; a dimension by its name: batch=1");
  EXPECT_EQ(
      usage_failure([] { parse_shapes("[1,2],3"); }),
      "error MO0112: --input_shape: a shape is expected\n"
      "  at      [1,2],3\n"
      "                ^\n"
      "  hint    each shape stands in brackets: [1,3,224,224],[1,10]; a dimension by its name: batch=1");
}

TEST(ShapeGrammar, SetsDimensionsByTheirNames) {
  const auto dimensions = [](const char* option) {
    std::string out;
    for (const core::NamedDim& d : parse_dimensions(option)) out += text(d.name, ":", d.size, ";");
    return out;
  };
  EXPECT_EQ(dimensions(""), "");
  EXPECT_EQ(dimensions("[1,2]"), "");
  EXPECT_EQ(dimensions("batch=1, length = 8..16"), "batch:1;length:8..16;");
  EXPECT_EQ(dimensions("[1,?],n=?"), "n:?;");
  EXPECT_EQ(shapes("batch=1,[1,2]"), "[1,2]");
  EXPECT_EQ(usage_failure([] { parse_dimensions("a=1,=2"); }),
            "error MO0112: --input_shape: the name of a dimension is missing\n"
            "  at      a=1,=2\n"
            "              ^");
  EXPECT_THAT(usage_failure([] { parse_dimensions("a=x"); }), testing::HasSubstr("'x' is not a dimension"));
}

TEST(OutputGrammar, ReadsNames) {
  EXPECT_EQ(parse_outputs(""), std::vector<std::string>{});
  EXPECT_EQ(parse_outputs("a, b:1,0:c"), (std::vector<std::string>{"a", "b:1", "0:c"}));
  EXPECT_EQ(usage_failure([] { parse_outputs("a,"); }),
            "error MO0114: --output: the name of an output is missing\n"
            "  at      a,\n"
            "            ^");
}

TEST(Shapes, AreGivenToTheInputs) {
  std::vector<core::InputSpec> two = parse_inputs("a,b");
  add_shapes(two, parse_shapes("[1],[2,3]"));
  EXPECT_EQ(printed(two[0]) + printed(two[1]), "a[1]b[2,3]");

  std::vector<core::InputSpec> none;
  add_shapes(none, parse_shapes("[1,2]"));
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(printed(none[0]), "[1,2]");
}

TEST(Shapes, MustFitTheInputs) {
  const auto said = [](const char* names, const char* list) {
    return usage_failure([&] {
      auto specs = parse_inputs(names);
      add_shapes(specs, parse_shapes(list));
    });
  };
  EXPECT_EQ(said("", "[1],[2]"),
            "error MO0115: --input_shape has 2 shapes but no --input\n"
            "  hint    name the inputs in the same order: --input a,b");
  EXPECT_EQ(said("a,b", "[1]"),
            "error MO0115: --input_shape has 1 shape but --input has 2 names\n"
            "  hint    give each input its shape, or write the shapes into --input: 'a[1 3],b'");
  EXPECT_EQ(said("a[1]", "[1]"), "error MO0115: input 'a' has a shape in --input and one in --input_shape");
}

}  // namespace
}  // namespace mo::app
