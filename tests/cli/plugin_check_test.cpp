// `mo-host plugin check` as a vendor and a build server meet it.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "program.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

const std::string good_plugin = zoo("check_good");
const std::string invents = zoo("rule_222_invents_dimensions");

Outcome checked(const std::string& plugin, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"plugin", "check", plugin, "--allow_writable_folders"};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(PluginCheck, EndsWithOneLineThatSumsUp) {
  const Outcome o = checked(good_plugin);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_THAT(o.out, testing::MatchesRegex("(.|\n)*\n[0-9]+ cases: [0-9]+ passed, 0 failed, [0-9]+ not tried "
                                           "\\(level strict, seed 1, [0-9.]+ s\\)\n"));
}

TEST(PluginCheck, SaysRuleItemConsequenceAndHowToSeeItAgain) {
  const Outcome o = checked(invents, {"--seed=7"});
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("MOX-222 org.example.zoo::Copy: From partly unknown shapes"));
  EXPECT_THAT(o.out, HasSubstr("told as what it need not be: shape [1"));
  EXPECT_THAT(o.out, HasSubstr("what follows from it: Models with free dimensions"));
  EXPECT_THAT(o.out, HasSubstr("--replay 'MOX-222/org.example.zoo::Copy' --seed 7\n"));
  EXPECT_THAT(o.out, HasSubstr(" 1 failed, "));
  EXPECT_THAT(o.err, HasSubstr("error MO0128: 1 of "));
  const Outcome again = checked(invents, {"--replay=MOX-222/org.example.zoo::Copy", "--seed=7"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("\n1 cases: 0 passed, 1 failed, 0 not tried"));
}

TEST(PluginCheck, AnAnswerThatThePluginSpoilsIsAFailure) {
  ProgramOptions options;
  options.environment = {"MO_TEST_LOAD=spoil"};
  const Outcome o = run({"plugin", "check", zoo("met_first"), "--allow_writable_folders"}, options);
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_THAT(o.out, HasSubstr("its answer is spoilt: something was written to a descriptor"));
  EXPECT_THAT(o.err, HasSubstr("error MO0128: 1 of 1 "));
}

TEST(PluginCheck, ARuleThatIsLeftOutFindsNothing) {
  EXPECT_EQ(checked(invents, {"--without=MOX-222"}).code, 0);
  const Outcome o = checked(invents, {"--without=MOX-1"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0104: --without: 'MOX-1' is not a rule that is checked"));
}

TEST(PluginCheck, NothingTriedIsAFailure) {
  const Outcome o = checked(good_plugin, {"--filter=MOX-9*"});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0127: no case was tried"));
  EXPECT_EQ(checked(zoo("there_is_none")).code, 2);
}

TEST(PluginCheck, FiltersAndLevels) {
  const Outcome smoke = checked(good_plugin, {"--level=smoke"});
  EXPECT_EQ(smoke.code, 0) << smoke.err;
  EXPECT_THAT(smoke.out, HasSubstr("\n10 cases: 10 passed"));
  const Outcome one = checked(good_plugin, {"--filter=MOX-22[23]/*"});
  EXPECT_THAT(one.out, HasSubstr("\n2 cases: 2 passed"));
}

TEST(PluginCheck, OneThatClaimsWhatAnotherDoesNeedsToBePreferred) {
  const std::vector<std::string> beside{"--extensions", zoo("twin_a"), "--level=smoke"};
  const Outcome clash = checked(zoo("twin_b"), beside);
  EXPECT_EQ(clash.code, 1) << clash.err;
  EXPECT_THAT(clash.out, HasSubstr("MOX-110"));
  for (const char* id : {"org.example.zoo.twin-a", "org.example.zoo.twin-b"}) {
    auto words = beside;
    words.insert(words.end(), {"--prefer", id});
    const Outcome o = checked(zoo("twin_b"), words);
    EXPECT_EQ(o.code, 0) << o.out << o.err;
  }
}

TEST(PluginCheck, JUnitThatServersRead) {
  const Folder folder;
  const Outcome o = checked(invents, {"--format=junit", "--output_file", folder / "check.xml"});
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
  const Outcome o = checked(good_plugin, {"--format=json", "--level=smoke"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("\"id\": \"org.example.zoo.check-good\""));
  EXPECT_THAT(o.out, HasSubstr("\"passed\": 10"));
}

TEST(PluginCheck, APluginThatIsRefusedIsAFinding) {
  const Outcome o = checked(zoo("rule_201_fails_to_load"));
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, HasSubstr("MOX-201"));
  EXPECT_THAT(o.out, HasSubstr("not today"));
}

}  // namespace
}  // namespace mo::test
