// What every row of an operation's table is checked for.
#include <gmock/gmock.h>

#include <algorithm>

#include "all_tests.hpp"
#include "tests/plugins/opset/op_case_run.hpp"
#include "text_rows.hpp"

namespace mo::test {

using namespace mo::core;

namespace {

OpCase read_case(RowReader& in) {
  OpCase c;
  c.loose = in.accept("loose ");
  c.op = in.word();
  c.inputs = split_row(in.bracketed('(', ')'));
  if (in.starts("{")) c.attributes = in.bracketed('{', '}');
  std::replace(c.attributes.begin(), c.attributes.end(), ';', '\n');  // each node of a body is a line
  in.expect("->");
  const bool counted = std::isdigit(static_cast<unsigned char>(in.peek())) != 0;
  if (counted) c.outputs = static_cast<unsigned>(in.number());
  if (counted) in.expect("outputs, ");
  const bool fails = in.starts("error: ");
  if (counted && !fails) in.fail("\"error: \", as outputs are counted otherwise");
  c.expected = in.rest();
  if (!fails) c.outputs = static_cast<unsigned>(split_row(c.expected).size());
  if (c.outputs == 0) in.fail("what the operation gives");
  return c;
}

const RowTable<OpCase>& op_rows() {
  static const auto table = row_table<OpCase>("opset/rows", read_case);
  return table;
}

}  // namespace

class OpTable : public ::testing::TestWithParam<OpCase> {};

INSTANTIATE_TEST_SUITE_P(Rows, OpTable, ::testing::ValuesIn(op_rows().rows),
                         [](const auto& c) { return row_name(c.param.place); });

// What is wrong in a table makes no row of it, so that it would else go unseen; as would rows that are lost.
TEST(OpRows, AreAllRead) {
  EXPECT_THAT(op_rows().wrong, ::testing::IsEmpty());
  EXPECT_GE(op_rows().rows.size(), 2171U);
  RecordProperty("rows", static_cast<int>(op_rows().rows.size()));
}

TEST_P(OpTable, GivesWhatTheRowSays) {
  const OpCase& c = GetParam();
  const std::string got = infer_case(c);
  if (starts(c.expected, "error: "))
    EXPECT_THAT(got, ::testing::HasSubstr(c.expected.substr(7)));
  else
    EXPECT_EQ(got, c.expected);
}

TEST_P(OpTable, CoversItWithLessKnown) {
  const OpCase& c = GetParam();
  if (starts(c.expected, "error: ")) return;
  const Outcome exact = run(c);
  ASSERT_EQ(exact.error, "");
  for (unsigned seed = 0; seed < 40; ++seed) {
    const OpCase less = Blur(seed)(c);
    const Outcome partial = run(less);
    if (!partial.error.empty()) {
      ADD_FAILURE() << ::testing::PrintToString(less) << "\nis an error: " << partial.error;
      return;
    }
    for (size_t i = 0; i < exact.outputs.size(); ++i) {
      const std::string what = gap(partial.outputs[i], exact.outputs[i]);
      if (what.empty()) continue;
      ADD_FAILURE() << ::testing::PrintToString(less) << "\ngives " << describe(partial.outputs[i])
                    << "\nfor " << describe(exact.outputs[i]) << ": " << what;
      return;
    }
  }
}

namespace {

// Rows that IsAsTightAsItCanBe compared with the hull of all their instances. A change that makes it leave
// rows out would else go unseen.
class Judged : public ::testing::Environment {
 public:
  static size_t rows;

 private:
  void TearDown() override {
    std::printf("%zu rows were judged for tightness\n", rows);
    if (all_tests_run()) {
      EXPECT_GE(rows, 180u);
    }
  }
};
size_t Judged::rows = 0;
[[maybe_unused]] const auto* const judged = ::testing::AddGlobalTestEnvironment(new Judged);

Bound both_ends(const Bound& a, const Bound& b) {
  Bound all;
  if (a.has_min() && b.has_min()) all = Bound::at_least(std::min(a.min, b.min));
  if (!a.has_max() || !b.has_max()) return all;
  const int64_t most = std::max(a.max, b.max);
  return all.has_min() ? Bound(all.min, most) : Bound::at_most(most);
}

// What all possible inputs together give, by output; nothing when that cannot be said.
std::optional<std::vector<std::vector<Bound>>> hull_of(const OpCase& c) {
  std::vector<std::vector<Bound>> hull(c.outputs);
  bool any = false;
  for (const OpCase& one : instances(c)) {
    const Outcome exact = run(one);
    if (!exact.error.empty()) continue;  // not a legal input
    for (unsigned i = 0; i < c.outputs; ++i) {
      auto said = known_of(exact.outputs[i]);
      if (!said || (any && said->size() != hull[i].size())) return std::nullopt;
      for (size_t k = 0; k < said->size() && any; ++k) (*said)[k] = both_ends(hull[i][k], (*said)[k]);
      hull[i] = *std::move(said);
    }
    any = true;
  }
  if (!any) return std::nullopt;
  return hull;
}

}  // namespace

// Answering less than what all possible inputs give is a failure, too.
TEST_P(OpTable, IsAsTightAsItCanBe) {
  const OpCase& c = GetParam();
  if (starts(c.expected, "error: ") || c.loose) return;
  const auto hull = hull_of(c);
  if (!hull) return;
  ++Judged::rows;
  const Outcome partial = run(c);
  for (unsigned i = 0; i < c.outputs; ++i) {
    const auto said = known_of(partial.outputs[i]);
    EXPECT_EQ(said ? text(*said) : "nothing", text((*hull)[i])) << "of output " << i;
  }
}

}  // namespace mo::test
