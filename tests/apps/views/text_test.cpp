#include "apps/views/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace mo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

core::GraphPtr graph_of(std::string_view text, const std::string& folder = {}) {
  return parse_text(text, std::make_shared<core::GraphSpace>(), folder);
}

std::string error_of(std::string_view text) {
  try {
    graph_of(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// Parsed and written again.
std::string again(std::string_view text) { return to_text(*graph_of(text)); }

TEST(Text, ShowsAGraph) {
  const char* text = R"(mo-graph 1
graph "net" {framework="x", opset=7} {
  %0 = Parameter@opset1 "x" -> f32[1,3,?,1..8] names("x","y")
  %1 = Const@opset1 "w" -> f32[2] {1,2.5}
  %2 = Split@opset1 "s" (%0, %1, _) {num_splits=2, "odd key"=[1.0,-2.5e-07]} rt {fused_names="a,b"} -> (f32[1], f32[1]) native 12
  %3 = Result@opset1 "r" (%2:1) marked
}
)";
  EXPECT_EQ(again(text), text);
}

TEST(Text, HandWrittenGraphsAreShort) {
  const core::GraphPtr g = graph_of(R"(
    %x = Parameter -> f32[1,3,?,?]   # a comment
    %y = Relu@opset1 (%x)
    Result (%y)
  )");
  EXPECT_EQ(g->name(), "");
  EXPECT_EQ(to_text(*g), R"(mo-graph 1
graph "" {
  %0 = Parameter "x" -> f32[1,3,?,?]
  %1 = Relu@opset1 "y" (%0)
  %2 = Result "Result" (%1)
}
)");
  EXPECT_EQ(g->out({0, 0}).tensor.shape, (Shape{1, 3, any_dim, any_dim}));
  EXPECT_FALSE(g->has_marked());
}

TEST(Text, BlanksDoNotMatterWithinANode) {
  const char* text = R"(
    %x = Parameter "x" -> f32 [ 1 , 3 ]
    %y = Split "s" ( %x ,
                     %x ) { a = 1 ,
       b = "t" } -> (f32 [1,3]
         names("p",
               "q"), _)
  )";
  EXPECT_EQ(again(text), R"(mo-graph 1
graph "" {
  %0 = Parameter "x" -> f32[1,3]
  %1 = Split "s" (%0, %0) {a=1, b="t"} -> (f32[1,3] names("p","q"), _)
}
)");
}

TEST(Text, AWordAtTheStartOfALineIsANode) {
  EXPECT_EQ(graph_of("A\nmarked\nrt\nnative\nvalue\nto\ngraph\n\"two words\"\nhex")->size(), 9U);
}

TEST(Text, EveryKindOfAttribute) {
  const char* attributes =
      R"({a=1, b=-1.0, c=true, d="t\"\\\n\x01ü", e=f32, f=shape[1,?,2..,..8,3..4], g=shape[...], h=shape[], )"
      R"(i=f32[2] {1,nan}, j=bytes "\xff\x00", k=[1,-2], l=[1.0,inf,-inf,nan], m=[true,false], n=["p","q"], )"
      R"(o=[f32,dynamic], p=[shape[1],shape[...]], q=[i64[] {3},u8[0] {}], r=ints[], s=floats[], t=bools[], )"
      R"(u=strings[], v=types[], w=shapes[], x=tensors[], y=graphs[]})";
  const std::string text = mo::text("mo-graph 1\ngraph \"\" {\n  %0 = N \"n\" ", attributes, "\n}\n");
  std::string written = again(text);
  // Empty lists of integers need no word, but are written with it.
  EXPECT_EQ(written, text);
  const core::GraphPtr g = graph_of("N {a=[], b=[1, 2.5], c=ints[3], d=floats[1,2]}");
  EXPECT_EQ(kind_of(*g->attribute(0, "a")), MO_VALUE_INTS);
  EXPECT_EQ(kind_of(*g->attribute(0, "b")), MO_VALUE_FLOATS);
  EXPECT_EQ(kind_of(*g->attribute(0, "c")), MO_VALUE_INTS);
  EXPECT_EQ(std::get<std::vector<double>>(*g->attribute(0, "d")), (std::vector<double>{1, 2}));
}

TEST(Text, SubGraphsStandInAttributes) {
  const char* text = R"(mo-graph 1
graph "outer" {
  %0 = Parameter "x"
  %1 = Loop@opset5 "l" (%0) {body=graph "inner" {a=1} {
    %0 = Parameter "x"
    %1 = Result "r" (%0)
  }, both=[graph "p" {
  },graph "q" {
  }]}
}
)";
  const core::GraphPtr g = graph_of(text);
  EXPECT_EQ(to_text(*g), text);
  ASSERT_EQ(g->bodies(1).size(), 3U);
  EXPECT_EQ(g->bodies(1)[0]->parent(), g.get());
  EXPECT_EQ(g->bodies(1)[0]->parent_node(), 1U);
}

TEST(Text, ValuesOfEveryType) {
  const char* text = R"(mo-graph 1
graph "" {
  %0 = C "0" -> boolean[2] {true,false}
  %1 = C "1" -> i8[2] {-128,127}
  %2 = C "2" -> u64[] {18446744073709551615}
  %3 = C "3" -> i64[1] {-9223372036854775808}
  %4 = C "4" -> f16[3] {1,65504,nan(0xfe01)}
  %5 = C "5" -> bf16[2] {0.1,-inf}
  %6 = C "6" -> f64[1] {0.1}
  %7 = C "7" -> string[2] {"a","b\n"}
  %8 = C "8" -> i4[3] hex "2103"
  %9 = C "9" -> f8e4m3[1] hex "7f"
  %10 = C "10" -> f32[100] {0.5...}
  %11 = C "11" -> f32[0,3] {}
  %12 = C "12" -> boolean[1] hex "07"
  %13 = C "13" -> f32[...] value i32[1] {1}
  %14 = C "14" -> i64[2] from_shape bounds[1..8,-3..-2]
}
)";
  EXPECT_EQ(again(text), text);
  const core::GraphPtr g = graph_of(text);
  EXPECT_EQ(g->out({7, 0}).tensor.value->bytes, 4 * 4U + 3);
  EXPECT_TRUE(g->out({14, 0}).tensor.from_shape);
  EXPECT_THAT(g->out({14, 0}).tensor.bounds, ElementsAre(Bound(1, 8), Bound(-3, -2)));
}

TEST(Text, EverySmallFloatComesBack) {
  std::vector<uint16_t> bits(65536);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<uint16_t>(i);
  const std::string_view bytes(reinterpret_cast<const char*>(bits.data()), 2 * bits.size());
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    const core::GraphPtr g = core::Graph::create(std::make_shared<core::GraphSpace>(), "");
    g->add_const("c", core::make_tensor_from_bytes(type, {65536}, bytes));
    const core::GraphPtr back = graph_of(to_text(*g));
    EXPECT_TRUE(core::equal_contents(*back->out({0, 0}).tensor.value, *g->out({0, 0}).tensor.value));
  }
}

TEST(Text, DestinationOrderIsKept) {
  const core::GraphPtr g = graph_of("%a = A -> (_, _)\n%b = B (%a, %a, %a:1)\n%c = C (%a)");
  EXPECT_THAT(to_text(*g), testing::Not(HasSubstr("to(")));
  const core::PortRef b1{1, 1};
  g->disconnect_input(b1);
  g->connect({0, 0}, b1);
  const std::string text = to_text(*g);
  EXPECT_THAT(text, HasSubstr("%0 = A \"a\" -> (_ to(%1, %2, %1:1), _)\n"));
  const core::GraphPtr back = graph_of(text);
  EXPECT_THAT(back->destinations({0, 0}),
              ElementsAre(core::PortRef{1, 0}, core::PortRef{2, 0}, core::PortRef{1, 1}));
  EXPECT_EQ(to_text(*back), text);
}

TEST(Text, RemovedNodesLeaveNoTrace) {
  const core::GraphPtr g = graph_of("%a = A\n%b = B (%a)\n%c = C (%a)");
  const std::string without = to_text(*graph_of("%a = A\n%c = C (%a)"));
  g->remove_node(g->find("b"));
  EXPECT_EQ(to_text(*g), without);
}

TEST(Text, NamesThatAreWrittenWin) {
  const core::GraphPtr g = graph_of("Relu\nRelu\nAdd \"Relu\"\nAdd \"Relu_1\"");
  EXPECT_EQ(g->op(g->find("Relu")), "Add");
  EXPECT_EQ(g->op(g->find("Relu_1")), "Add");
  EXPECT_EQ(g->nodes_of("Relu").size(), 2U);
}

TEST(Text, WithoutTensorsStructureRemains) {
  const core::GraphPtr g = graph_of(R"(
    %x = Parameter -> f32[1]
    %w = Const -> f32[1] {2}
    %y = Add (%x, %w) -> f32[1] names("sum")
    %z = Split (%y) -> (f32[1], f32[1])
  )");
  TextOptions options;
  options.tensors = false;
  EXPECT_EQ(to_text(*g, options), R"(mo-graph 1
graph "" {
  %0 = Parameter "x" -> f32[1]
  %1 = Const "w" -> f32[1] {2}
  %2 = Add "y" (%0, %1) -> _ names("sum")
  %3 = Split "z" (%2) -> (_, _)
}
)");
}

class TextFiles : public testing::Test {
 protected:
  TextFiles() {
    folder_ = std::filesystem::temp_directory_path() /
              mo::text("mo_text_test_", ::testing::UnitTest::GetInstance()->random_seed(), "_", getpid());
    std::filesystem::create_directories(folder_);
  }
  ~TextFiles() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

TEST_F(TextFiles, LargeValuesAreReferencesToTheirFile) {
  std::ofstream(path("w.bin")) << std::string(1000, 'x');
  const core::GraphPtr g = graph_of("C -> u8[400] file(\"w.bin\", 17, 400)", folder_.string());
  const mo_tensor& t = *g->out({0, 0}).tensor.value;
  EXPECT_EQ(t.file_offset, 17U);
  EXPECT_EQ(std::to_integer<char>(t.data()[399]), 'x');
  const std::string text = to_text(*g);
  EXPECT_THAT(text, HasSubstr(mo::text("file(\"", path("w.bin"), "\", 17, 400)")));
  EXPECT_EQ(again(text), text);
}

TEST_F(TextFiles, LargeValuesWithoutAFileGoToTheSideFile) {
  const core::GraphPtr g = graph_of("B -> u8[300] {7...}\nC -> u8[600] {8...}\nD -> u8[3] {1,2,3}");
  TextOptions options;
  options.side_file = path("side.bin");
  const std::string text = to_text(*g, options);
  EXPECT_THAT(text, HasSubstr("file(\"side.bin\", 0, 300)"));
  EXPECT_THAT(text, HasSubstr("file(\"side.bin\", 320, 600)"));
  EXPECT_THAT(text, HasSubstr("{1,2,3}"));
  const core::GraphPtr back = graph_of(text, folder_.string());
  for (core::NodeId n = 0; n < 3; ++n)
    EXPECT_TRUE(core::equal_contents(*back->out({n, 0}).tensor.value, *g->out({n, 0}).tensor.value));
}

TEST_F(TextFiles, ReferencesAreChecked) {
  std::ofstream(path("w.bin")) << "12345";
  const auto error = [&](std::string_view literal) {
    try {
      graph_of(mo::text("C -> u8[4] ", literal), folder_.string());
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error("file(\"w.bin\", 1, 4)"), "no error");
  EXPECT_THAT(error("file(\"w.bin\", 2, 4)"), HasSubstr("are outside of"));
  EXPECT_THAT(error("file(\"w.bin\", 18446744073709551615, 4)"), HasSubstr("are outside of"));
  EXPECT_THAT(error("file(\"w.bin\", 0, 5)"), HasSubstr("needs 4 bytes, not 5"));
  EXPECT_THAT(error("file(\"none.bin\", 0, 4)"), HasSubstr("line 1, column 12: cannot open"));
  EXPECT_THAT(error("file(\"\", 0, 4)"), HasSubstr("is not a file"));
  EXPECT_THAT(error("file(\"w.bin\\x00\", 0, 4)"), HasSubstr("has a zero byte"));
  EXPECT_THAT(error("file(\"w.bin\", -1, 4)"), HasSubstr("line 1, column"));
}

TEST_F(TextFiles, OnlyFilesAreReferredTo) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  for (const std::string& there : {path("fifo"), folder_.string(), std::string("/dev/zero")}) try {
      graph_of(mo::text("C -> u8[4] file(\"", there, "\", 0, 4)"));
      ADD_FAILURE() << there << " was read";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(mo::text("line 1, column 12: '", there, "' is not a file")));
    }
}

TEST(Text, ErrorsShowThePlace) {
  EXPECT_EQ(error_of("%x = Parameter\n%y = Relu (%x"),
            "line 2, column 14: expected ',' or ')' after an input, found the end of the text\n"
            "  %y = Relu (%x\n"
            "               ^");
  EXPECT_EQ(error_of("%ü = A"),
            "line 1, column 1: expected a name or number after '%'\n"
            "  %ü = A\n"
            "  ^");
}

struct BadText {
  const char *text, *error;
};

TEST(Text, Errors) {
  const BadText cases[] = {
      {"mo-graph 2\n", "line 1, column 10: this is version 2 of the text form; this program reads 1"},
      {"mo-graph \"1\"", "expected the version of the text form, found \"1\""},
      {"graph {", "expected '}' after the last node of a graph, found the end of the text"},
      {"graph \"n\" {a=1}", "expected '{' of the nodes, after the attributes of a graph"},
      {"graph {} x", "expected the end of the text, found 'x'"},
      {"A }", "expected the end of the text, found '}'"},
      {"%a A", "expected '=' after a label, found 'A'"},
      {"%a = (", "expected a node: %label = Op (%input, …), found '('"},
      {"A (x)", "expected an input: %label, %label:port or _, found 'x'"},
      {"A (%b)", "column 4: there is no node %b in this graph"},
      {"%b = B\nA (%b:1)", "line 2, column 4: 'b' (B) has 1 output, there is no output 1"},
      {"%b = Result\nA (%b)", "has 0 outputs, there is no output 0"},
      {"%b = B\nA (%b:99999999999)", "99999999999 is too large for the number of a port"},
      {"%b = B\nA (%b:-1)", "expected the number of a port, found -1"},
      {"%a = A\n%a = B", "line 2, column 1: label %a is given twice"},
      {"A \"n\"\nB \"n\"", "line 2, column 3: the name 'n' is given twice"},
      {"A \"\"", "a node needs a name"},
      {"A \"n", "column 3: this string is not closed on its line"},
      {"A \"n\nB \"m\"", "line 1, column 3: this string is not closed on its line"},
      {"A \"a\\qb\"", "column 6: unknown escape"},
      {"A \"a\\x4\"", "expected two hexadecimal digits after \\x"},
      {"A {a=1, a=2}", "column 9: attribute 'a' is given twice"},
      {"A {a=x}", "'x' is not a value of an attribute; strings stand in quotes"},
      {"A {a=99999999999999999999}", "99999999999999999999 is too large for an integer of 64 bits"},
      {"A {a=1e999}", "'1e999' is not a number of 64 bits"},
      {"A {a=[1,\"x\"]}", "column 6: the items of this list are of different kinds"},
      {"A {a=ints[1,2.5]}", "the items of this list are not all ints"},
      {"A {a=[[1]]}", "expected an item; there are no lists of lists, found '['"},
      {"A {a=ints[ints[1]]}", "expected an item; there are no lists of lists, found 'ints'"},
      {"A {a=shape[-2]}",
       "dimension '-2' is negative; a dimension is a number, '?', -1, or an interval like 1..8"},
      {"A {a=shape[8..2]}", "the interval '8..2' is empty"},
      {"A {a=shape[..]}",
       "'..' is not an interval; a dimension is a number, '?', -1, or an interval like 1..8"},
      {"A {a=shape[1.5]}",
       "'1.5' is not a dimension; a dimension is a number, '?', -1, or an interval like 1..8"},
      {"A {a=shape[x]}", "expected a dimension like 7, ?, 1..8, 2.. or ..8, found 'x'"},
      {"A -> f23[1]", "column 6: 'f23' is not an element type"},
      {"A -> x", "'x' is not an element type"},
      {"A -> f32", "expected '[' of a shape"},
      {"A -> f32[2] {1}", "shape [2] needs 2 elements, there are 1"},
      {"A -> f32[2] {1,2,3}", "column 18: more than the 2 elements of shape [2]"},
      {"A -> f32[?] {1}", "a value needs a static shape, not [?]"},
      {"A -> dynamic[1] {1}", "a value needs an element type"},
      {"A -> u8[1] {256}", "'256' is not an element of type u8"},
      {"A -> i32[1] {1.5}", "'1.5' is not an element of type i32"},
      {"A -> f32[1] {nan(0x0)}", "'nan(0x0)' is not an element of type f32"},
      {"A -> i4[1] {1}", "values of type i4 are written as hex"},
      {"A -> i4[3] hex \"21\"", "needs 2 bytes, not 1"},
      {"A -> f32[18120,881,881,88883] hex \"00ff\"", "needs 5000215316454240 bytes, not 2"},
      {"A -> u8[1] hex \"0\"", "expected two hexadecimal digits per byte"},
      {"A -> string[2] {\"a\"}", "shape [2] needs 2 elements, there are 1"},
      {"A -> f32[9223372036854775807,9223372036854775807] {1}", "is larger than any memory"},
      {"A -> f32[1000000000000] {1...}", "repeated elements of one text are limited to 67108864 bytes"},
      {"%a = A -> _ to(%b)\n%b = B (%a)\n%c = C (%a)", "to(…) of output 0 does not list all that read it"},
      {"%a = A -> _ to(%b, %b)\n%b = B (%a)", "this destination is given twice"},
      {"%a = A -> _ to(%a)\n%b = B (%a)", "input 0 of %a does not read this output"},
      {"A junk", "expected the end of the node, found 'junk'"},
      {"A -> _ native x", "expected a tag, found x"},
      {"A ; B", "this character means nothing here"},
      {"A {a=bytes 1}", "expected a string after 'bytes', found '1'"},
  };
  for (const BadText& c : cases) EXPECT_THAT(error_of(c.text), HasSubstr(c.error)) << c.text;
}

TEST(Text, DepthIsLimited) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "A {b=graph {";
  EXPECT_THAT(error_of(text), HasSubstr("graphs are nested more than 64 deep"));
}

TEST(Text, SoIsThatOfLists) {
  std::string text = "A {a=";
  for (int i = 0; i < 1000000; ++i) text += "graphs[";
  EXPECT_THAT(error_of(text), HasSubstr("there are no lists of lists"));
}

TEST(Text, SoIsTheNumberOfAttributes) {
  std::string text = "A {";
  for (int i = 0; i < 100000; ++i) text += mo::text(i == 0 ? "" : ",", "a", i, "=1");
  EXPECT_THAT(error_of(text + "}"), HasSubstr("there are more than 4096 attributes"));
}

TEST(Text, LongLinesAreCutInErrors) {
  EXPECT_LT(error_of("A {a=\"" + std::string(100000, 'x') + "\" ! }").size(), 400U);
}

}  // namespace
}  // namespace mo::app
