#include "odd_shapes.hpp"

#include "operator_rows.hpp"

namespace mo::test {
namespace {

TEST(TfliteOddShapes, OfEachRowOneInputIsAnother) {
  OddShapes odd("tflite");
  for (const lite_rows::Row& row : lite_rows::all_rows())
    for (size_t k = OddShapes::of_each(2); k > 0; --k) {
      lite_rows::Row changed = row;
      if (row.inputs.empty()) break;
      lite_rows::Value& v = changed.inputs[odd.below(row.inputs.size())];
      const OddInput in = odd.inputs().front();
      // Scales of blocks belong to the dimensions.
      if (!in.dims || v.absent || !v.block_scales.empty()) continue;
      v.dims.clear();
      size_t count = 1;
      for (const int64_t d : *in.dims) {
        v.dims.push_back(static_cast<int32_t>(std::clamp<int64_t>(d, 0, 3)));
        count *= static_cast<size_t>(v.dims.back());
      }
      v.numbers.assign(v.variable ? 0 : count, 1);
      const LiteFile file = lite_rows::model_of(changed);
      EXPECT_EQ(odd.complaint_about(odd.write("m.tflite", file.bytes()), "out0"), "")
          << row.name << in.said();
    }
  EXPECT_GT(odd.converted(), 20U);
}

}  // namespace
}  // namespace mo::test
