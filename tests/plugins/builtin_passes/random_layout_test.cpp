// Random graphs with channels last compute the same before and after the change of layout.
#include "tests/plugins/builtin_passes/random_graph.hpp"

#include <cmath>

namespace mo::test {
namespace {

void expect_near(const Numbers& a, const Numbers& b, const std::string& what) {
  ASSERT_EQ(a.dims, b.dims) << what;
  for (size_t i = 0; i < a.values.size(); ++i)
    ASSERT_NEAR(a.values[i], b.values[i], 1e-3 * (1 + std::abs(a.values[i]))) << what << ", element " << i;
}

void check(uint32_t seed) {
  RandomGraph random(seed);
  const std::string text = random.make(5 + seed % 26);
  LayoutLab lab;
  const auto before = lab.graph(text), after = nhwc_graph(lab, text);
  const size_t transposes = LayoutLab::count(*before, "Transpose");
  const Numbers x = random_numbers(random.input.dims, seed);
  const auto expected = lab.values(*before, {x});
  lab.run(*after, layout_passes);
  size_t at_border = 0;
  Numbers turned_x = x;
  if (x.dims.size() >= 4) {
    turned_x = transposed(x, first_order(x.dims.size()));
    ++at_border;
  }
  const auto got = lab.values(*after, {turned_x});
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t rank = expected[i].dims.size();
    const bool turned = rank == 4 || rank == 5;
    at_border += turned ? 1 : 0;
    expect_near(got[i], turned ? transposed(expected[i], first_order(rank)) : expected[i],
                "seed " + std::to_string(seed) + ", result " + std::to_string(i) + "\n" + text + "\n" +
                    app::to_text(*after));
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_LE(LayoutLab::count(*after, "Transpose"), transposes + at_border) << "seed " << seed;
  const std::string once = app::to_text(*after);
  lab.run(*after, layout_passes);
  EXPECT_EQ(app::to_text(*after), once) << "seed " << seed;
}

TEST(RandomLayout, NumbersStayAndTwiceIsOnce) {
  const char* const first = std::getenv("MO_LAYOUT_SEED");
  const char* const many = std::getenv("MO_LAYOUT_SEEDS");
  const uint32_t begin = first == nullptr ? 0 : static_cast<uint32_t>(std::atoi(first));
  const uint32_t count = many == nullptr ? 150 : static_cast<uint32_t>(std::atoi(many));
  for (uint32_t seed = begin; seed < begin + count; ++seed) {
    check(seed);
    if (HasFailure()) return;
  }
}

// Found by thousands of seeds: a Transpose that became a Reshape moved behind another Transpose in the second round.
TEST(RandomLayout, SeedsThatWereNotTheSameTwice) { check(9900328); }

}  // namespace
}  // namespace mo::test
