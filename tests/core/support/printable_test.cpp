#include "core/support/printable.hpp"

#include <gmock/gmock.h>

#include <new>
#include <nlohmann/json.hpp>

#include "core/support/failure.hpp"
#include "core/support/utf8.hpp"

namespace mo::core {
namespace {

using testing::EndsWith;
using testing::StartsWith;

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
  EXPECT_EQ(f.render(), "error MO0605: no 'a\n  b'\n  node    c\n          error MO0101: d");
}

TEST(Printable, LongTextIsCut) {
  const std::string all(100, 'x'), kept(60, 'x');
  EXPECT_EQ(printable(all, 0, 100), all);
  EXPECT_EQ(printable(all + "y", 0, 100), kept + "... (41 bytes more)");
  // No sign is cut in two, and what is escaped takes more room.
  EXPECT_EQ(printable(std::string(59, 'x') + "\xc3\xa4" + all, 0, 100),
            std::string(59, 'x') + "... (102 bytes more)");
  EXPECT_EQ(printable(std::string(99, '\x1b'), 0, 100).substr(52), "\\x1b\\x1b... (84 bytes more)");
}

TEST(Printable, TwiceIsOnce) {
  const std::string once = printable(
      "a\x1b\n\xff"
      "b");
  EXPECT_EQ(printable(once), once);
  for (size_t n = 90; n < 300; ++n) {
    const std::string cut = printable(std::string(n, '\xff') + std::string(n, 'a'), 0, 300);
    EXPECT_LE(cut.size(), 300U);
    EXPECT_EQ(printable(cut, 0, 300), cut);
  }
}

// Whoever makes a message has texts of a file, of any length and kind.
TEST(Failures, AreShortAndPrintable) {
  std::string name;
  while (name.size() < 700000) name += "name\xff\x1b[2J";
  const Failure f = Failure(Exit::model, "MO0605", "no '" + name + "'").with("node", name);
  EXPECT_LE(f.message().size(), longest_message);
  EXPECT_THAT(f.message(), StartsWith("no 'name\\xff\\x1b[2Jname"));
  EXPECT_THAT(f.message(), EndsWith(" bytes more)"));
  EXPECT_LE(f.context_of("node").size(), longest_message);
  EXPECT_LE(f.render().size(), 2 * longest_message + 100);
  EXPECT_TRUE(is_utf8(f.render()));
  // What another process made of it is the same.
  EXPECT_EQ(Failure(f.exit(), f.code(), f.message()).with("node", f.context_of("node")).render(), f.render());
}

TEST(Failures, SayReasonsWithoutTheWordsOfALibrary) {
  std::string reason;
  nlohmann::json json;
  try {
    json = nlohmann::json::parse("{\"a\" 1}");
  } catch (const std::exception& e) {
    reason = reason_of(e);
  }
  EXPECT_THAT(reason, StartsWith("parse error at line 1, column 6"));
  EXPECT_EQ(reason_of(std::bad_alloc()), "there is not enough memory");
  EXPECT_EQ(reason_of(std::runtime_error("a [b] c")), "a [b] c");
}

}  // namespace
}  // namespace mo::core
