#include "odd_shapes.hpp"

#include "caffe_fixture.hpp"

namespace mo::test {
namespace {

TEST(CaffeOddShapes, EachEndsWithAResultOrAnError) {
  OddShapes odd("caffe");
  constexpr std::string_view usual =
      " convolution_param { num_output: 2 kernel_size: 2 } pooling_param { kernel_size: 2 } "
      "inner_product_param { num_output: 2 }"
      " reshape_param { shape { dim: 0 dim: -1 } } permute_param { order: 1 order: 0 } embed_param { "
      "num_output: 2 input_dim: 3 }"
      " roi_pooling_param { pooled_h: 2 pooled_w: 2 } lrn_param { local_size: 3 } tile_param { axis: 1 "
      "tiles: 2 }"
      " recurrent_param { num_output: 2 } scale_param { axis: 1 } ";
  for (const auto& [domain, name] : odd.operators())
    for (size_t k = OddShapes::of_each(4); k > 0; --k) {
      std::string text_of, bottoms, shapes;
      std::vector<core::InputSpec> inputs;
      for (const OddInput& in : odd.inputs()) {
        if (in.kind == OddInput::absent) continue;
        const std::string x = text("x", inputs.size());
        text_of +=
            "layer { name: '" + x + "' type: 'Input' top: '" + x + "' input_param { shape { dim: 1 } } }\n";
        bottoms += " bottom: '" + x + "'";
        shapes += in.said();
        inputs.push_back(in.as(x));
      }
      text_of += "layer { name: 'the_operator' type: '" + name + "'" + bottoms + " top: 'y'" +
                 (odd.below(4) == 0 ? "" : std::string(usual)) + "}";
      EXPECT_EQ(odd.complaint_about(odd.write("m.prototxt", text_of), "the_operator", inputs,
                                    {{"allow_missing_weights", true}}),
                "")
          << name << shapes;
    }
  EXPECT_GT(odd.converted(), 20U);
}

}  // namespace
}  // namespace mo::test
