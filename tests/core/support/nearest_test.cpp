#include "core/support/nearest.hpp"

#include <gtest/gtest.h>

namespace mo::core {
namespace {

TEST(EditDistance, CountsEditsAndSwapsWithoutCase) {
  struct Row {
    const char *a, *b;
    size_t distance;
  };
  const Row rows[] = {
      {"", "", 0},         {"abc", "abc", 0},   {"ABC", "abc", 0},
      {"abc", "abd", 1},   {"abc", "ab", 1},    {"abc", "xabc", 1},
      {"abcd", "abdc", 1}, {"abc", "cab", 2},   {"kitten", "sitting", 3},
      {"abc", "", 3},      {"lits", "list", 1}, {"abcdef", "ghijkl", 5},
  };
  for (const Row& r : rows) {
    EXPECT_EQ(edit_distance(r.a, r.b, 4), r.distance) << r.a << " " << r.b;
    EXPECT_EQ(edit_distance(r.b, r.a, 4), r.distance) << r.a << " " << r.b;
  }
}

TEST(Nearest, GivesTheLeastDistanceAndNothingFar) {
  const std::vector<std::string> known{"input", "output", "output_dir", "input_shape", "framework"};
  EXPECT_EQ(nearest("imput", known), std::vector<std::string>{"input"});
  EXPECT_EQ(nearest("OUTPUT", known), std::vector<std::string>{"output"});
  EXPECT_EQ(nearest("xyz", known), std::vector<std::string>{});
  EXPECT_EQ(nearest("a", {"b", "c"}), std::vector<std::string>{});
  EXPECT_EQ(nearest("ad", {"ab", "ac", "xad"}), (std::vector<std::string>{"ab", "ac", "xad"}));
  EXPECT_EQ(nearest("ad", {"ab", "ac", "xad"}, 2).size(), 2U);
}

TEST(DidYouMean, IsASentence) {
  EXPECT_EQ(did_you_mean("imput", {"input"}), "did you mean 'input'?");
  EXPECT_EQ(did_you_mean("ab", {"ac", "ad"}), "did you mean 'ac' or 'ad'?");
  EXPECT_EQ(did_you_mean("ab", {"ac", "ad", "ae"}), "did you mean 'ac', 'ad' or 'ae'?");
  EXPECT_EQ(did_you_mean("quite different", {"ac"}), "");
}

}  // namespace
}  // namespace mo::core
