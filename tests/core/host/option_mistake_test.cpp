#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

// How a run of a transformation that fails ends.
std::string ending(const std::function<void()>& failing) {
  Lab lab;
  lab.plugin("com.other", [](Registry& r) { r.option("theirs", MO_OPTION_STRING, "of another plugin"); });
  lab.plugin("com.acme", [&](Registry& r) {
    r.option("ours", MO_OPTION_STRING, "of this plugin");
    r.transformation<OnGraph>("acme.fails", [failing](Graph) { failing(); });
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
  const auto blaming = [](const char* option) {
    return ending([option] { fail_option(option, "expected ", 3, " numbers"); });
  };
  EXPECT_EQ(blaming("ours"), "MO0117 2 --ours: expected 3 numbers");
  EXPECT_EQ(blaming("theirs"), "MO0601 1 --theirs: expected 3 numbers");
  EXPECT_EQ(blaming("our"), "MO0601 1 --our: expected 3 numbers");
}

TEST(OptionMistake, IsNoneThatATextOnlySeemsToTellOf) {
  for (const std::string said : {"--ours: no", "--ours", "--: no", "-"})
    EXPECT_EQ(ending([&] { fail(said); }), "MO0601 1 " + said);
}

}  // namespace
}  // namespace mo::test
