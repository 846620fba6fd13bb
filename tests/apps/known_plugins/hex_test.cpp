#include "apps/known_plugins/hex.hpp"

#include <gtest/gtest.h>

namespace mo::app {
namespace {

TEST(Hex, TwoDigitsAByte) {
  EXPECT_EQ(hex_of(""), "");
  EXPECT_EQ(hex_of("mo"), "6d6f");
  EXPECT_EQ(hex_of(std::string_view("\x00\x0f\x7f\x80\xf0\xff", 6)), "000f7f80f0ff");
}

}  // namespace
}  // namespace mo::app
