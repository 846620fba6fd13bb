// What mo_host.option gives for each MO_OPTION_ kind: of a default, which the plugin writes as text, and of
// what the command line has read.
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

struct OptionKind {
  const char* name;
  int32_t kind;
  const char* fallback;
  int32_t value_kind;
  const char* expected;   // the default
  core::Attribute given;  // by the user
  const char* then;
};

const std::vector<OptionKind>& option_kinds() {
  using Strings = std::vector<std::string>;
  static const std::vector<OptionKind> all{
      {"a_flag", MO_OPTION_FLAG, "true", MO_VALUE_BOOL, "true", false, "false"},
      {"a_string", MO_OPTION_STRING, "7", MO_VALUE_STRING, "7", "a, b", "a, b"},
      {"an_int", MO_OPTION_INT, "-9223372036854775808", MO_VALUE_INT, "-9223372036854775808", int64_t{5},
       "5"},
      {"a_float", MO_OPTION_FLOAT, "0.25", MO_VALUE_FLOAT, "0.25", -1.5, "-1.5"},
      {"a_list", MO_OPTION_LIST, "a,b c", MO_VALUE_STRINGS, "[a][b c]", Strings{"z"}, "[z]"},
      {"a_path", MO_OPTION_PATH, "/a,b", MO_VALUE_STRING, "/a,b", "c", "c"},
      {"a_model", MO_OPTION_MODEL, "m.x", MO_VALUE_STRING, "m.x", "n.x", "n.x"},
      {"a_model_file", MO_OPTION_MODEL_FILE, "m.y", MO_VALUE_STRING, "m.y", "n.y", "n.y"},
  };
  return all;
}

std::string shown(const mo_value& v) {
  const auto plain = [](mo_str s) { return std::string(s.data, s.size); };
  switch (v.kind) {
    case MO_VALUE_BOOL:
      return v.u.i != 0 ? "true" : "false";
    case MO_VALUE_INT:
      return std::to_string(v.u.i);
    case MO_VALUE_FLOAT:
      return text(v.u.f);
    case MO_VALUE_STRING:
      return plain(v.u.s);
    case MO_VALUE_STRINGS: {
      std::string list;
      for (uint64_t i = 0; i < v.count; ++i) list += "[" + plain(v.u.strings[i]) + "]";
      return list;
    }
    default:
      return text("kind ", v.kind);
  }
}

// As a plugin in C asks, inside a transformation.
class OptionKinds : public testing::TestWithParam<OptionKind> {
 protected:
  OptionKinds() {
    lab_.plugin("com.acme", [this](Registry& r) {
      const OptionKind& o = GetParam();
      r.option(o.name, o.kind, "of a test", o.fallback);
      r.option("without_default", o.kind, "of a test");
      r.transformation<OnGraph>("acme.asks", [this](Graph g) { ask(g.context()); });
    });
  }
  void run() {
    const auto g = lab_.graph("%x = Parameter -> f32[1]\nResult (%x)");
    lab_.run(*g, "acme.asks");
  }
  std::string value_;
  int32_t kind_ = 0;
  mo_status unset_ = MO_OK;
  Lab lab_;

 private:
  void ask(const Context& c) {
    mo_value v{};
    ASSERT_EQ(c.host()->option(c.get(), str(GetParam().name), &v), MO_OK);
    kind_ = v.kind;
    value_ = shown(v);
    unset_ = c.host()->option(c.get(), str("without_default"), &v);
  }
};

TEST_P(OptionKinds, OfADefault) {
  run();
  EXPECT_EQ(kind_, GetParam().value_kind);
  EXPECT_EQ(value_, GetParam().expected);
  EXPECT_EQ(unset_, MO_NOT_FOUND);
}

TEST_P(OptionKinds, OfWhatTheUserSays) {
  lab_.session.set_option(GetParam().name, GetParam().given);
  run();
  EXPECT_EQ(kind_, GetParam().value_kind);
  EXPECT_EQ(value_, GetParam().then);
}

INSTANTIATE_TEST_SUITE_P(All, OptionKinds, testing::ValuesIn(option_kinds()),
                         [](const auto& p) { return std::string(p.param.name); });

// One that is added to the header gets a row above.
TEST(OptionKinds, AreAllTried) {
  EXPECT_EQ(option_kinds().size(), static_cast<size_t>(MO_OPTION_MODEL_FILE));
  for (size_t i = 0; i < option_kinds().size(); ++i)
    EXPECT_EQ(option_kinds()[i].kind, static_cast<int32_t>(i + 1));
}

}  // namespace
}  // namespace mo::test
