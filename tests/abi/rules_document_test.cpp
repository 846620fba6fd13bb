// packaging/docs/abi_rules.md and core/host/rules.hpp have the same rules, and every rule of the code is
// used.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

#include "core/check/rules.hpp"

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
  auto declared = numbers(read("core/host/rules.hpp"), R"(  [a-z0-9_]+ = ([0-9]+),)");
  for (const core::checks::RuleRow& r : core::checks::rules()) declared.insert(r.number);
  EXPECT_GT(declared.size(), 40U);
  EXPECT_EQ(documented, declared);
}

TEST(RulesDocument, HasTheTableOfTheCheck) {
  const std::string document = read("packaging/docs/abi_rules.md");
  for (const core::checks::RuleRow& r : core::checks::rules()) {
    const std::string row = "| " + core::checks::name_of(r) + " | " + std::string(core::checks::name_of(r.level)) +
                            " | " + std::string(core::checks::name_of(r.about)) + " | " + std::string(r.text) + " | " +
                            std::string(r.consequence) + " |\n";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace mo
