// Strings before they are looked up. The expected values are those of TensorFlow 2.21.
#include "tests/plugins/tensorflow/tensorflow_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TfStrings : public Tensorflow {
 protected:
  static TfTensor strings(std::vector<int64_t> dims, const std::vector<std::string>& values) {
    Wire fields;
    for (const std::string& v : values) fields.text(8, v);
    return {TfType::string, std::move(dims), {}, fields.bytes};
  }
  // As an input of the model: how many, where each begins and the last one ends, the bytes.
  static core::TensorRef given(const std::vector<std::string>& values) {
    std::vector<int32_t> numbers{static_cast<int32_t>(values.size()), 0};
    std::string letters;
    for (const std::string& v : values) numbers.push_back(static_cast<int32_t>((letters += v).size()));
    std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int32_t));
    return core::make_tensor_from_bytes(ElementType::string, {static_cast<int64_t>(values.size())},
                                        bytes + letters);
  }
  static const std::vector<std::string>& texts() {
    static const std::vector<std::string> list{"The cat, sat!", "", "  on THE mat_", " a",
                                               "\u00e9T\u00c9 cat\t\nCAT"};
    return list;
  }
  // The words of the texts in small letters without punctuation.
  static GraphDef words() {
    GraphDef g;
    g.placeholder("x", TfType::string, {-1}).constant("blank", strings({}, {""}));
    g.node("StringLower", "lower", {"x"}, {tf_text("encoding", "")});
    g.node("StaticRegexReplace", "plain", {"lower"},
           {tf_text("pattern", R"([!"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\'])"), tf_text("rewrite", ""),
            tf_bool("replace_global", true)});
    g.node("StringSplitV2", "words", {"plain", "blank"}, {tf_int("maxsplit", -1)});
    return g;
  }
  static void add_table(GraphDef& g) {
    g.constant("keys", strings({8}, {"the", "cat", "sat", "on", "mat", "\u00e9t\u00c9", "ab", "ba"}));
    g.constant("values", tf_i64({8}, {2, 3, 4, 5, 6, 7, 8, 9})).constant("none", tf_i64({}, {1}));
    g.node("HashTableV2", "table", {},
           {tf_type("key_dtype", TfType::string), tf_type("value_dtype", TfType::i64)});
    g.node("InitializeTableV2", "init", {"table", "keys", "values"},
           {tf_type("Tkey", TfType::string), tf_type("Tval", TfType::i64)});
  }
};

TEST_F(TfStrings, WordsAreLookedUp) {
  GraphDef g = words();
  add_table(g);
  g.node("LookupTableFindV2", "y", {"table", "words:1", "none"},
         {tf_type("Tin", TfType::string), tf_type("Tout", TfType::i64)});
  EXPECT_THAT(executed(g, {given(texts())}), ElementsAre(2, 3, 4, 5, 2, 6, 1, 7, 3, 3));
}

TEST_F(TfStrings, WordsHavePlaces) {
  GraphDef g = words();
  g.node("Identity", "y", {"words"}, {tf_type("T", TfType::i64)});
  EXPECT_THAT(executed(g, {given(texts())}),
              ElementsAre(0, 0, 0, 1, 0, 2, 2, 0, 2, 1, 2, 2, 3, 0, 4, 0, 4, 1, 4, 2));
  GraphDef h = words();
  h.node("Identity", "y", {"words:2"}, {tf_type("T", TfType::i64)});
  EXPECT_THAT(executed(h, {given(texts())}), ElementsAre(5, 3));
  EXPECT_THAT(executed(h, {given({"", " "})}), ElementsAre(2, 0));
}

TEST_F(TfStrings, LengthsAndComparisons) {
  GraphDef g = words();
  g.node("StringLength", "y", {"plain"}, {tf_text("unit", "BYTE")});
  EXPECT_THAT(executed(g, {given(texts())}), ElementsAre(11, 0, 12, 2, 14));
  GraphDef h = words();
  h.constant("cat", strings({}, {"cat"}));
  h.node("Equal", "y", {"words:1", "cat"}, {tf_type("T", TfType::string)});
  EXPECT_THAT(executed(h, {given(texts())}), ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 1, 1));
  GraphDef i;
  i.placeholder("x", TfType::string, {-1}).constant("none", strings({}, {""}));
  i.node("NotEqual", "y", {"x", "none"}, {tf_type("T", TfType::string)});
  EXPECT_THAT(executed(i, {given(texts())}), ElementsAre(1, 0, 1, 1, 1));
}

TEST_F(TfStrings, CharactersAreReplaced) {
  GraphDef g;
  g.placeholder("x", TfType::string, {-1}).constant("wanted", strings({}, {"The __t, s_t!"}));
  g.node("StaticRegexReplace", "r", {"x"},
         {tf_text("pattern", "[a-c]"), tf_text("rewrite", "_"), tf_bool("replace_global", true)});
  g.node("Equal", "y", {"r", "wanted"}, {tf_type("T", TfType::string)});
  EXPECT_THAT(executed(g, {given(texts())}), ElementsAre(1, 0, 0, 0, 0));
}

TEST_F(TfStrings, ATableGivesStrings) {
  GraphDef g;
  g.placeholder("x", TfType::i64, {-1}).constant("keys", tf_i64({2}, {5, -3}));
  g.constant("values", strings({2}, {"five", "minus three"})).constant("none", strings({}, {"[UNK]"}));
  g.node("HashTableV2", "table", {},
         {tf_type("key_dtype", TfType::i64), tf_type("value_dtype", TfType::string)});
  g.node("InitializeTableV2", "init", {"table", "keys", "values"},
         {tf_type("Tkey", TfType::i64), tf_type("Tval", TfType::string)});
  g.node("LookupTableFindV2", "s", {"table", "x", "none"},
         {tf_type("Tin", TfType::i64), tf_type("Tout", TfType::string)});
  g.node("StringLength", "y", {"s"}, {tf_text("unit", "BYTE")});
  const std::vector<int64_t> asked{5, 7, -3};
  const std::string bytes(reinterpret_cast<const char*>(asked.data()), asked.size() * sizeof(int64_t));
  EXPECT_THAT(executed(g, {core::make_tensor_from_bytes(ElementType::i64, {3}, bytes)}),
              ElementsAre(4, 5, 11));
}

// Keys with the same sum of bytes are told apart by their bytes.
TEST_F(TfStrings, ManyKeysAreFound) {
  std::vector<std::string> keys;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 20000; ++i) {
    keys.push_back("k" + std::to_string(i * 7919 % 1000003));
    values.push_back(i);
  }
  GraphDef g;
  const auto count = static_cast<int64_t>(keys.size());
  g.placeholder("x", TfType::string, {-1}).constant("keys", strings({count}, keys));
  g.constant("values", tf_i64({count}, values)).constant("none", tf_i64({}, {-1}));
  g.node("HashTableV2", "table", {},
         {tf_type("key_dtype", TfType::string), tf_type("value_dtype", TfType::i64)});
  g.node("InitializeTableV2", "init", {"table", "keys", "values"},
         {tf_type("Tkey", TfType::string), tf_type("Tval", TfType::i64)});
  g.node("LookupTableFindV2", "y", {"table", "x", "none"},
         {tf_type("Tin", TfType::string), tf_type("Tout", TfType::i64)});
  const std::vector<double> wanted(values.begin(), values.end());
  EXPECT_EQ(executed(g, {given(keys)}), wanted);
  EXPECT_THAT(executed(g, {given({"k", "k0x", "a rather long string that is no key", ""})}),
              ElementsAre(-1, -1, -1, -1));
}

TEST_F(TfStrings, WhatIsNoSetOfCharactersIsRefused) {
  for (const char* pattern : {"a+", "[^a]", "\\d", "[[:alpha:]]", "ab", "[a", ""}) {
    GraphDef g;
    g.placeholder("x", TfType::string, {-1});
    g.node("StaticRegexReplace", "y", {"x"},
           {tf_text("pattern", pattern), tf_text("rewrite", ""), tf_bool("replace_global", true)});
    EXPECT_THAT(failure_of(g), HasSubstr("the IR has no regular expressions")) << pattern;
  }
}

}  // namespace
}  // namespace mo::test
