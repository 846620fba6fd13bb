// Operators for which TensorFlow Lite's own interpreter gave these numbers. With MO_LITE_MODELS the models
// are written into that folder, for the interpreter to compute them again.
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "operator_rows.hpp"
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using lite_rows::Row;

// By operator and output: "svdf 0 0.5 1.25".
std::map<std::string, std::vector<double>> read_values() {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/tests/plugins/tflite/operator_values.txt");
  std::map<std::string, std::vector<double>> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, output;
    words >> name >> output;
    std::vector<double>& list = all[name + ' ' + output];
    for (double v = 0; words >> v;) list.push_back(v);
  }
  return all;
}

class TfliteOperators : public Tflite, public testing::WithParamInterface<Row> {};

TEST_P(TfliteOperators, GiveWhatTheInterpreterGives) {
  const Row& row = GetParam();
  const LiteFile file = lite_rows::model_of(row);
  if (const char* folder = std::getenv("MO_LITE_MODELS"))
    std::ofstream(std::filesystem::path(folder) / (row.name + ".tflite"), std::ios::binary) << file.bytes();
  options_ = {{"disable_nhwc_to_nchw", true}};  // outputs are as the interpreter has them
  const core::GraphPtr g = prepare(file);
  const auto results = run(*g);
  ASSERT_EQ(results.size(), row.outputs.size()) << app::to_text(*g);
  static const auto known = read_values();
  for (size_t k = 0; k < row.outputs.size(); ++k) {
    const auto want = known.find(row.name + ' ' + std::to_string(k));
    ASSERT_NE(want, known.end()) << "operator_values.txt has no output " << k;
    const std::vector<double> got = values_of(results[k]);
    ASSERT_EQ(got.size(), want->second.size()) << testing::PrintToString(got);
    for (size_t n = 0; n < got.size(); ++n)
      EXPECT_NEAR(got[n], want->second[n], row.within + 1e-5 + 1e-4 * std::abs(want->second[n]))
          << "output " << k << ", element " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, TfliteOperators, testing::ValuesIn(lite_rows::all_rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace mo::test
