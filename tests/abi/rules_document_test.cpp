// packaging/docs/abi_rules.md and core/host/rules.hpp have the same rules, and every rule of the code is
// used.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

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
  const auto declared = numbers(read("core/host/rules.hpp"), R"(  [a-z0-9_]+ = ([0-9]+),)");
  EXPECT_GT(declared.size(), 40U);
  EXPECT_EQ(documented, declared);
}

}  // namespace
