// What models of one operator compute from constants, from inputs whose dimensions are not known, and from
// inputs whose rank is not known. The rows say where their numbers are from.
#include <cmath>

#include "core/infer/execute.hpp"
#include "operator_rows.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

const RowTable<OperatorRow>& operator_rows() {
  static const auto table = row_table<OperatorRow>("tensorflow/rows", read_operator);
  return table;
}

class TensorflowOperators : public Tensorflow, public testing::WithParamInterface<OperatorRow> {
 protected:
  enum class Given { constants, ranks, nothing };

  void expect_outputs(Given given) {
    const OperatorRow& row = GetParam();
    GraphDef model;
    std::vector<std::string> names;
    std::vector<core::TensorRef> inputs;
    for (const OperatorInput& i : row.inputs) {
      const std::string name = "in" + std::to_string(names.size());
      names.push_back(name);
      if (i.is_fixed || given == Given::constants) {
        model.constant(name, i.value);
        continue;
      }
      const std::vector<int64_t> open(i.value.dims.size(), -1);
      std::vector<TfAttribute> attributes{tf_type("dtype", i.value.type)};
      if (row.needs_shapes)
        attributes.push_back(tf_shape("shape", i.value.dims));
      else if (given == Given::ranks)
        attributes.push_back(tf_shape("shape", open));
      model.node("Placeholder", name, {}, attributes);
      inputs.push_back(core::make_tensor_from_bytes(type_of(i.value.type), i.value.dims, i.value.content));
    }
    model.node(row.op, "op", names, row.attributes);
    options_ = {{"disable_nhwc_to_nchw", true}};  // rows are as TensorFlow has them
    const core::GraphPtr g = prepare(model);
    core::Session& session = *sessions_.back();
    session.executing = true;
    const auto results = core::execute(session, *g, inputs);
    ASSERT_GE(results.size(), row.outputs.size());
    for (size_t i = 0; i < row.outputs.size(); ++i) {
      const RowTensor& expected = row.outputs[i];
      EXPECT_EQ(results[i]->type, expected.type) << "output " << i;
      EXPECT_EQ(results[i]->dims, expected.dims) << "output " << i;
      const auto got = values_of(results[i]);
      ASSERT_EQ(got.size(), expected.numbers.size());
      for (size_t k = 0; k < got.size(); ++k) {
        const double wanted = expected.numbers[k];
        if (std::isnan(wanted) || std::isinf(wanted))
          EXPECT_EQ(std::isnan(got[k]) ? 0 : got[k], std::isnan(wanted) ? 0 : wanted);
        else
          EXPECT_NEAR(got[k], wanted, 2e-5 * std::max(1.0, std::abs(wanted)))
              << "output " << i << " at " << k;
      }
    }
  }

 private:
  static ElementType type_of(TfType t) {
    switch (t) {
      case TfType::i32:
        return ElementType::i32;
      case TfType::i64:
        return ElementType::i64;
      case TfType::boolean:
        return ElementType::boolean;
      default:
        return ElementType::f32;
    }
  }
};

TEST_P(TensorflowOperators, ComputeTheSameFromConstants) { expect_outputs(Given::constants); }
TEST_P(TensorflowOperators, ComputeTheSameWithoutDimensions) { expect_outputs(Given::ranks); }
TEST_P(TensorflowOperators, ComputeTheSameWithoutRanks) { expect_outputs(Given::nothing); }

INSTANTIATE_TEST_SUITE_P(Rows, TensorflowOperators, testing::ValuesIn(operator_rows().rows),
                         [](const auto& r) { return row_name(r.param.place); });

TEST(TensorflowRows, AreAllRead) {
  EXPECT_THAT(operator_rows().wrong, testing::IsEmpty());
  EXPECT_GE(operator_rows().rows.size(), 168U);
  RecordProperty("rows", static_cast<int>(operator_rows().rows.size()));
}

}  // namespace
}  // namespace mo::test
