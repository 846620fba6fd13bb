// What each of our operations says of itself: names and roles of its inputs; and for the change of layout and
// for the sizes it gives, something, or a row in operations_without_rules.tsv that says why not.
#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace mo::test {
namespace {

using Names = std::set<std::string>;

// Operations that transformations of layouts are about: rules["Reshape"] = …
Names with_layout_rule() {
  static const std::regex rule("rules\\[\"(\\w+)\"\\]");
  Names names;
  for (const char* const file : {"layout_of_views.cpp", "layout_of_slices.cpp"}) {
    std::ifstream in(text(MO_SOURCE_DIR "/plugins/builtin_passes/support/", file));
    EXPECT_TRUE(in.good()) << file;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator i(text.begin(), text.end(), rule), end; i != end; ++i) names.insert((*i)[1]);
  }
  return names;
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

template <class F>
void each_operation(F f) {
  const PassesLab lab;
  size_t count = 0;
  for (const core::Operation* o : lab.session.registry().operations())
    if (o->opset.starts_with("opset")) f(*o), ++count;
  EXPECT_GT(count, 190U);
}

bool can_turn(const core::Operation& o) {
  for (size_t i = 0; i < std::max<size_t>(o.inputs.size(), 1); ++i)
    if (const int32_t r = o.role(i); r == MO_ROLE_DATA || r == MO_ROLE_SPREAD) return true;
  return false;
}

bool tells_sizes(const core::Operation& o) {
  return o.symbols != nullptr || (o.flags & (MO_OP_ELEMENT_WISE | MO_OP_KEEPS_SHAPE)) != 0;
}

template <class Says>
void expect_all(const std::string& kind, Says says, const Names& others = {}) {
  Names all, said = others;
  each_operation([&](const core::Operation& o) {
    all.insert(o.op);
    if (says(o)) said.insert(o.op);
  });
  const Names excused = without_rule(kind);
  for (const std::string& op : all)
    EXPECT_TRUE(said.contains(op) || excused.contains(op))
        << op << " says nothing of its " << kind << ", and operations_without_rules.tsv does not say why";
  for (const std::string& op : excused) {
    EXPECT_FALSE(said.contains(op)) << op << " says something of its " << kind << ": its row can go";
    EXPECT_TRUE(all.contains(op)) << op << " is not an operation";
  }
}

TEST(OperationRules, LayoutOfEachOperation) { expect_all("layout", can_turn, with_layout_rule()); }

TEST(OperationRules, SizesOfEachOperation) { expect_all("sizes", tells_sizes); }

// Without a role of any input, a warning tells users that nobody has said how it takes another order.
TEST(OperationRules, InputsHaveNamesAndRoles) {
  each_operation([](const core::Operation& o) {
    const std::string name = o.opset + "::" + o.op;
    EXPECT_FALSE(o.inputs.empty()) << name;
    EXPECT_TRUE(o.max_inputs == UINT32_MAX || o.inputs.size() == o.max_inputs) << name;
    bool has_role = false;
    for (size_t i = 0; i < o.inputs.size(); ++i) {
      EXPECT_NE(o.inputs[i].name, "") << name;
      has_role = has_role || o.role(i) != MO_ROLE_NONE;
    }
    EXPECT_TRUE(has_role) << name;
  });
}

// The attribute by which elements are spread is the one that says so.
TEST(OperationRules, OperationsOnPairsSpreadTheirInputs) {
  size_t pairs = 0, commutative = 0;
  each_operation([&](const core::Operation& o) {
    const bool is_pair = (o.flags & MO_OP_ELEMENT_WISE) != 0 && o.min_inputs > 1;
    pairs += is_pair ? 1 : 0;
    commutative += (o.flags & MO_OP_COMMUTATIVE) != 0 ? 1 : 0;
    EXPECT_TRUE(is_pair || (o.flags & MO_OP_COMMUTATIVE) == 0) << o.op;
    const auto spreads = [](const core::AttributeDef& a) { return a.role == MO_ROLE_SPREAD; };
    EXPECT_TRUE(!is_pair || std::any_of(o.attributes.begin(), o.attributes.end(), spreads)) << o.op;
  });
  EXPECT_EQ(pairs, 26U);
  EXPECT_EQ(commutative, 14U);
}

}  // namespace
}  // namespace mo::test
