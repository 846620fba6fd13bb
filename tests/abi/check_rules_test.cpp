// `mo-host plugin check` finds what it says it finds: each plugin of the zoo named rule_NNN_* breaks rule
// MOX-NNN and no other, and passes once that rule is left out.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "apps/plugin_check/check_plugin.hpp"
#include "apps/plugin_check/report.hpp"
#include "apps/plugin_check/setting.hpp"
#include "built.hpp"

namespace mo::app::checks {
namespace {

struct Broken {
  int rule;
  std::string path;
};

std::vector<Broken> broken_plugins() {
  std::vector<Broken> list;
  const std::regex form(R"(rule_(\d+)_\w+\.mo\.so)");
  for (const auto& entry : std::filesystem::directory_iterator(test::zoo_folder)) {
    const std::string name = entry.path().filename().string();
    // A file whose source is gone may still lie in the build.
    const std::string source = MO_SOURCE_DIR "/tests/abi/zoo/" + name.substr(0, name.find('.')) + ".c";
    if (std::smatch m; std::regex_match(name, m, form) && std::filesystem::exists(source))
      list.push_back({std::stoi(m[1]), entry.path().string()});
  }
  std::sort(list.begin(), list.end(), [](const Broken& a, const Broken& b) { return a.path < b.path; });
  return list;
}

CheckRequest request_for(const std::string& path, Level level) {
  CheckRequest request;
  request.surroundings.file = path;
  request.surroundings.allow_writable_folders = true;
  request.level = std::max(level, Level::strict);
  request.seconds = 30;
  return request;
}

std::set<int> broken_rules(const PluginReport& report) {
  std::set<int> rules;
  for (const CaseResult& c : report.cases)
    if (c.verdict == Verdict::failed) rules.insert(c.rule);
  return rules;
}

std::string findings(const PluginReport& report) { return text_report({report}, {}); }

class BrokenPlugin : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPlugin, IsCaughtByItsRule) {
  const auto& [number, path] = GetParam();
  const RuleRow* rule = find_rule(number);
  ASSERT_NE(rule, nullptr);
  CheckRequest request = request_for(path, rule->level);
  const bool reads_irs = std::set<int>{209, 211, 237, 249}.count(number) != 0;
#ifdef MO_HAVE_PLUGIN_ir
  if (reads_irs) request.surroundings.built_in = test::plugin_folder;  // who reads IRs
#else
  if (reads_irs) GTEST_SKIP() << "nobody reads IRs";
#endif
  // A case is a process, and those of a sanitizer start slowly: there, the rule itself is tried.
  if (test::sanitized) request.filter = "MOX-" + std::to_string(number) + "*";
  const PluginReport with = check_plugin(request);
  EXPECT_GT(with.count(Verdict::failed), 0U);
  // A sanitizer sees some faults wherever they happen.
  const bool seen_everywhere = test::sanitized && (number == 233 || number == 234);
  if (seen_everywhere) {
    EXPECT_TRUE(broken_rules(with).count(number)) << findings(with);
    return;
  }
  EXPECT_EQ(broken_rules(with), std::set<int>{number}) << findings(with);
  if (number == 201 || test::sanitized) return;  // what cannot be loaded cannot be tried

  request.without = {number};
  const PluginReport without = check_plugin(request);
  EXPECT_EQ(broken_rules(without), std::set<int>{}) << findings(without);
  EXPECT_GT(without.count(Verdict::passed), 0U);
}

INSTANTIATE_TEST_SUITE_P(Zoo, BrokenPlugin, testing::ValuesIn(broken_plugins()), [](const auto& param) {
  return std::filesystem::path(param.param.path).stem().stem().string();
});

TEST(CheckRules, EachHasACheckAndABrokenPlugin) {
  std::set<int> in_zoo;
  for (const Broken& b : broken_plugins()) in_zoo.insert(b.rule);
  std::set<int> numbers;
  for (const RuleRow& r : rules()) {
    EXPECT_TRUE(numbers.insert(r.number).second) << r.number << " is given twice";
    EXPECT_NE(find_check(r.number), nullptr) << r.number;
    EXPECT_TRUE(in_zoo.count(r.number)) << "no plugin of the zoo breaks MOX-" << r.number;
  }
  for (const int n : in_zoo) EXPECT_TRUE(numbers.count(n)) << n << " is not a rule";
}

TEST(CheckRules, AreTheSameInProcess) {
  for (const char* stem : {"rule_222_invents_dimensions", "rule_250_counts_runs"}) {
    CheckRequest request = request_for(test::zoo(stem), Level::strict);
    request.in_process = true;
    // In one process a library is loaded once: what it keeps is kept.
    const PluginReport report = check_plugin(request);
    EXPECT_EQ(broken_rules(report), std::set<int>{std::stoi(std::string(stem).substr(5, 3))})
        << findings(report);
  }
}

TEST(CheckRules, HangsAreEnded) {
  CheckRequest request = request_for(test::zoo("check_hangs"), Level::strict);
  request.filter = "MOX-224";
  request.seconds = 1;
  const PluginReport report = check_plugin(request);
  ASSERT_EQ(report.cases.size(), 1U);
  EXPECT_EQ(report.cases[0].verdict, Verdict::failed);
  EXPECT_THAT(report.cases[0].text, testing::HasSubstr("did not come back within 1 s"));
}

TEST(CheckRules, AnExampleMakesAnOperationKnown) {
  CheckRequest request = request_for(test::zoo("check_secret"), Level::strict);
  EXPECT_EQ(broken_rules(check_plugin(request)), std::set<int>{220});
  request.examples =
      "%x = Parameter -> f32[2,3]\n%y = Copy@\"org.example.zoo\" (%x) {secret=4711}\nResult (%y)\n";
  const PluginReport report = check_plugin(request);
  EXPECT_EQ(broken_rules(report), std::set<int>{}) << findings(report);
}

TEST(CheckRules, RandomCasesCanBeSeenAgain) {
  CheckRequest request = request_for(test::zoo("rule_280_six_dimensions"), Level::fuzz);
  request.filter = "MOX-280/*";
  request.in_process = false;
  const PluginReport first = check_plugin(request), second = check_plugin(request);
  ASSERT_EQ(first.cases.size(), 1U);
  EXPECT_EQ(first.cases[0].text, second.cases[0].text);
}

}  // namespace
}  // namespace mo::app::checks
