// `mo-host plugin check` as a vendor and a build server meet it.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "program.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

const std::string good = MO_ZOO_DIR "/check_good.mo.so";
const std::string invents = MO_ZOO_DIR "/rule_222_invents_dimensions.mo.so";

Outcome check(const std::string& plugin, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"plugin", "check", plugin, "--allow_writable_folders"};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(PluginCheck, EndsWithOneLineThatSumsUp) {
  const Outcome o = check(good);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_THAT(o.out, testing::MatchesRegex("(.|\n)*\n[0-9]+ cases: [0-9]+ passed, 0 failed, [0-9]+ not tried "
                                           "\\(level strict, seed 1, [0-9.]+ s\\)\n"));
}

TEST(PluginCheck, SaysRuleItemConsequenceAndHowToSeeItAgain) {
  const Outcome o = check(invents, {"--seed=7"});
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("MOX-222 org.example.zoo::Copy: From partly unknown shapes"));
  EXPECT_THAT(o.out, HasSubstr("told as what it need not be: shape [1"));
  EXPECT_THAT(o.out, HasSubstr("what follows from it: Models with free dimensions"));
  EXPECT_THAT(o.out, HasSubstr("--replay 'MOX-222/org.example.zoo::Copy' --seed 7\n"));
  EXPECT_THAT(o.out, HasSubstr(" 1 failed, "));
  EXPECT_THAT(o.err, HasSubstr("error MO0128: 1 of "));
  const Outcome again = check(invents, {"--replay=MOX-222/org.example.zoo::Copy", "--seed=7"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("\n1 cases: 0 passed, 1 failed, 0 not tried"));
}

TEST(PluginCheck, ARuleThatIsLeftOutFindsNothing) {
  EXPECT_EQ(check(invents, {"--without=MOX-222"}).code, 0);
  const Outcome o = check(invents, {"--without=MOX-1"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0104: --without: 'MOX-1' is no rule that is checked"));
}

TEST(PluginCheck, NothingTriedIsAFailure) {
  const Outcome o = check(good, {"--filter=MOX-9*"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0127: no case was tried"));
  EXPECT_EQ(check(MO_ZOO_DIR "/there_is_none.mo.so").code, 2);
}

TEST(PluginCheck, FiltersAndLevels) {
  const Outcome smoke = check(good, {"--level=smoke"});
  EXPECT_EQ(smoke.code, 0) << smoke.err;
  EXPECT_THAT(smoke.out, HasSubstr("\n8 cases: 8 passed"));
  const Outcome one = check(good, {"--filter=MOX-22[23]/*"});
  EXPECT_THAT(one.out, HasSubstr("\n2 cases: 2 passed"));
}

TEST(PluginCheck, JUnitThatServersRead) {
  const Folder folder;
  const Outcome o = check(invents, {"--format=junit", "--output_file", folder / "check.xml"});
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_THAT(o.out, HasSubstr(" cases: "));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(read_text(folder / "check.xml").c_str()));
  const auto suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "org.example.zoo.rule-222");
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  int tests = 0, failures = 0, skipped = 0;
  for (const auto& test : suite.children("testcase")) {
    ++tests;
    failures += test.child("failure") ? 1 : 0;
    skipped += test.child("skipped") ? 1 : 0;
  }
  EXPECT_EQ(suite.attribute("tests").as_int(), tests);
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), skipped);
  EXPECT_TRUE(suite.find_child_by_attribute("testcase", "classname", "MOX-222").child("failure"));
}

TEST(PluginCheck, JsonForScripts) {
  const Outcome o = check(good, {"--format=json", "--level=smoke"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("\"id\": \"org.example.zoo.check-good\""));
  EXPECT_THAT(o.out, HasSubstr("\"passed\": 8"));
}

TEST(PluginCheck, APluginThatIsRefusedIsAFinding) {
  const Outcome o = check(MO_ZOO_DIR "/rule_201_fails_to_load.mo.so");
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, HasSubstr("MOX-201"));
  EXPECT_THAT(o.out, HasSubstr("not today"));
}

}  // namespace
}  // namespace mo::test
