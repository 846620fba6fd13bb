// What cannot be converted says so, and why.
#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

struct RefusedRow {
  std::string op;
  std::vector<TfTensor> constants;  // all inputs but the first one, a picture [1, 4, 4, 3]
  std::vector<TfAttribute> attributes;
  std::string message;
};

void PrintTo(const RefusedRow& r, std::ostream* out) { *out << r.op << ": " << r.message; }

TfTensor filter(std::vector<int64_t> dims) {
  size_t n = 1;
  for (const int64_t d : dims) n *= static_cast<size_t>(d);
  return tf_floats(std::move(dims), std::vector<float>(n, 1));
}

const std::vector<RefusedRow>& refused_rows() {
  const TfAttribute strides = tf_ints("strides", {1, 1, 1, 1}), same = tf_text("padding", "SAME");
  const TfAttribute valid = tf_text("padding", "VALID"), explicit_padding = tf_text("padding", "EXPLICIT");
  static const std::vector<RefusedRow> rows{
      {"Conv2D",
       {filter({2, 2, 3, 1})},
       {strides, same, tf_text("data_format", "NCHW_VECT_C")},
       "'data_format' is 'NCHW_VECT_C', expected NHWC, NCHW, NDHWC or NCDHW"},
      {"Conv2D", {filter({2, 2, 3, 1})}, {strides, tf_text("padding", "FULL")}, "'padding' is 'FULL'"},
      {"Conv2D", {filter({2, 2, 2, 1})}, {strides, same}, "the data has 3 channels, but the filter is for 2"},
      {"Conv2D", {filter({2, 2, 3})}, {strides, same}, "the filter has shape [2,2,3], expected rank 4"},
      {"Conv2D",
       {filter({2, 2, 3, 1})},
       {tf_ints("strides", {1, 1, 1, 2}), same},
       "windows over the batch and the channels are not supported"},
      {"Conv2D", {filter({2, 2, 3, 1})}, {tf_ints("strides", {1, 1, 1}), same}, "expected 4 numbers"},
      {"Conv2D",
       {filter({2, 2, 3, 1})},
       {tf_ints("strides", {1, 0, 1, 1}), same},
       "expected positive numbers"},
      {"Conv2D",
       {filter({2, 2, 3, 1})},
       {strides, explicit_padding, tf_ints("explicit_paddings", {0, 0, 1, 1})},
       "'explicit_paddings' has 4 entries, expected 8"},
      {"Conv2D",
       {filter({2, 2, 3, 1})},
       {strides, explicit_padding, tf_ints("explicit_paddings", {0, 0, 1, 1, 0, 0, 1, 0})},
       "expected pads of the spatial dimensions only"},
      {"DepthwiseConv2dNative", {filter({2, 2, 3})}, {strides, valid}, "expected rank 4"},
      {"MaxPool",
       {},
       {strides, same, tf_ints("ksize", {1, 1, 1, 2})},
       "windows over the batch and the channels"},
      {"MirrorPad",
       {tf_i32({4, 2}, std::vector<int32_t>(8, 1))},
       {tf_text("mode", "EDGE")},
       "expected REFLECT or SYMMETRIC"},
      {"ResizeBilinear",
       {tf_i32({2}, {2, 2})},
       {tf_bool("align_corners", true), tf_bool("half_pixel_centers", true)},
       "'align_corners' and 'half_pixel_centers' are both true"},
      {"CropAndResize",
       {tf_floats({1, 4}, {0, 0, 1, 1}), tf_i32({1}, {0}), tf_i32({2}, {2, 2})},
       {tf_text("method", "cubic")},
       "'method' is 'cubic', expected bilinear or nearest"},
      {"CropAndResize",
       {tf_floats({1, 4}, {0, 0, 1, 1}), tf_i32({1}, {0}), tf_i32({1}, {2})},
       {},
       "the size of the regions is [2], expected a height and a width"},
      {"MatrixDiagPartV3",
       {tf_i32({}, {1}), tf_floats({}, {0})},
       {},
       "diagonal 1 is asked for; only the main one is supported"},
      {"MatrixDiagV3",
       {tf_i32({}, {0}), tf_i32({}, {5}), tf_i32({}, {-1}), tf_floats({}, {0})},
       {},
       "only square matrices are supported"},
      {"BiasAdd", {tf_floats({3}, {1, 2, 3})}, {tf_text("data_format", "CHWN")}, "expected NHWC or NCHW"},
      {"Dilation2D",
       {filter({2, 2, 3})},
       {tf_ints("strides", {1, 1, 1, 1}), tf_ints("rates", {1, 1, 1, 1}), explicit_padding,
        tf_ints("explicit_paddings", std::vector<int64_t>(8, 0))},
       "'padding' is EXPLICIT, expected SAME or VALID"},
      {"Cast", {}, {tf_type("DstT", TfType::complex64)}, "a type that the IR does not have"},
      {"LRN",
       {},
       {tf_int("depth_radius", int64_t{1} << 62)},
       "'depth_radius' is 4611686018427387904, expected 0 to 1073741823"},
      {"LRN", {}, {tf_int("depth_radius", -1)}, "'depth_radius' is -1, expected 0 to 1073741823"},
      {"Lgamma", {}, {}, "the IR has no such special function"},
      {"Bitcast", {}, {tf_type("type", TfType::i32)}, "and not for its sign only"},
      {"StringLength", {}, {}, "works on strings"},
      {"StringLower", {}, {tf_text("encoding", "utf-8")}, "letters beyond ASCII change, too"},
  };
  return rows;
}

class TensorflowRefused : public Tensorflow, public testing::WithParamInterface<RefusedRow> {};

TEST_P(TensorflowRefused, SaysWhy) {
  const RefusedRow& row = GetParam();
  GraphDef model;
  model.placeholder("x", TfType::f32, {1, 4, 4, 3});
  std::vector<std::string> names{"x"};
  for (const TfTensor& t : row.constants) {
    names.push_back("in" + std::to_string(names.size()));
    model.constant(names.back(), t);
  }
  model.node(row.op, "refused", names, row.attributes);
  const std::string said = failure_of(model);
  EXPECT_THAT(said, HasSubstr(row.message));
  EXPECT_THAT(said, HasSubstr("refused"));
}

INSTANTIATE_TEST_SUITE_P(Rows, TensorflowRefused, testing::ValuesIn(refused_rows()));

TEST_F(Tensorflow, AnAxisThatNobodyKnowsCannotBeAnAttribute) {
  GraphDef model;
  model.placeholder("x", TfType::f32, {2, 2}).placeholder("axis", TfType::i32, {});
  model.node("ConcatV2", "joined", {"x", "x", "axis"}, {tf_int("N", 2)});
  EXPECT_THAT(failure_of(model), HasSubstr("input 2, the axis, is not constant"));
}

}  // namespace
}  // namespace mo::test
