// What every row of an operation's table is checked for.
#include <gmock/gmock.h>

#include "tests/plugins/opset/op_case_run.hpp"

namespace mo::test {

using namespace mo::core;

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

// Answering less than what all possible inputs give is a failure, too.
TEST_P(OpTable, IsAsTightAsItCanBe) {
  const OpCase& c = GetParam();
  if (starts(c.expected, "error: ") || c.loose) return;
  std::vector<std::vector<Dim>> hull(c.outputs);
  bool any = false;
  for (const OpCase& one : instances(c)) {
    const Outcome exact = run(one);
    if (!exact.error.empty()) continue;  // not a legal input
    for (unsigned i = 0; i < c.outputs; ++i) {
      const TensorState& t = exact.outputs[i];
      if (!t.shape.has_rank()) return;
      std::vector<Dim> said(t.shape.begin(), t.shape.end());
      if (has_bounds(t.type) && t.value)
        for (size_t k = 0; k < count_of(*t.value); ++k)
          said.emplace_back(static_cast<int64_t>(number_at(*t.value, k)));
      if (any && said.size() != hull[i].size()) return;
      for (size_t k = 0; k < said.size(); ++k) said[k] = any ? unite(hull[i][k], said[k]) : said[k];
      hull[i] = said;
    }
    any = true;
  }
  if (!any) return;
  const Outcome partial = run(c);
  for (unsigned i = 0; i < c.outputs; ++i) {
    const TensorState& t = partial.outputs[i];
    std::vector<Dim> said(t.shape.begin(), t.shape.end());
    if (has_bounds(t.type) && t.value)
      for (size_t k = 0; k < count_of(*t.value); ++k)
        said.emplace_back(static_cast<int64_t>(number_at(*t.value, k)));
    said.insert(said.end(), t.bounds.begin(), t.bounds.end());
    EXPECT_EQ(text(said), text(hull[i])) << "of output " << i;
  }
}

}  // namespace mo::test
