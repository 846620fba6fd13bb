// Strings: their case, patterns, words and tables. What is expected is what TensorFlow 2.21 computes.
#include "tensorflow_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

class TfStrings : public Tensorflow {
 protected:
  // Five strings, or any number of them.
  static GraphDef texts(bool given) {
    GraphDef g;
    if (given)
      g.constant("x", tf_strings({5}, {"The Cat, sat! on the mat.", "", " dog  DOG\tcat\n", "...",
                                       "\xc3\xbc"
                                       "ber-dog [cat]"}));
    else
      g.placeholder("x", TfType::string, {-1});
    return g;
  }
  static void replace(GraphDef& g, const std::string& name, const std::string& of, std::string_view pattern,
                      std::string_view by = "") {
    g.node("StaticRegexReplace", name, {of}, {tf_text("pattern", pattern), tf_text("rewrite", by)});
  }
  // 10 and so on for each key that is found, otherwise -1.
  static void look_up(GraphDef& g, const std::string& name, const std::string& of,
                      const std::vector<std::string>& keys) {
    std::vector<int64_t> numbers(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) numbers[i] = static_cast<int64_t>(10 + i);
    const auto count = static_cast<int64_t>(keys.size());
    g.constant(name + "/keys", tf_strings({count}, keys))
        .constant(name + "/numbers", tf_i64({count}, numbers));
    g.constant(name + "/none", tf_i64({}, {-1}));
    g.node("HashTableV2", name + "/table", {},
           {tf_type("key_dtype", TfType::string), tf_type("value_dtype", TfType::i64)});
    g.node("InitializeTableV2", name + "/fill", {name + "/table", name + "/keys", name + "/numbers"},
           {tf_type("Tkey", TfType::string), tf_type("Tval", TfType::i64)});
    g.node("LookupTableFindV2", name, {name + "/table", of, name + "/none"},
           {tf_type("Tin", TfType::string), tf_type("Tout", TfType::i64)});
  }
  // Which of the expected texts each string is: 10, 11, 12 and so on.
  void are(GraphDef& g, const std::string& of, const std::vector<std::string>& expected) {
    std::vector<std::string> keys;
    std::vector<double> places;
    for (const std::string& text : expected) {
      const auto place = std::find(keys.begin(), keys.end(), text) - keys.begin();
      if (place == static_cast<std::ptrdiff_t>(keys.size())) keys.push_back(text);
      places.push_back(static_cast<double>(10 + place));
    }
    look_up(g, "y", of, keys);
    EXPECT_THAT(computed(g), ElementsAreArray(places));
  }
};

// What Keras's TextVectorization does.
TEST_F(TfStrings, WordsAreSplitAndLookedUp) {
  for (const bool given : {true, false}) {
    GraphDef g = texts(given);
    g.node("StringLower", "lower", {"x"});
    replace(g, "plain", "lower", R"([!"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\'])");
    g.constant("blank", tf_strings({}, {""}));
    g.node("StringSplitV2", "words", {"plain", "blank"});
    const std::vector<std::string> keys{"the",
                                        "cat",
                                        "sat",
                                        "dog",
                                        "mat",
                                        "catt",
                                        "",
                                        "\xc3\xbc"
                                        "berdog"};
    look_up(g, "whole", "plain", keys);
    look_up(g, "each", "words:1", keys);
    g.node("Identity", "indices", {"words:0"}, {tf_type("T", TfType::i64)});
    g.node("Identity", "shape", {"words:2"}, {tf_type("T", TfType::i64)});
    if (!given) {
      const auto model = prepare(g);
      EXPECT_EQ(count(*model, "StringTensorUnpack"), 1U);
      EXPECT_EQ(count(*model, "StringTensorPack"), 0U);
      continue;
    }
    EXPECT_THAT(computed(g, 0), ElementsAre(-1, 16, -1, 16, -1));
    EXPECT_THAT(computed(g, 1), ElementsAre(10, 11, 12, -1, 10, 14, 13, 13, 11, 17, 11));
    EXPECT_THAT(computed(g, 2),
                ElementsAre(0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 2, 0, 2, 1, 2, 2, 4, 0, 4, 1));
    EXPECT_THAT(computed(g, 3), ElementsAre(5, 6));
  }
}

TEST_F(TfStrings, PatternsOfOneByte) {
  struct Row {
    std::string_view pattern, by;
    std::vector<std::string> expected;
  };
  const std::vector<Row> rows{
      {"[^a-z ]", "", {"he at sat on the mat", "", " dog  cat", "", "berdog cat"}},
      {R"(\s)",
       "_",
       {"The_Cat,_sat!_on_the_mat.", "", "_dog__DOG_cat_", "...",
        "\xc3\xbc"
        "ber-dog_[cat]"}},
      {"e",
       "E",
       {"ThE Cat, sat! on thE mat.", "", " dog  DOG\tcat\n", "...",
        "\xc3\xbc"
        "bEr-dog [cat]"}},
      {"[a-c]", "*", {"The C*t, s*t! on the m*t.", "", " dog  DOG\t**t\n", "...", "\xc3\xbc*er-dog [**t]"}},
      {R"([\w-])", "", {" , !   .", "", "   \t\n", "...", "\xc3\xbc []"}},
      {"[]x]",
       ".",
       {"The Cat, sat! on the mat.", "", " dog  DOG\tcat\n", "...",
        "\xc3\xbc"
        "ber-dog [cat."}},
      {R"(\.)",
       "",
       {"The Cat, sat! on the mat", "", " dog  DOG\tcat\n", "",
        "\xc3\xbc"
        "ber-dog [cat]"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.pattern);
    GraphDef g = texts(true);
    replace(g, "changed", "x", row.pattern, row.by);
    are(g, "changed", row.expected);
  }
}

TEST_F(TfStrings, OtherPatternsAreRefused) {
  for (const auto& [pattern, by] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"ab", ""},
                                                                  {"a*", ""},
                                                                  {".", ""},
                                                                  {"[a", ""},
                                                                  {"[[:alpha:]]", ""},
                                                                  {"[\xc3\xbc]", ""},
                                                                  {"[^a]", "_"},
                                                                  {"a", "bc"},
                                                                  {"a", "\\"},
                                                                  {"", ""},
                                                                  {"[b-a]", ""},
                                                                  {R"(\b)", ""},
                                                                  {"^", ""}}) {
    SCOPED_TRACE(pattern);
    GraphDef g = texts(false);
    replace(g, "y", "x", pattern, by);
    EXPECT_THAT(failure_of(g), HasSubstr("is not one character or class of ASCII"));
  }
}

TEST_F(TfStrings, TheirCaseIsChanged) {
  GraphDef g = texts(true);
  g.node("StringUpper", "upper", {"x"});
  are(g, "upper",
      {"THE CAT, SAT! ON THE MAT.", "", " DOG  DOG\tCAT\n", "...",
       "\xc3\xbc"
       "BER-DOG [CAT]"});
}

TEST_F(TfStrings, AreComparedWithAConstant) {
  GraphDef g = texts(true);
  g.constant("dots", tf_strings({}, {"..."})).constant("none", tf_strings({}, {""}));
  g.node("Equal", "equal", {"x", "dots"}, {tf_type("T", TfType::string)});
  g.node("NotEqual", "other", {"none", "x"}, {tf_type("T", TfType::string)});
  EXPECT_THAT(computed(g, 0), ElementsAre(0, 0, 0, 1, 0));
  EXPECT_THAT(computed(g, 1), ElementsAre(1, 0, 1, 1, 1));
}

TEST_F(TfStrings, WhatIsRefusedSaysWhy) {
  GraphDef split = texts(false);
  split.constant("comma", tf_strings({}, {","}));
  split.node("StringSplitV2", "y", {"x", "comma"});
  EXPECT_THAT(failure_of(split), HasSubstr("at blanks, only"));

  GraphDef two = texts(false);
  two.placeholder("z", TfType::string, {-1});
  two.node("Equal", "y", {"x", "z"}, {tf_type("T", TfType::string)});
  EXPECT_THAT(failure_of(two), HasSubstr("with one constant only"));
}

// What Keras's StringLookup(invert=True) does.
TEST_F(TfStrings, ATableGivesThemBack) {
  GraphDef g;
  g.constant("x", tf_i64({2, 3}, {1, 0, 5, 7, 1, -1})).constant("keys", tf_i64({3}, {0, 1, 5}));
  g.constant("words", tf_strings({3}, {"no", "yes", ""})).constant("none", tf_strings({}, {"?"}));
  g.node("HashTableV2", "table", {},
         {tf_type("key_dtype", TfType::i64), tf_type("value_dtype", TfType::string)});
  g.node("InitializeTableV2", "fill", {"table", "keys", "words"},
         {tf_type("Tkey", TfType::i64), tf_type("Tval", TfType::string)});
  g.node("LookupTableFindV2", "found", {"table", "x", "none"},
         {tf_type("Tin", TfType::i64), tf_type("Tout", TfType::string)});
  look_up(g, "y", "found", {"no", "yes", "", "?"});
  EXPECT_THAT(computed(g), ElementsAre(11, 10, 12, 13, 11, 13));
}

// tf.math.bincount of a ragged tensor of four rows, the third one empty.
TEST_F(TfStrings, NumbersOfRaggedRowsAreCounted) {
  for (const bool binary : {false, true}) {
    GraphDef g;
    g.constant("splits", tf_i64({5}, {0, 3, 4, 4, 8})).constant("x", tf_i64({8}, {1, 1, 3, 0, 2, 9, 2, 2}));
    g.constant("size", tf_i64({}, {4})).constant("weights", tf_floats({0}, {}));
    g.node("RaggedBincount", "y", {"splits", "x", "size", "weights"},
           {tf_type("Tidx", TfType::i64), tf_type("T", TfType::f32), tf_bool("binary_output", binary)});
    const double two = binary ? 1 : 2, three = binary ? 1 : 3;
    EXPECT_THAT(computed(g), ElementsAre(0, two, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, three, 0));
  }
}

}  // namespace mo::test
