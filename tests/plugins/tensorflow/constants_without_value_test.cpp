// A damaged model may have constants without a value. None of them gets to a transformation, whatever
// operator reads it; `check`, which goes on to the front phase, says so, too.
#include "apps/frontends/choose_frontend.hpp"
#include "apps/survey/survey.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

struct ReaderRow {
  std::string op;
  std::vector<std::string> inputs;  // x, a picture [1, 4, 4, 3]; c and f, constants
  std::vector<TfAttribute> attributes;
};

void PrintTo(const ReaderRow& r, std::ostream* out) { *out << r.op; }

const std::vector<ReaderRow>& reader_rows() {
  const TfAttribute strides = tf_ints("strides", {1, 1, 1, 1}), same = tf_text("padding", "SAME");
  static const std::vector<ReaderRow> rows{
      {"Mean", {"x", "c"}, {}},
      {"ArgMax", {"x", "c"}, {}},
      {"Cumsum", {"x", "c"}, {}},
      {"Reshape", {"x", "c"}, {}},
      {"Transpose", {"x", "c"}, {}},
      {"ExpandDims", {"x", "c"}, {}},
      {"Tile", {"x", "c"}, {}},
      {"BroadcastTo", {"x", "c"}, {}},
      {"Fill", {"c", "x"}, {}},
      {"Range", {"c", "c", "c"}, {}},
      {"Slice", {"x", "c", "c"}, {}},
      {"StridedSlice", {"x", "c", "c", "c"}, {}},
      {"Split", {"c", "x"}, {tf_int("num_split", 1)}},
      {"SplitV", {"x", "c", "c"}, {tf_int("num_split", 1)}},
      {"ConcatV2", {"x", "x", "c"}, {tf_int("N", 2)}},
      {"GatherV2", {"x", "c", "c"}, {}},
      {"OneHot", {"c", "c", "c", "c"}, {}},
      {"TopKV2", {"x", "c"}, {}},
      {"Pad", {"x", "c"}, {}},
      {"MirrorPad", {"x", "c"}, {tf_text("mode", "REFLECT")}},
      {"ReverseV2", {"x", "c"}, {}},
      {"Roll", {"x", "c", "c"}, {}},
      {"SpaceToBatchND", {"x", "c", "c"}, {}},
      {"BatchToSpaceND", {"x", "c", "c"}, {}},
      {"SegmentSum", {"x", "c"}, {}},
      {"UnsortedSegmentSum", {"x", "c", "c"}, {}},
      {"ScatterNd", {"c", "x", "c"}, {}},
      {"Select", {"c", "x", "x"}, {}},
      {"MatMul", {"x", "f"}, {}},
      {"AddV2", {"x", "f"}, {}},
      {"Pow", {"x", "f"}, {}},
      {"BiasAdd", {"x", "f"}, {}},
      {"Conv2D", {"x", "f"}, {strides, same}},
      {"DepthwiseConv2dNative", {"x", "f"}, {strides, same}},
      {"Conv2DBackpropInput", {"c", "f", "x"}, {strides, same}},
      {"FusedBatchNormV3", {"x", "f", "f", "f", "f"}, {}},
      {"FakeQuantWithMinMaxVars", {"x", "f", "f"}, {}},
      {"QuantizeAndDequantizeV2", {"x", "f", "f"}, {}},
      {"ResizeBilinear", {"x", "c"}, {}},
      {"CropAndResize", {"x", "c", "c", "c"}, {}},
      {"NonMaxSuppressionV3", {"c", "c", "c", "c", "c"}, {}},
      {"MatrixDiagPartV3", {"x", "c", "c"}, {}},
      {"LinSpace", {"c", "c", "c"}, {}},
      {"TensorListReserve", {"c", "c"}, {}},
      {"TensorListFromTensor", {"x", "c"}, {}},
      {"Merge", {"c", "c"}, {tf_int("N", 2)}},
      {"LSTMBlockCell", {"f", "f", "f", "f", "f", "f", "f", "f"}, {}},
      {"BlockLSTM", {"c", "x", "f", "f", "f", "f", "f", "f", "f"}, {}},
      {"SparseToDense", {"c", "c", "c", "c"}, {}},
  };
  return rows;
}

class TensorflowConstants : public Tensorflow, public testing::WithParamInterface<ReaderRow> {};

TEST_P(TensorflowConstants, WithoutAValueGetNowhere) {
  const ReaderRow& row = GetParam();
  GraphDef model;
  model.placeholder("x", TfType::f32, {1, 4, 4, 3});
  model.node("Const", "c", {}, {tf_type("dtype", TfType::i32)});
  model.node("Const", "f", {}, {tf_type("dtype", TfType::f32)});
  model.node(row.op, "reader", row.inputs, row.attributes);
  EXPECT_THAT(failure_of(model), HasSubstr("' (Const) has no value"));

  core::ConvertOptions options;
  options.frontend = app::choose_frontend;
  options.framework = "tf";
  options.input_model = folder_.write("model.pb", model.bytes());
  const app::ModelSurvey survey = app::survey_model(new_session(), options);
  EXPECT_THAT(survey.problems, testing::Contains(HasSubstr("' (Const) has no value")));
  EXPECT_FALSE(survey.all_convertible());
}

INSTANTIATE_TEST_SUITE_P(Rows, TensorflowConstants, testing::ValuesIn(reader_rows()));

}  // namespace
}  // namespace mo::test
