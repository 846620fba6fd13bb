#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

// How a run of a transformation that fails with this text ends.
std::string ending(const std::string& failure) {
  Lab lab;
  lab.plugin("com.other", [](Registry& r) { r.option("theirs", MO_OPTION_STRING, "of another plugin"); });
  lab.plugin("com.acme", [&](Registry& r) {
    r.option("ours", MO_OPTION_STRING, "of this plugin");
    r.transformation<OnGraph>("acme.fails", [failure](Graph) { fail(failure); });
  });
  const auto g = lab.graph("%x = Parameter -> f32[1]\nResult (%x)");
  try {
    lab.run(*g, "acme.fails");
  } catch (const core::Failure& f) {
    return text(f.code(), " ", static_cast<int>(f.exit()), " ", f.message());
  }
  return "no failure";
}

TEST(OptionMistake, IsOneOfTheCommandLineWhenThePluginsOwnOptionIsToBlame) {
  EXPECT_EQ(ending("--ours: no"), "MO0117 2 --ours: no");
  EXPECT_EQ(ending("--theirs: no"), "MO0601 1 --theirs: no");
  EXPECT_EQ(ending("--our: no"), "MO0601 1 --our: no");
  EXPECT_EQ(ending("--ours"), "MO0117 2 --ours");
  EXPECT_EQ(ending("--: no"), "MO0601 1 --: no");
  EXPECT_EQ(ending("-"), "MO0601 1 -");
}

TEST(OptionMistake, HasAWordInTheSdk) {
  try {
    fail_option("ours", "expected ", 3, " numbers");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "--ours: expected 3 numbers");
  }
}

}  // namespace
}  // namespace mo::test
