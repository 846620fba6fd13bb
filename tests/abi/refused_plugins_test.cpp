// The zoo, one animal at a time: each is refused with one clear message, and nothing of it stays.
#include <gmock/gmock.h>

#include "core/host/host_tables.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Refused {
  const char* stem;
  const char* rule;
  std::vector<const char*> says;  // parts of the message as the user sees it
};

void PrintTo(const Refused& r, std::ostream* out) { *out << r.stem; }

class ZooTest : public testing::TestWithParam<Refused> {};

TEST_P(ZooTest, IsRefusedWithItsRule) {
  const Refused& expected = GetParam();
  Session session{host_table()};
  const auto f = failure_of(session, test::zoo(expected.stem));
  ASSERT_TRUE(f.has_value()) << "it loads";
  EXPECT_EQ(f->exit(), Exit::plugin);
  EXPECT_EQ(f->code(), expected.rule) << f->render();
  const std::string text = f->render();
  EXPECT_THAT(text, HasSubstr(test::zoo(expected.stem)));
  EXPECT_THAT(text, HasSubstr("hint"));
  for (const char* part : expected.says) EXPECT_THAT(text, HasSubstr(part));
  const std::string stem = expected.stem;
  EXPECT_EQ(text.find("MOX-") == text.rfind("MOX-"), stem != "bad_descriptor") << text;

  EXPECT_TRUE(session.plugins().empty());
  EXPECT_TRUE(session.registry().operations().empty());
  EXPECT_TRUE(session.registry().extractors().empty());
}

// No rule of loading can be switched off. Its fault is: what is left has to load, so that nothing but the
// fault is refused.
TEST_P(ZooTest, LoadsWithoutItsFault) {
  Session session{host_table()};
  const auto f = failure_of(session, test::zoo(std::string(GetParam().stem) + "_sound"));
  ASSERT_FALSE(f.has_value()) << f->render();
  ASSERT_EQ(session.plugins().size(), 1U);
  EXPECT_FALSE(session.registry().operations().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, ZooTest,
    testing::Values(
        Refused{"no_entry", "MOX-003", {"mo_plugin_entry", "mo_add_plugin()"}},
        Refused{"entry_is_data", "MOX-003", {"mo_plugin_entry"}},
        Refused{"null_entry", "MOX-020", {"returned NULL", "expected a static mo_plugin"}},
        Refused{"tiny_descriptor", "MOX-040", {"size is 8", "expected at least 136"}},
        Refused{"short_descriptor", "MOX-040", {"size is 120", "expected at least 136"}},
        Refused{"garbage_size", "MOX-041", {"size is 16045690984833335023", "at most 136", "ABI 1.0"}},
        Refused{"other_major",
                "MOX-021",
                {"abi_major is 7; expected 1", "host    mo-host", "ABI 1.0", "for ABI 7.0"}},
        Refused{
            "older_candidate", "MOX-021", {"abi_candidate is 0; expected 3", "counted anew", "CHANGELOG.md"}},
        Refused{
            "newer_minor",
            "MOX-022",
            {"abi_lowest_minor is 8; expected at most 0", "for ABI 1.9, runs on 1.8 or newer",
             "host    mo-host", "org.example.zoo.newer-minor 1.0.0 (the zoo)", "https://zoo.example/help"}},
        Refused{
            "impossible_minor", "MOX-023", {"abi_lowest_minor is 2; expected at most abi_minor, which is 1"}},
        Refused{"bad_descriptor",
                "MOX-044",
                {"id is \"Com.Acme\"; expected reverse DNS", "version is \"one\"",
                 "MOX-043 descriptor: vendor is \"caf\\xe9\"; expected UTF-8",
                 "MOX-042 descriptor: license is NULL with length 5",
                 "description is \"two\\x0alines\"; expected one line", "support_url is \"call us\"",
                 "MOX-051 descriptor: load is NULL"}},
        Refused{"missing_symbol",
                "MOX-005",
                {"vendor::forgotten(char const*)", "_ZN6vendor9forgottenEPKc", "link the plugin"}},
        Refused{"fails_half_way", "MOX-025", {"the licence has expired", "org.example.zoo.fails-half-way"}},
        Refused{"fails_silently", "MOX-025", {"status 8 and no text"}},
        Refused{"ignores_refusal",
                "MOX-050",
                {"operation org.example.zoo::Ignored", "flags is 1048576; expected only bits of 127"}},
        Refused{"throws_in_entry", "MOX-026", {"callback 'mo_plugin_entry'", "no descriptor today"}},
        Refused{"throws_in_load", "MOX-026", {"callback 'load'", "not a std::exception"}}),
    [](const auto& row) { return std::string(row.param.stem); });

TEST(Zoo, RegistersNothing) {
  Session session{host_table()};
  const auto f = failure_of(session, test::zoo("registers_nothing"));
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->code(), "MOX-008");
  EXPECT_THAT(f->render(), HasSubstr("plugin org.example.zoo.registers-nothing 1.0.0 registers nothing"));
  Session another{host_table()};
  EXPECT_FALSE(failure_of(another, test::zoo("registers_nothing_sound")).has_value());
}

TEST(Zoo, TwoPluginsOneOperation) {
  Session session{host_table()};
  load_zoo(session, "twin_a");
  const auto f = failure_of(session, test::zoo("twin_b"));
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->code(), "MOX-110");
  EXPECT_THAT(f->message(), AllOf(HasSubstr("operation org.example.twins::Twin"),
                                  HasSubstr("org.example.zoo.twin-a 1.0.0"), HasSubstr(test::zoo("twin_a")),
                                  HasSubstr("org.example.zoo.twin-b"), HasSubstr(test::zoo("twin_b"))));
  ASSERT_EQ(session.registry().operations().size(), 1U);
  EXPECT_EQ(session.registry().operations()[0]->plugin->id, "org.example.zoo.twin-a");
  load_zoo(session, "twin_b_sound");
  EXPECT_EQ(session.registry().operations().size(), 2U);
}

TEST(Zoo, WhatFailsHalfWayIsReleased) {
  const ZooFolder folder;
  const std::string log = (folder.path() / "released").string();
  setenv("ZOO_RELEASED", log.c_str(), 1);
  Session session{host_table()};
  ASSERT_TRUE(failure_of(session, test::zoo("fails_half_way")).has_value());
  unsetenv("ZOO_RELEASED");
  std::string said;
  std::ifstream(log) >> said;
  EXPECT_EQ(said, "r");
  EXPECT_EQ(session.registry().operation("HalfWay", "org.example.zoo"), nullptr);
}

TEST(Zoo, AllFailuresOfOneRunAreTold) {
  const ZooFolder folder;
  folder.add_zoo("null_entry", "a.mo.so");
  folder.add_zoo("other_major", "b.mo.so");
  folder.add_zoo("twin_a", "c.mo.so");
  Session session{host_table()};
  const auto f = failure_of(session, folder.path().string());
  ASSERT_TRUE(f.has_value());
  EXPECT_THAT(f->render(), AllOf(HasSubstr("2 plugins cannot be used"), HasSubstr("MOX-020"),
                                 HasSubstr("a.mo.so"), HasSubstr("MOX-021"), HasSubstr("b.mo.so")));
}

TEST(Zoo, OfManyFailuresTheFirstAreTold) {
  const ZooFolder folder;
  for (int i = 10; i < 40; ++i) folder.add_zoo("null_entry", text(i, ".mo.so"));
  Session session{host_table()};
  const auto f = failure_of(session, folder.path().string());
  ASSERT_TRUE(f.has_value());
  EXPECT_THAT(f->render(), AllOf(HasSubstr("30 plugins cannot be used"), HasSubstr("29.mo.so"),
                                 Not(HasSubstr("30.mo.so")), HasSubstr("10 more")));
}

TEST(Zoo, FoldersThatAreOnlySearchedWarn) {
  const ZooFolder folder;
  folder.add_zoo("null_entry", "a.mo.so");
  folder.add_zoo("twin_a", "c.mo.so");
  Session session{host_table()};
  std::vector<std::string> warnings;
  session.log_sink = [&](const LogLine& l) {
    if (l.level == MO_LOG_WARNING) warnings.push_back(l.text);
  };
  app::CarefulRequest request;
  request.searched = {folder.path().string()};
  const LoadReport report = app::load_carefully(session, request);
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0]->id, "org.example.zoo.twin-a");
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_TRUE(report.skipped[0].refused);
  EXPECT_THAT(report.skipped[0].reason, HasSubstr("MOX-020"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("a.mo.so"), HasSubstr("MOX-020")));
}

}  // namespace

}  // namespace mo::core
