#include "core/ir/xml_writer.hpp"

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>

namespace mo::core {
namespace {

template <class F>
std::string written(F write) {
  std::string out;
  XmlWriter xml([&](std::string_view s) { out += s; });
  write(xml);
  xml.flush();
  return out;
}

std::string escaped(std::string_view s) {
  return written([&](XmlWriter& xml) { xml.text(s); });
}

TEST(XmlWriter, EscapesWhatXmlNeeds) {
  EXPECT_EQ(escaped("conv1/relu:0"), "conv1/relu:0");
  EXPECT_EQ(escaped("<a&\"b\">"), "&lt;a&amp;&quot;b&quot;&gt;");
  EXPECT_EQ(escaped("a\tb\nc\r"), "a&#9;b&#10;c&#13;");
  EXPECT_EQ(escaped("größe 日本 😀"), "größe 日本 😀");
  EXPECT_EQ(escaped(""), "");
}

TEST(XmlWriter, ReplacesWhatXmlCannotHold) {
  const std::string replacement = "\xef\xbf\xbd";
  EXPECT_EQ(escaped(std::string("a\0b\x01", 4)), "a" + replacement + "b" + replacement);
  EXPECT_EQ(escaped("\xff\xc3"), replacement + replacement);
  EXPECT_EQ(escaped("\xed\xa0\x80").size(), 9U);  // a surrogate, byte by byte
  EXPECT_EQ(escaped("\xef\xbf\xbe"), replacement);
  EXPECT_EQ(escaped("\xc0\xaf"), replacement + replacement);  // overlong
}

TEST(XmlWriter, NumbersAndLines) {
  EXPECT_EQ(written([](XmlWriter& xml) {
              xml.line(2).raw("<a").attribute("n", -7).attribute("s", "<").raw("/>");
              xml.line(0).number(INT64_MIN).number(INT64_MAX);
            }),
            "\n\t\t<a n=\"-7\" s=\"&lt;\"/>\n-92233720368547758089223372036854775807");
}

TEST(XmlWriter, BuffersOfAnySize) {
  std::string expected, piece;
  size_t calls = 0;
  std::string out;
  XmlWriter xml([&](std::string_view s) {
    out += s;
    ++calls;
  });
  for (size_t size = 1; size < 2000000; size = size * 3 + 1) {
    piece.assign(size, static_cast<char>('a' + size % 26));
    xml.raw(piece).number(static_cast<int64_t>(size));
    expected += piece + std::to_string(size);
  }
  xml.flush();
  EXPECT_EQ(out, expected);
  EXPECT_LT(calls, 20U);
}

TEST(XmlWriter, WhatIsWrittenReadsBack) {
  const std::string value = "<\"&'>\n\t\r ü \x7f";
  const std::string document =
      written([&](XmlWriter& xml) { xml.raw("<a").attribute("v", value).raw("/>"); });
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(document.c_str()));
  EXPECT_EQ(std::string(read.child("a").attribute("v").value()), value);
}

TEST(XmlWriter, NamesOfElements) {
  EXPECT_TRUE(is_xml_name("exclude-pad"));
  EXPECT_TRUE(is_xml_name("_a.b-1"));
  for (const char* bad : {"", "1a", "a b", "-a", "ü", "a:b", "a\n"}) EXPECT_FALSE(is_xml_name(bad)) << bad;
}

}  // namespace
}  // namespace mo::core
