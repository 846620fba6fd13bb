#include "odd_shapes.hpp"

#include "operator_rows.hpp"

namespace mo::test {
namespace {

TfTensor odd_tensor(const OddInput& in) {
  return in.integers ? tf_tensor(TfType::i32, *in.dims, std::vector<int32_t>(in.count(), 1))
                     : tf_tensor(TfType::f32, *in.dims, std::vector<float>(in.count(), 0.5F));
}

void add_odd(GraphDef& g, const std::string& name, const OddInput& in) {
  const TfType type = in.integers ? TfType::i32 : TfType::f32;
  if (in.kind == OddInput::constant) return (void)g.constant(name, odd_tensor(in));
  std::vector<TfAttribute> attributes{tf_type("dtype", type)};
  if (in.dims) attributes.push_back(tf_shape("shape", *in.dims));
  g.node("Placeholder", name, {}, attributes);
}

TEST(TensorflowOddShapes, EachEndsWithAResultOrAnError) {
  OddShapes odd("tf");
  const std::vector<TfAttribute> usual{tf_int("axis", 0),
                                       tf_ints("strides", {1, 1, 1, 1}),
                                       tf_ints("ksize", {1, 2, 2, 1}),
                                       tf_text("padding", "SAME"),
                                       tf_int("block_size", 2),
                                       tf_text("equation", "ij,jk->ik"),
                                       tf_int("num_split", 2),
                                       tf_int("num", 2),
                                       tf_type("dtype", TfType::f32),
                                       tf_type("Tidx", TfType::i32),
                                       tf_type("DstT", TfType::f32),
                                       tf_type("SrcT", TfType::f32)};
  for (const auto& [domain, name] : odd.operators())
    for (size_t k = OddShapes::of_each(2); k > 0; --k) {
      GraphDef g;
      std::vector<std::string> names;
      std::string shapes;
      for (const OddInput& in : odd.inputs()) {
        if (in.kind == OddInput::absent) continue;
        names.push_back(text("in", names.size()));
        add_odd(g, names.back(), in);
        shapes += in.said();
      }
      std::vector<TfAttribute> given = odd.below(3) == 0 ? std::vector<TfAttribute>() : usual;
      given.push_back(tf_type("T", TfType::f32));
      given.push_back(tf_int("N", static_cast<int64_t>(names.size())));
      g.node(name, "the_operator", names, given);
      EXPECT_EQ(odd.complaint_about(odd.write("m.pb", g.bytes()), "the_operator"), "") << name << shapes;
    }
  EXPECT_GT(odd.converted(), 20U);
}

TEST(TensorflowOddShapes, OfEachRowOneInputIsAnother) {
  OddShapes odd("tf");
  for (const OperatorRow& row : row_table<OperatorRow>("tensorflow/rows", read_operator).rows)
    for (size_t k = OddShapes::of_each(2); k > 0; --k) {
      GraphDef g;
      std::vector<std::string> names;
      const size_t changed = row.inputs.empty() ? 0 : odd.below(row.inputs.size());
      std::string shapes;
      for (size_t i = 0; i < row.inputs.size(); ++i) {
        names.push_back(text("in", i));
        OddInput in = odd.inputs().front();
        in.integers = row.inputs[i].value.type == TfType::i32;
        if (i != changed || in.kind == OddInput::absent) {
          g.constant(names.back(), row.inputs[i].value);
          continue;
        }
        add_odd(g, names.back(), in);
        shapes = text("input ", i, in.said());
      }
      g.node(row.op, "the_operator", names, row.attributes);
      EXPECT_EQ(odd.complaint_about(odd.write("m.pb", g.bytes()), "the_operator"), "")
          << row.place << ' ' << shapes;
    }
  EXPECT_GT(odd.converted(), 50U);
}

}  // namespace
}  // namespace mo::test
