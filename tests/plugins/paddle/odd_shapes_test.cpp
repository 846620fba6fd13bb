#include "odd_shapes.hpp"

#include "program_rows.hpp"

namespace mo::test {
namespace {

// Another input in each row, in the place of one that Paddle was given.
TEST(PaddleOddShapes, OfEachRowOneInputIsAnother) {
  OddShapes odd("paddle");
  for (const char* file : {"pir_rows.txt", "program_desc_rows.txt"})
    for (const paddle_rows::Row& row : paddle_rows::read(file)) {
      if (row.inputs.empty()) continue;
      for (size_t k = OddShapes::of_each(1); k > 0; --k) {
        const paddle_rows::Tensor& input = row.inputs[odd.below(row.inputs.size())];
        const OddInput in = odd.inputs().front();
        if (input.is_parameter || in.kind != OddInput::open) continue;
        const paddle_rows::Files files = paddle_rows::files_of(row);
        if (!files.parameters.empty())
          odd.write("model.pdiparams", files.parameters);
        else
          odd.remove("model.pdiparams");
        EXPECT_EQ(odd.complaint_about(odd.write(paddle_rows::file_name(row), files.program), "the model",
                                      {in.as(input.name)}),
                  "")
            << row.name << in.said();
      }
    }
  EXPECT_GT(odd.converted(), 20U);
}

}  // namespace
}  // namespace mo::test
