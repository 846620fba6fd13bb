#include "odd_shapes.hpp"

#include "model_builder.hpp"

namespace mo::test {
namespace {

// What operators ask for at the least.
const std::vector<OnnxAttribute>& odd_attributes() {
  static const std::vector<OnnxAttribute> list{{"axis", int64_t{-1}},       {"kernel_shape", Ints{2, 2}},
                                               {"hidden_size", int64_t{2}}, {"num_heads", int64_t{1}},
                                               {"equation", "ij,jk->ik"},   {"to", int64_t{1}},
                                               {"blocksize", int64_t{2}},   {"size", int64_t{3}},
                                               {"num_outputs", int64_t{2}}, {"group", int64_t{1}},
                                               {"block_size", int64_t{16}}, {"bits", int64_t{4}},
                                               {"K", int64_t{2}},           {"N", int64_t{2}},
                                               {"num_groups", int64_t{1}},  {"output_height", int64_t{2}},
                                               {"axes", Ints{0}},           {"perm", Ints{1, 0}},
                                               {"spatial_scale", 0.5F},     {"split", Ints{1, 1}}};
  return list;
}

TEST(OnnxOddShapes, EachEndsWithAResultOrAnError) {
  OddShapes odd("onnx");
  for (const auto& [domain, name] : odd.operators())
    for (size_t k = OddShapes::of_each(3); k > 0; --k) {
      ModelBuilder m(static_cast<int64_t>(odd.below(3) == 0 ? 1 + odd.below(12) : 13 + odd.below(10)));
      if (!domain.empty()) m.opset(domain, 1);
      OnnxNode n{.type = name, .outputs = {"y"}, .name = "the operator", .domain = domain};
      std::string shapes;
      for (const OddInput& in : odd.inputs()) {
        const std::string x = text("x", n.inputs.size());
        n.inputs.push_back(in.kind == OddInput::absent ? "" : x);
        shapes += in.said();
        if (in.kind == OddInput::constant) {
          m.initializer(x, in.integers
                               ? OnnxTensor::of<int64_t>(*in.dims, std::vector<int64_t>(in.count(), 1))
                               : OnnxTensor::of<float>(*in.dims, std::vector<float>(in.count(), 0.5F)));
        } else if (in.kind == OddInput::open) {
          const auto type = in.integers ? OnnxType::int64 : OnnxType::float32;
          std::vector<OnnxDim> dims;
          if (in.dims)
            for (const int64_t d : *in.dims) dims.push_back(d < 0 ? OnnxDim("n") : OnnxDim(d));
          if (in.dims)
            m.input(x, type, dims);
          else
            m.input(x, type);
        }
      }
      if (odd.below(3) != 0) n.attributes = odd_attributes();
      m.node(n);
      m.output("y");
      EXPECT_EQ(odd.complaint_about(odd.write("m.onnx", m.bytes()), "the operator"), "")
          << domain << ' ' << name << shapes;
    }
  EXPECT_GT(odd.converted(), 50U);
}

}  // namespace
}  // namespace mo::test
