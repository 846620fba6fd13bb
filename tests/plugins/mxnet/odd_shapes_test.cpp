#include "odd_shapes.hpp"

#include "mxnet_fixture.hpp"

namespace mo::test {
namespace {

TEST(MxnetOddShapes, EachEndsWithAResultOrAnError) {
  OddShapes odd("mxnet");
  constexpr std::string_view usual =
      R"j("axis": "1", "kernel": "(2, 2)", "num_filter": "2", "num_hidden": "2", "shape": "(1, -1)", "scale": "2",)j"
      R"j( "num_args": "1", "sample_type": "nearest", "axes": "(1, 0)", "begin": "(0,)", "end": "(1,)", "reps": "(1, 2)",)j"
      R"j( "pooled_size": "(2, 2)", "spatial_scale": "0.5", "transform_type": "affine", "target_shape": "(2, 2)", "depth": "2",)j"
      R"j( "block_size": "2", "scalar": "2", "dtype": "float32", "num_outputs": "2", "mode": "constant",)j"
      R"j( "pad_width": "(0, 0, 0, 0, 1, 1, 1, 1)", "repeats": "2", "state_size": "2", "num_layers": "1", "act_type": "relu")j";
  for (const auto& [domain, name] : odd.operators())
    for (size_t k = OddShapes::of_each(4); k > 0; --k) {
      std::string nodes, entries, shapes;
      ArraysBuilder arrays;
      bool has_arrays = false;
      std::vector<core::InputSpec> inputs;
      size_t count = 0;
      for (const OddInput& in : odd.inputs()) {
        // Arrays without dimensions are none in a file.
        if (in.kind == OddInput::absent || (in.kind == OddInput::constant && in.count() <= 1)) continue;
        const std::string x = text("x", count);
        nodes += variable(x) + ", ";
        entries += text(count == 0 ? "[" : ", [", count, ", 0, 0]");
        ++count;
        shapes += in.said();
        if (in.kind == OddInput::constant) {
          arrays.dense({"arg:" + x, *in.dims, std::vector<float>(in.count(), 1)});
          has_arrays = true;
        } else {
          inputs.push_back(in.as(x));
        }
      }
      nodes += text(R"j({"op": ")j", name, R"j(", "name": "the_operator", "attrs": {)j",
                    odd.below(4) == 0 ? std::string_view() : usual, R"j(}, "inputs": [)j", entries, "]}");
      const std::string symbol =
          odd.write("net-symbol.json", symbol_of(nodes, text("[", count, ", 0, 0]"), of_1_9));
      odd.remove("net-0003.params");
      const std::string model = has_arrays ? odd.write("net-0003.params", arrays.bytes()) : symbol;
      EXPECT_EQ(odd.complaint_about(model, "the_operator", inputs), "") << name << shapes;
    }
  EXPECT_GT(odd.converted(), 20U);
}

}  // namespace
}  // namespace mo::test
