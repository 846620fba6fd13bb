#include "core/support/split.hpp"

#include <gmock/gmock.h>

namespace mo::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> all_parts(std::string_view text, char separator) {
  std::vector<std::string> parts;
  each_part(text, separator, [&](std::string_view part) { parts.emplace_back(part); });
  return parts;
}

TEST(Split, EmptyPartsAreCounted) {
  EXPECT_THAT(all_parts("", ','), ElementsAre(""));
  EXPECT_THAT(all_parts("a", ','), ElementsAre("a"));
  EXPECT_THAT(all_parts("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(all_parts(",a,", ','), ElementsAre("", "a", ""));
  EXPECT_THAT(all_parts(",", ','), ElementsAre("", ""));
  EXPECT_THAT(all_parts("a,b", ':'), ElementsAre("a,b"));
}

TEST(Split, EmptyPartsAreLeftOut) {
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(",,"), IsEmpty());
  EXPECT_THAT(split("a"), ElementsAre("a"));
  EXPECT_THAT(split(",a,, b ,"), ElementsAre("a", " b "));
  EXPECT_THAT(split("/x:/y:", ':'), ElementsAre("/x", "/y"));
}

}  // namespace
}  // namespace mo::core
