// Operators of StableHLO in forms that the IR cannot express.
#include <array>

#include "operator_rows.hpp"
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using lite_rows::Row;

class TfliteStablehlo : public Tflite {
 protected:
  static Row row_of(const std::string& name) {
    for (const Row& r : lite_rows::stablehlo_rows())
      if (r.name == name) return r;
    throw std::invalid_argument(name);
  }
  std::string failure_of_row(const Row& r) { return failure_of(lite_rows::model_of(r)); }
};

TEST_F(TfliteStablehlo, BodiesThatAreNoReduction) {
  Row r = row_of("stable_reduce_add");
  r.body = 164;
  EXPECT_THAT(failure_of_row(r), HasSubstr("its sub-graph is STABLEHLO_DIVIDE, but the IR reduces by sums"));
  LiteFile file = lite_rows::model_of(row_of("stable_reduce_add"));
  LiteGraph& body = file.graphs[1];
  body.operators[0].inputs = {body.inputs[0], body.inputs[0]};
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one operator of both arguments"));
  r = row_of("stable_reduce_and");
  r.body = 163;
  EXPECT_THAT(failure_of_row(r), HasSubstr("it reduces booleans by STABLEHLO_ADD"));
}

TEST_F(TfliteStablehlo, BodiesWithAnActivation) {
  LiteFile file = lite_rows::model_of(row_of("stable_reduce_add"));
  LiteOperator& add = file.graphs[1].operators[0];
  add.code = lite::add;
  EXPECT_EQ(computed(file), computed(lite_rows::model_of(row_of("stable_reduce_add"))));
  add.options_type = 11;
  add.options = {{0, int8_t{1}}};
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one operator of both arguments"));
}

// Each of them by itself is reduced: "reduce_two". Not so by what looks at both, or has no output for one.
TEST_F(TfliteStablehlo, ReductionsOfSeveralTensorsTogether) {
  LiteFile file = lite_rows::model_of(row_of("stable_reduce_add"));
  std::vector<int32_t>& inputs = file.main().operators[0].inputs;
  inputs = {inputs[0], inputs[0], inputs[1], inputs[1]};
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one operator of both arguments"));
  file = lite_rows::model_of(row_of("stable_reduce_two"));
  std::swap(file.graphs[1].operators[0].inputs[1], file.graphs[1].operators[1].inputs[1]);
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one operator of both arguments"));
  file = lite_rows::model_of(row_of("stable_reduce_two"));
  file.main().operators[0].inputs.pop_back();
  EXPECT_THAT(failure_of(file), HasSubstr("it has 3 inputs, expected a first value for each tensor"));
}

TEST_F(TfliteStablehlo, ScatteringThatTheIrDoesNotHave) {
  Row r = row_of("stable_scatter_rows");
  r.body = 164;
  EXPECT_THAT(failure_of_row(r),
              HasSubstr("its sub-graph is STABLEHLO_DIVIDE, but the IR combines elements by"));
  r = row_of("stable_scatter_rows");
  for (LiteOption& o : r.options)
    if (o.field == 3) o.value = std::vector<int64_t>{4};
  EXPECT_THAT(failure_of_row(r), HasSubstr("attribute 'scatter_dims_to_operand_dims' is [4]"));
  LiteFile file = lite_rows::model_of(row_of("stable_scatter_rows"));
  std::vector<int32_t>& inputs = file.main().operators[0].inputs;
  inputs = {inputs[0], inputs[0], inputs[1], inputs[2], inputs[2]};
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one operator of both arguments"));
  inputs.pop_back();
  EXPECT_THAT(failure_of(file), HasSubstr("it has 4 inputs, expected tensors, the places, and updates"));
}

TEST_F(TfliteStablehlo, OrdersThatAreNoComparison) {
  LiteFile file = lite_rows::model_of(row_of("stable_sort_by_keys"));
  LiteOperator& compare = file.graphs[1].operators[0];
  compare.code = 62;  // greater or equal: no order of equal elements
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one comparison"));
  compare.code = 61;
  compare.inputs = {0, 2};
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one comparison"));
  // Of two keys the second one decides where the first one is equal, and nowhere else.
  file = lite_rows::model_of(row_of("stable_sort_two_keys"));
  std::vector<LiteOperator>& operators = file.graphs[1].operators;
  operators[1].options[0].value = 1;  // not equal
  EXPECT_THAT(failure_of(file), HasSubstr("its sub-graph is not one comparison"));
  // Operators that read one another.
  operators[3].inputs = {operators[4].outputs[0], operators[2].outputs[0]};
  EXPECT_NE(failure_of(file), "");
}

TEST_F(TfliteStablehlo, PoolingWhereWindowsAreSuch) {
  const auto operations = [&](const std::string& name) {
    options_ = {{"disable_nhwc_to_nchw", true}};
    LiteFile file = lite_rows::model_of(row_of("stable_window_" + name));
    LiteTensor& x = file.main().tensors[0];
    x.data.clear();
    file.main().inputs = {0};
    const core::GraphPtr g = prepare(file);
    return std::array{count(*g, "MaxPool"), count(*g, "AvgPool"), count(*g, "StridedSlice")};
  };
  EXPECT_EQ(operations("maximum"), (std::array<size_t, 3>{1, 0, 0}));
  EXPECT_EQ(operations("own_maximum"), (std::array<size_t, 3>{1, 0, 0}));
  EXPECT_EQ(operations("add"), (std::array<size_t, 3>{0, 1, 0}));
  const auto sliced = operations("running");
  EXPECT_EQ(sliced[0] + sliced[1], 0U);
  EXPECT_LE(sliced[2], 8U) << "parts of a window of 7 are put together from halves";
}

TEST_F(TfliteStablehlo, WindowsThatDoNotFit) {
  Row r = row_of("stable_window_running");
  for (LiteOption& o : r.options)
    if (o.field == 0) o.value = std::vector<int64_t>{1, 0};
  EXPECT_THAT(failure_of_row(r), HasSubstr("attribute 'window_dimensions' are [1,0], expected at least 1"));
  r = row_of("stable_window_running");
  for (LiteOption& o : r.options)
    if (o.field == 4) o.value = std::vector<int64_t>{1};
  EXPECT_THAT(failure_of_row(r), HasSubstr("attribute 'padding' is [1], but the rank is 2"));
  r = row_of("stable_window_own_add");
  r.options = {{0, 0}};
  EXPECT_THAT(failure_of_row(r), HasSubstr("its function is UNSUPPORTED, but the IR reduces by"));
}

TEST_F(TfliteStablehlo, ConvolutionsInGroupsOfTheBatch) {
  Row r = row_of("stable_convolution");
  for (LiteOption& o : r.options)
    if (o.field == 15) o.value = int64_t{2};
  EXPECT_THAT(failure_of_row(r), HasSubstr("attribute 'batch_group_count' is 2"));
}

TEST_F(TfliteStablehlo, DimensionsThatDoNotFit) {
  Row r = row_of("stable_convolution");
  for (LiteOption& o : r.options)
    if (o.field == 6) o.value = int64_t{7};
  EXPECT_THAT(failure_of_row(r), HasSubstr("its dimensions of the input are [0,7,1,2]"));
  r = row_of("stable_gather_rows");
  for (LiteOption& o : r.options)
    if (o.field == 2) o.value = std::vector<int64_t>{3};
  EXPECT_THAT(failure_of_row(r), HasSubstr("attribute 'start_index_map' is [3]"));
}

TEST_F(TfliteStablehlo, GathersOfLargeWindows) {
  Row r = row_of("stable_gather_rows");
  for (LiteOption& o : r.options)
    if (o.field == 4) o.value = std::vector<int64_t>{1 << 21, 4, 2};
  for (LiteOption& o : r.options)
    if (o.field == 1) o.value = std::vector<int64_t>{};
  for (LiteOption& o : r.options)
    if (o.field == 0) o.value = std::vector<int64_t>{1, 2, 3};
  EXPECT_THAT(failure_of_row(r), HasSubstr("each index is written out"));
}

}  // namespace
}  // namespace mo::test
