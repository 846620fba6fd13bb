// What a file of rows says, and what is wrong in one. The tests of all plugins read theirs in this way.
#include "text_rows.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> wrong_in(const std::string& text) {
  std::istringstream file(text);
  std::vector<std::string> wrong;
  read_rows(file, "t.txt", wrong);
  return wrong;
}

TEST(TextRows, GoOnInLinesThatAreIndented) {
  std::istringstream file("# words\n\n$two = f32[2]\n$pair = ($two; $two)\nA $pair\n  {a=1}\n    -> 1\nB\n");
  std::vector<std::string> wrong;
  const auto rows = read_rows(file, "t.txt", wrong);
  EXPECT_THAT(wrong, IsEmpty());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].text, "A (f32[2]; f32[2]) {a=1} -> 1");
  EXPECT_EQ(rows[0].place, "t.txt:5");
  EXPECT_EQ(rows[1].place, "t.txt:8");
  EXPECT_EQ(row_name("opset/rows/t.txt:8"), "t_8");
}

TEST(TextRows, WhatIsWrongInAFileIsSaid) {
  EXPECT_THAT(wrong_in("# nothing\n"), ElementsAre("t.txt: there is no row"));
  EXPECT_THAT(wrong_in("  A\nB\n"), ElementsAre("t.txt:1: there is no row that this line continues"));
  EXPECT_THAT(wrong_in("A $b\nC\n"), ElementsAre("t.txt:1: nothing is named $b"));
  EXPECT_THAT(wrong_in("$b = 1\nC\n"), ElementsAre("t.txt:1: no row has $b"));
  EXPECT_THAT(wrong_in("$b = 1\n$b = 2\nC $b\n"), ElementsAre("t.txt:2: $b is there already"));
  EXPECT_THAT(wrong_in("$b\nC\n"), ElementsAre("t.txt:1: expected \"$name = text\""));
  std::vector<std::string> wrong;
  read_rows("no_such_plugin/rows", wrong);
  EXPECT_THAT(wrong, ElementsAre(HasSubstr("no_such_plugin/rows: there is no table")));
  wrong.clear();
  read_rows("opset", wrong);
  EXPECT_THAT(wrong, testing::Contains("opset/op_case.hpp: only tables, *.txt, are read"));
}

TEST(TextRows, AreTakenApart) {
  RowReader in("Op (a {1;2}; \"x;)\"; b) {k=\"}\"} -> 3 left");
  EXPECT_EQ(in.word(), "Op");
  EXPECT_THAT(split_row(in.bracketed('(', ')')), ElementsAre("a {1;2}", "\"x;)\"", "b"));
  EXPECT_EQ(in.bracketed('{', '}'), "k=\"}\"");
  in.expect("->");
  EXPECT_EQ(in.number(), 3);
  EXPECT_EQ(in.rest(), "left");
  EXPECT_TRUE(in.at_end());
  const auto failure = [](const std::string& text, auto read) -> std::string {
    try {
      RowReader row(text);
      read(row);
      return "";
    } catch (const std::exception& e) {
      return e.what();
    }
  };
  const auto brackets = [](RowReader& r) { r.bracketed('(', ')'); };
  EXPECT_EQ(failure("(a; (b)", brackets), "expected \")\" of this, found \"(a; (b)\"");
  EXPECT_EQ(failure("(", brackets), "expected \")\" of this, found \"(\"");
  EXPECT_EQ(failure("a", brackets), "expected \"(\", found \"a\"");
  EXPECT_EQ(failure("x", [](RowReader& r) { r.number(); }), "expected a number, found \"x\"");
  EXPECT_EQ(failure("", [](RowReader& r) { r.word(); }), "expected a word, found \"\"");
  EXPECT_EQ(failure("x", [](RowReader& r) { r.expect("->"); }), "expected \"->\", found \"x\"");
}

TEST(TextRows, HaveTensors) {
  const RowTensor t = tensor_of("f32[2,3] {1,-2.5,nan,7*2,inf}");
  EXPECT_EQ(t.type, ElementType::f32);
  EXPECT_THAT(t.dims, ElementsAre(2, 3));
  EXPECT_THAT(t.numbers,
              ElementsAre(1, -2.5, testing::IsNan(), 7, 7, std::numeric_limits<double>::infinity()));
  EXPECT_THAT(tensor_of("boolean[] {true}").numbers, ElementsAre(1));
  EXPECT_THAT(tensor_of("i64[0] {}").numbers, IsEmpty());
  EXPECT_THAT(elements_of<int64_t>(tensor_of("i64[1] {9223372036854775807}")), ElementsAre(INT64_MAX));
  EXPECT_ANY_THROW(elements_of<uint8_t>(tensor_of("u8[1] {256}")));
  EXPECT_ANY_THROW(elements_of<int32_t>(tensor_of("i32[1] {1.5}")));
  for (const char* bad : {"f32[1]", "f31[1] {1}", "f32 {1}", "f32[1] {1x}", "f32[1] {1} 2", "f32[a] {1}",
                          "f32[2] {1}", "f32[1x] {1}", "f32[2] {1*2x}"})
    EXPECT_ANY_THROW(tensor_of(bad)) << bad;
}

}  // namespace
}  // namespace mo::test
