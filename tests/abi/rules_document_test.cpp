// packaging/docs/abi_rules.md and core/registry/rules.hpp have the same rules, and every rule of the code is
// used.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "apps/known_plugins/rule_texts.hpp"
#include "apps/plugin_check/rules.hpp"

namespace mo {
namespace {

std::string read(const std::string& relative) {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/" + relative);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<int> numbers(const std::string& text, const std::string& pattern) {
  std::set<int> found;
  const std::regex form(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
    found.insert(std::stoi((*it)[1]));
  return found;
}

TEST(RulesDocument, SaysWhatTheCodeHas) {
  const auto documented = numbers(read("packaging/docs/abi_rules.md"), R"(\| MOX-([0-9]{3}) \|)");
  auto declared = numbers(read("core/registry/rules.hpp"), R"(  [a-z0-9_]+ = ([0-9]+),)");
  for (const app::checks::RuleRow& r : app::checks::rules()) declared.insert(r.number);
  EXPECT_GT(declared.size(), 40U);
  EXPECT_EQ(documented, declared);
}

TEST(RulesDocument, HasTheTextsOfTheHost) {
  const std::string document = read("packaging/docs/abi_rules.md");
  std::set<int> told;
  for (const app::HostRule& r : app::host_rules()) {
    EXPECT_TRUE(told.insert(static_cast<int>(r.rule)).second) << core::rule_name(r.rule);
    const std::string row = "\n| " + core::rule_name(r.rule) + " | " + std::string(r.text) + " | ";
    EXPECT_NE(document.find(row), std::string::npos) << row;
    EXPECT_FALSE(app::consequence_of(r.rule).empty());
  }
  EXPECT_EQ(told, numbers(read("core/registry/rules.hpp"), R"(  [a-z0-9_]+ = ([0-9]+),)"));
}

// All tests of the folders that prove rules of the host, as "Suite.Name", and the plugins of the zoo.
std::set<std::string> proofs() {
  std::set<std::string> names;
  const std::regex form(R"(\nTEST(?:_[FP])?\((\w+), (\w+)\))");
  for (const char* folder : {"tests/abi", "tests/abi/zoo", "tests/cli", "tests/cli/plugins"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(MO_SOURCE_DIR "/") + folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().filename().string();
      names.insert(name.substr(0, name.find('.')));
      const std::string text = read(std::string(folder) + "/" + name);
      for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
        names.insert((*it)[1].str() + "." + (*it)[2].str());
    }
  return names;
}

// A name may stop in the middle, at … or *; one that begins with … is of the suite before it.
TEST(RulesDocument, NamesTestsThatThereAre) {
  const std::set<std::string> known = proofs();
  const std::string document = read("packaging/docs/abi_rules.md");
  const std::regex row(R"(\n\| MOX-([01][0-9]{2}) \|[^\n]*\| ([^|\n]*) \|(?=\n))"), name("`([^`]+)`");
  size_t rows = 0;
  for (std::sregex_iterator it(document.begin(), document.end(), row), end; it != end; ++it) {
    ++rows;
    const std::string cell = (*it)[2];
    std::string suite;
    size_t named = 0;
    for (std::sregex_iterator n(cell.begin(), cell.end(), name); n != end; ++n, ++named) {
      std::string wanted = std::regex_replace((*n)[1].str(), std::regex("(…|\\*)$"), "");
      if (wanted.starts_with("…")) wanted.replace(0, std::string_view("…").size(), suite);
      if (const size_t dot = wanted.find('.'); dot != std::string::npos) suite = wanted.substr(0, dot + 1);
      const auto found = known.lower_bound(wanted);
      EXPECT_TRUE(found != known.end() && found->starts_with(wanted)) << "MOX-" << (*it)[1] << ": " << wanted;
    }
    EXPECT_NE(named, 0U) << "MOX-" << (*it)[1];
  }
  EXPECT_EQ(rows, app::host_rules().size());
}

TEST(RulesDocument, HasTheTableOfTheCheck) {
  const std::string document = read("packaging/docs/abi_rules.md");
  for (const app::checks::RuleRow& r : app::checks::rules()) {
    const std::string row = "| " + app::checks::name_of(r) + " | " +
                            std::string(app::checks::name_of(r.level)) + " | " +
                            std::string(app::checks::name_of(r.about)) + " | " + std::string(r.text) + " | " +
                            std::string(r.consequence) + " |\n";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace mo
