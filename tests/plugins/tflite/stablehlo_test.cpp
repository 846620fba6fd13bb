// Operators of StableHLO in forms that the IR cannot express.
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

TEST_F(TfliteStablehlo, ReductionsOfSeveralTensors) {
  LiteFile file = lite_rows::model_of(row_of("stable_reduce_add"));
  std::vector<int32_t>& inputs = file.main().operators[0].inputs;
  inputs = {inputs[0], inputs[0], inputs[1], inputs[1]};
  EXPECT_THAT(failure_of(file), HasSubstr("it reduces 2 tensors together"));
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
