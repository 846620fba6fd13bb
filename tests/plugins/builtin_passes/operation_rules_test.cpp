// Each operation has a rule for the change of layout and one for the sizes it gives, or a row in
// operations_without_rules.tsv that says why it has none.
#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace mo::test {
namespace {

using Names = std::set<std::string>;

// The capitalised words in quotes that follow the head of the function that lists the rules.
void add_quoted_names(const std::vector<std::string>& files, Names& names) {
  static const std::regex head("(all|add)_(\\w+_)?rules\\w*\\(");
  static const std::regex quoted("\"([A-Z][A-Za-z0-9]*)\"");
  for (const std::string& file : files) {
    std::ifstream in(MO_SOURCE_DIR "/plugins/builtin_passes/support/" + file);
    EXPECT_TRUE(in.good()) << file;
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::smatch list;
    ASSERT_TRUE(std::regex_search(text, list, head)) << file;
    text = list.suffix();
    for (std::sregex_iterator i(text.begin(), text.end(), quoted), end; i != end; ++i) names.insert((*i)[1]);
  }
}

Names without_rule(const std::string& kind) {
  Names names;
  std::ifstream in(MO_SOURCE_DIR "/tests/plugins/builtin_passes/operations_without_rules.tsv");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    std::string of, why, operations;
    std::getline(cells, of, '\t');
    std::getline(cells, why, '\t');
    std::getline(cells, operations);
    EXPECT_GE(why.size(), 7U) << line;
    if (of != kind) continue;
    std::istringstream words(operations);
    for (std::string op; words >> op;) EXPECT_TRUE(names.insert(op).second) << op << " stands there twice";
  }
  return names;
}

Names standard_operations() {
  const PassesLab lab;
  Names names;
  for (const core::Operation* o : lab.session.registry().operations())
    if (o->opset.starts_with("opset")) names.insert(o->op);
  return names;
}

void expect_rules(const std::string& kind, const std::vector<std::string>& files) {
  const Names all = standard_operations(), excused = without_rule(kind);
  Names ruled;
  add_quoted_names(files, ruled);
  ASSERT_GT(all.size(), 190U);
  for (const std::string& op : all)
    EXPECT_TRUE(ruled.contains(op) || excused.contains(op))
        << op << " has no " << kind << " rule, and operations_without_rules.tsv does not say why";
  for (const std::string& op : excused) {
    EXPECT_FALSE(ruled.contains(op)) << op << " has a rule of " << kind << ": its row can go";
    EXPECT_TRUE(all.contains(op)) << op << " is not an operation";
  }
}

TEST(OperationRules, LayoutOfEachOperation) {
  expect_rules("layout", {"layout_rules.cpp", "layout_of_views.cpp", "layout_of_slices.cpp"});
}

TEST(OperationRules, ExtentsOfEachOperation) { expect_rules("extents", {"extents_rules.cpp"}); }

}  // namespace
}  // namespace mo::test
