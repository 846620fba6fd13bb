#include "core/support/printable.hpp"

#include <gtest/gtest.h>

#include "core/support/failure.hpp"

namespace mo::core {
namespace {

TEST(Printable, TextStaysAsItIs) {
  for (const std::string_view text : {"", "layer/conv_1:0", "Größe\t→ 3 × 3", "\\x1b", "{a: \"b\"}"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatATerminalObeysIsEscaped) {
  EXPECT_EQ(printable("a\x1b[31mred\a\r\x7f"), "a\\x1b[31mred\\x07\\x0d\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // the sign ends too early
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(Printable, NoLineIsForged) {
  EXPECT_EQ(printable("x\nerror MO0101: all is lost", 4), "x\n    error MO0101: all is lost");
  const Failure f = Failure(Exit::model, "MO0605", "no 'a\nb'").with("node", "c\nerror MO0101: d");
  EXPECT_EQ(f.render(), "error MO0605: no 'a\nb'\n  node    c\n          error MO0101: d");
}

TEST(Printable, LongTextIsCut) {
  EXPECT_EQ(printable("0123456789", 0, 4), "0123... (6 bytes more)");
  EXPECT_EQ(printable("0123", 0, 4), "0123");
  EXPECT_EQ(printable("012\xc3\xa4x", 0, 4), "012\xc3\xa4... (1 bytes more)");  // no sign is cut in two
}

TEST(Printable, TwiceIsOnce) {
  const std::string once = printable(
      "a\x1b\n\xff"
      "b");
  EXPECT_EQ(printable(once), once);
}

}  // namespace
}  // namespace mo::core
