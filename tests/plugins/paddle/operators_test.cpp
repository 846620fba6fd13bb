// Operators of both formats, with the numbers that Paddle gives: pir_rows.txt and program_desc_rows.txt, made by
// tests/conformance/paddle_rows.
#include <cmath>

#include "paddle_fixture.hpp"

namespace mo::test {
namespace {

using paddle_rows::Row;

class PaddleOperators : public Paddle, public testing::WithParamInterface<Row> {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<OneSession>(); }
  static void TearDownTestSuite() { shared.reset(); }
  static std::unique_ptr<OneSession> shared;
};
std::unique_ptr<OneSession> PaddleOperators::shared;

TEST_P(PaddleOperators, GiveWhatPaddleGives) {
  const Row& row = GetParam();
  core::GraphPtr g = shared->prepare(write(row));
  const auto results = run(shared->session(), *g, row);
  g.reset();
  shared->close();
  ASSERT_EQ(results.size(), row.outputs.size());
  for (size_t k = 0; k < row.outputs.size(); ++k) {
    const paddle_rows::Tensor& want = row.outputs[k];
    EXPECT_EQ(results[k]->type, type_of(want.type)) << "output " << k;
    EXPECT_EQ(results[k]->dims, want.dims) << "output " << k;
    const std::vector<double> got = values_of(results[k]);
    ASSERT_EQ(got.size(), want.values.size()) << "output " << k;
    double most = 0;
    for (const double v : want.values)
      if (std::isfinite(v)) most = std::max(most, std::abs(v));
    for (size_t n = 0; n < got.size(); ++n) {
      const double w = want.values[n];
      if (std::isnan(w))
        EXPECT_TRUE(std::isnan(got[n])) << "output " << k << ", element " << n << ": " << got[n];
      else if (std::isinf(w))
        EXPECT_EQ(got[n], w) << "output " << k << ", element " << n;
      else
        EXPECT_NEAR(got[n], w, 2e-5 * most + 1e-4 * std::abs(w) + (want.type == "f16" ? 1e-3 : 0))
            << "output " << k << ", element " << n;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Row>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Pir, PaddleOperators, testing::ValuesIn(paddle_rows::read("pir_rows.txt")), name_of);
INSTANTIATE_TEST_SUITE_P(ProgramDesc, PaddleOperators,
                         testing::ValuesIn(paddle_rows::read("program_desc_rows.txt")), name_of);

}  // namespace
}  // namespace mo::test
