// What each layer computes, on small blobs. Expected numbers are worked out by hand from the definitions in
// Caffe's sources (and, for layers of forks, in theirs).
#include "caffe_fixture.hpp"
#include "core/host/host_tables.hpp"

namespace mo::test {

using testing::HasSubstr;

namespace {

using Dims = std::vector<int64_t>;
using Floats = std::vector<float>;

struct Row {
  std::string layer;  // "type: … params", reading x, or x and y
  BlobBytes x;
  std::vector<double> expected;
  Shape shape;
  std::vector<BlobBytes> blobs = {};
  BlobBytes y = {};
  size_t output = 0;
};

class CaffeLayers : public Caffe {
 protected:
  // Constants are blobs of Parameter layers, so that everything is computed when constants are folded.
  core::GraphPtr evaluate(const Row& r) {
    WeightsBuilder weights;
    weights.layer("x", {r.x});
    std::string text = "layer { name: 'x' type: 'Parameter' top: 'x' }\n", bottoms = "bottom: 'x'";
    if (!r.y.dims.empty()) {
      weights.layer("y", {r.y});
      text += "layer { name: 'y' type: 'Parameter' top: 'y' }\n";
      bottoms += " bottom: 'y'";
    }
    if (!r.blobs.empty()) weights.layer("layer", r.blobs);
    const bool tops = r.layer.find("top:") != std::string::npos;
    text += "layer { name: 'layer' " + bottoms + (tops ? " " : " top: 'z' ") + r.layer + " }";
    return prepare(text, weights.bytes());
  }
  void check(const Row& r) {
    SCOPED_TRACE(r.layer);
    const auto g = evaluate(r);
    EXPECT_EQ(shape(*g, r.output), r.shape);
    const auto got = values(*g, r.output);
    ASSERT_EQ(got.size(), r.expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], r.expected[i], 1e-5 * (1 + std::abs(r.expected[i]))) << "element " << i;
  }
  void check_all(const std::vector<Row>& rows) {
    for (const Row& r : rows) check(r);
  }
};

const BlobBytes four{{1, 4}, {-2, -0.5F, 0, 3}};
const BlobBytes image{{1, 1, 2, 2}, {1, 2, 3, 4}};
const BlobBytes two_channels{{1, 2, 1, 2}, {1, 2, 3, 4}};

TEST_F(CaffeLayers, ElementByElement) {
  const Shape s{1, 4};
  const double e = 2.718281828459045;
  check_all({
      {"type: 'ReLU'", four, {0, 0, 0, 3}, s},
      {"type: 'relu'", four, {0, 0, 0, 3}, s},
      {"type: 'ReLU' relu_param { negative_slope: 0.1 }", four, {-0.2, -0.05, 0, 3}, s},
      {"type: 'ReLU6'", {{1, 2}, {-1, 9}}, {0, 6}, {1, 2}},
      {"type: 'PReLU' ", two_channels, {1, 2, 3, 4}, {1, 2, 1, 2}, {{{2}, {0.5F, 0.25F}}}},
      {"type: 'PReLU' ", {{1, 2, 1, 1}, {-1, -1}}, {-0.5, -0.25}, {1, 2, 1, 1}, {{{2}, {0.5F, 0.25F}}}},
      {"type: 'PReLU' prelu_param { channel_shared: true }",
       {{1, 2, 1, 1}, {-1, -2}},
       {-0.5, -1},
       {1, 2, 1, 1},
       {{{1}, {0.5F}}}},
      {"type: 'ELU' elu_param { alpha: 2 }", {{1, 2}, {-1, 1}}, {2 * (1 / e - 1), 1}, {1, 2}},
      {"type: 'Sigmoid'", {{1, 2}, {0, 1}}, {0.5, 1 / (1 + 1 / e)}, {1, 2}},
      {"type: 'TanH'", {{1, 1}, {0.5F}}, {0.46211715726}, {1, 1}},
      {"type: 'AbsVal'", four, {2, 0.5, 0, 3}, s},
      {"type: 'BNLL'", {{1, 2}, {0, 1}}, {std::log(2.0), std::log(1 + e)}, {1, 2}},
      {"type: 'Swish' swish_param { beta: 2 }", {{1, 1}, {1}}, {1 / (1 + std::exp(-2.0))}, {1, 1}},
      {"type: 'Threshold' threshold_param { threshold: -0.5 }", four, {0, 0, 1, 1}, s},
      {"type: 'Power' power_param { power: 2 scale: 3 shift: 1 }", four, {25, 0.25, 1, 100}, s},
      {"type: 'Power'", four, {-2, -0.5, 0, 3}, s},
      {"type: 'Exp' exp_param { base: 2 scale: 2 shift: 1 }", {{1, 2}, {0, 1}}, {2, 8}, {1, 2}},
      {"type: 'Exp'", {{1, 1}, {1}}, {e}, {1, 1}},
      {"type: 'Log' log_param { base: 10 scale: 10 }", {{1, 2}, {10, 1}}, {2, 1}, {1, 2}},
      {"type: 'Clip' clip_param { min: -1 max: 1 }", four, {-1, -0.5, 0, 1}, s},
      {"type: 'Binarization'", {{1, 2}, {-3, 2}}, {-1, 1}, {1, 2}},
      {"type: 'Dropout' dropout_param { dropout_ratio: 0.9 }", four, {-2, -0.5, 0, 3}, s},
  });
}

TEST_F(CaffeLayers, Convolutions) {
  check_all({
      {"type: 'Convolution' convolution_param { num_output: 2 kernel_size: 2 }",
       image,
       {10 + 0.5, 4 + 1},
       {1, 2, 1, 1},
       {{{2, 1, 2, 2}, {1, 1, 1, 1, 0, 0, 0, 1}}, {{2}, {0.5F, 1}}}},
      {"type: 'Convolution' convolution_param { num_output: 1 kernel_h: 1 kernel_w: 2 pad_h: 0 pad_w: 1 "
       "stride_w: 2 stride_h: 1 bias_term: false }",
       image,
       {1, 2, 3, 4},
       {1, 1, 2, 2},
       {{{1, 1, 1, 2}, {1, 1}}}},
      {"type: 'Convolution' convolution_param { num_output: 2 kernel_size: 1 group: 2 bias_term: false }",
       two_channels,
       {2, 4, 9, 12},
       {1, 2, 1, 2},
       {{{2, 1, 1, 1}, {2, 3}}}},
      {"type: 'DepthwiseConvolution' convolution_param { num_output: 2 kernel_size: 1 bias_term: false }",
       two_channels,
       {2, 4, 9, 12},
       {1, 2, 1, 2},
       {{{2, 1, 1, 1}, {2, 3}}}},
      {"type: 'Convolution' convolution_param { num_output: 1 kernel_size: 2 dilation: 2 pad: 1 bias_term: "
       "false }",
       image,
       {4, 3, 2, 1},
       {1, 1, 2, 2},
       {{{1, 1, 2, 2}, {1, 1, 1, 1}}}},
      {"type: 'Deconvolution' convolution_param { num_output: 1 kernel_size: 2 stride: 2 }",
       image,
       {1.5, 2.5, 2.5, 4.5, 3.5, 4.5, 6.5, 8.5, 3.5, 6.5, 4.5, 8.5, 9.5, 12.5, 12.5, 16.5},
       {1, 1, 4, 4},
       {{{1, 1, 2, 2}, {1, 2, 3, 4}}, {{1}, {0.5F}}}},
      // Never trained: the filler of FCN makes a kernel of 4 that enlarges twofold, 1/16 of the products of 1
      // 3 3 1.
      {"type: 'Deconvolution' convolution_param { num_output: 1 kernel_size: 4 stride: 2 pad: 1 bias_term: "
       "false weight_filler { type: 'bilinear' } }",
       {{1, 1, 1, 1}, {16}},
       {9, 9, 9, 9},
       {1, 1, 2, 2}},
      {"type: 'Convolution' convolution_param { num_output: 1 kernel_size: 2 bias_term: false } bottom: 'x' "
       "top: 'a' top: 'b'",
       image,
       {10},
       {1, 1, 1, 1},
       {{{1, 1, 2, 2}, {1, 1, 1, 1}}},
       {},
       1},
  });
}

TEST_F(CaffeLayers, InnerProducts) {
  check_all({
      {"type: 'InnerProduct' inner_product_param { num_output: 2 }",
       image,
       {30.5, 10},
       {1, 2},
       {{{1, 1, 2, 4}, {1, 2, 3, 4, 1, 1, 1, 1}}, {{1, 1, 1, 2}, {0.5F, 0}}}},
      {"type: 'InnerProduct' inner_product_param { num_output: 2 transpose: true bias_term: false }",
       {{1, 2}, {1, 2}},
       {7, 10},
       {1, 2},
       {{{2, 2}, {1, 2, 3, 4}}}},
      {"type: 'InnerProduct' inner_product_param { num_output: 1 axis: 2 bias_term: false }",
       two_channels,
       {3, 7},
       {1, 2, 1},
       {{{1, 2}, {1, 1}}}},
      {"type: 'InnerProduct' inner_product_param { num_output: 1 axis: -1 bias_term: false }",
       two_channels,
       {3, 7},
       {1, 2, 1, 1},
       {{{1, 2}, {1, 1}}}},
      {"type: 'Embed' embed_param { num_output: 2 input_dim: 3 }",
       {{2}, {2, 0}},
       {5.5, 7, 1.5, 3},
       {2, 2},
       {{{3, 2}, {1, 2, 3, 4, 5, 6}}, {{2}, {0.5F, 1}}}},
  });
}

TEST_F(CaffeLayers, PoolingRoundsUp) {
  const BlobBytes row{{1, 1, 1, 4}, {1, 2, 3, 4}};
  check_all({
      {"type: 'Pooling' pooling_param { kernel_h: 1 kernel_w: 3 stride_w: 2 stride_h: 1 }",
       row,
       {3, 4},
       {1, 1, 1, 2}},
      {"type: 'Pooling' pooling_param { pool: AVE kernel_h: 1 kernel_w: 3 stride_w: 2 stride_h: 1 }",
       row,
       {2, 3.5},
       {1, 1, 1, 2}},
      {"type: 'Pooling' pooling_param { kernel_h: 1 kernel_w: 3 stride_w: 2 stride_h: 1 round_mode: FLOOR }",
       row,
       {3},
       {1, 1, 1, 1}},
      {"type: 'Pooling' pooling_param { kernel_h: 1 kernel_w: 3 stride_w: 2 stride_h: 1 ceil_mode: false }",
       row,
       {3},
       {1, 1, 1, 1}},
      // Mean values count the pads.
      {"type: 'Pooling' pooling_param { pool: AVE kernel_size: 2 pad: 1 stride: 1 }",
       image,
       {0.25, 0.75, 0.5, 1, 2.5, 1.5, 0.75, 1.75, 1},
       {1, 1, 3, 3}},
      // The last window counts what lies within the pads: (hend - hstart) * (wend - wstart), where hend is at
      // most height + pad, src/caffe/layers/pooling_layer.cpp. So 10 / 9, 6 / 6, 7 / 6, 4 / 4.
      {"type: 'Pooling' pooling_param { pool: AVE kernel_size: 3 pad: 1 stride: 2 }",
       image,
       {10.F / 9, 1, 7.F / 6, 1},
       {1, 1, 2, 2}},
      // The third place would begin in the padding altogether: 2 + 1 pad at each side, kernel 2, stride 2.
      {"type: 'Pooling' pooling_param { pool: AVE kernel_size: 2 pad: 1 stride: 2 }",
       image,
       {0.25, 0.5, 0.75, 1},
       {1, 1, 2, 2}},
      {"type: 'Pooling' pooling_param { kernel_h: 1 kernel_w: 2 pad_w: 1 pad_h: 0 stride_w: 3 stride_h: 1 }",
       row,
       {1, 4},
       {1, 1, 1, 2}},
      {"type: 'Pooling' pooling_param { pool: AVE global_pooling: true }", image, {2.5}, {1, 1, 1, 1}},
      {"type: 'Pooling' pooling_param { global_pooling: true }", image, {4}, {1, 1, 1, 1}},
      {"type: 'Pooling' top: 'z' top: 'mask' pooling_param { kernel_size: 2 stride: 2 }",
       image,
       {3},
       {1, 1, 1, 1},
       {},
       {},
       1},
  });
}

TEST_F(CaffeLayers, Normalizations) {
  const double r2 = std::sqrt(2.0);
  check_all({
      {"type: 'BatchNorm' batch_norm_param { eps: 0 }",
       two_channels,
       {0, 0.5, 2, 3},
       {1, 2, 1, 2},
       {{{2}, {2, 2}}, {{2}, {8, 2}}, {{1}, {2}}}},
      {"type: 'BatchNorm' batch_norm_param { eps: 0 }",
       two_channels,
       {-0.5, 0, 1, 2},
       {1, 2, 1, 2},
       {{{2}, {2, 2}}, {{2}, {4, 1}}}},
      {"type: 'BN' bn_param { eps: 0 }",
       two_channels,
       {0, 1, 3, 4},
       {1, 2, 1, 2},
       {{{1, 2, 1, 1}, {2, 2}}, {{1, 2, 1, 1}, {1, 2}}, {{1, 2, 1, 1}, {2, 2}}, {{1, 2, 1, 1}, {4, 4}}}},
      {"type: 'Scale' scale_param { bias_term: true }",
       two_channels,
       {3, 5, 9.5, 12.5},
       {1, 2, 1, 2},
       {{{2}, {2, 3}}, {{2}, {1, 0.5F}}}},
      {"type: 'Scale' scale_param { axis: 2 num_axes: -1 }",
       two_channels,
       {2, 6, 6, 12},
       {1, 2, 1, 2},
       {{{1, 2}, {2, 3}}}},
      {"type: 'Scale' scale_param { axis: 0 num_axes: 0 }",
       two_channels,
       {2, 4, 6, 8},
       {1, 2, 1, 2},
       {{{}, {2}}}},
      {"type: 'Scale' scale_param { axis: 1 }",
       {{2, 2}, {1, 2, 3, 4}},
       {2, 6, 6, 12},
       {2, 2},
       {{{2}, {2, 3}}}},
      {"type: 'Scale' scale_param { axis: 0 }",
       two_channels,
       {2, 4, 9, 12},
       {1, 2, 1, 2},
       {},
       {{1, 2}, {2, 3}}},
      {"type: 'Bias'", two_channels, {2, 3, 2, 3}, {1, 2, 1, 2}, {{{2}, {1, -1}}}},
      {"type: 'Bias' bias_param { axis: 1 }", two_channels, {2, 3, 2, 3}, {1, 2, 1, 2}, {}, {{2}, {1, -1}}},
      {"type: 'MVN' mvn_param { eps: 1 }",
       image,
       {-1.5 / (std::sqrt(1.25) + 1), -0.5 / (std::sqrt(1.25) + 1), 0.5 / (std::sqrt(1.25) + 1),
        1.5 / (std::sqrt(1.25) + 1)},
       {1, 1, 2, 2}},
      {"type: 'MVN' mvn_param { normalize_variance: false across_channels: true }",
       two_channels,
       {-1.5, -0.5, 0.5, 1.5},
       {1, 2, 1, 2}},
      {"type: 'LRN' lrn_param { local_size: 3 alpha: 3 beta: 1 k: 2 }",
       two_channels,
       {1.0 / 12, 2.0 / 22, 3.0 / 12, 4.0 / 22},
       {1, 2, 1, 2}},
      {"type: 'LRN' lrn_param { local_size: 3 alpha: 9 beta: 1 norm_region: WITHIN_CHANNEL k: 7 }",
       image,
       {1.0 / 31, 2.0 / 31, 3.0 / 31, 4.0 / 31},
       {1, 1, 2, 2}},
      {"type: 'Normalize' norm_param { across_spatial: false channel_shared: false eps: 0 }",
       {{1, 2, 1, 1}, {3, 4}},
       {1.2, 2.4},
       {1, 2, 1, 1},
       {{{2}, {2, 3}}}},
      {"type: 'Normalize'", {{1, 1, 1, 2}, {1, 1}}, {2 / r2, 2 / r2}, {1, 1, 1, 2}, {{{1}, {2}}}},
      {"type: 'GRN' grn_param { bias: 0 }", {{1, 2, 1, 1}, {3, 4}}, {0.6, 0.8}, {1, 2, 1, 1}},
  });
}

TEST_F(CaffeLayers, NormalizationsOneBehindAnotherBecomeOne) {
  const auto g = prepare(R"(
    layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 1 dim: 2 dim: 1 dim: 1 } } }
    layer { name: "bn" type: "BatchNorm" bottom: "data" top: "data" batch_norm_param { eps: 0 } }
    layer { name: "scale" type: "Scale" bottom: "data" top: "data" scale_param { bias_term: true } })",
                         WeightsBuilder()
                             .layer("bn", {{{2}, {2, 2}}, {{2}, {4, 4}}, {{1}, {1}}})
                             .layer("scale", {{{2}, {2, 4}}, {{2}, {1, 1}}})
                             .bytes());
  EXPECT_EQ(text_of(*g), "Multiply Add");
  std::vector<double> numbers;
  static const core::Session session{core::host_table()};
  for (const core::NodeId n : g->nodes_of("Const")) {
    const Tensor t = Tensor::borrow(session.host(), g->out({n, 0}).tensor.value.get());
    for (size_t i = 0; i < t.size(); ++i) numbers.push_back(t.number(i));
  }
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, (std::vector<double>{-3, -1, 1, 2}));  // (x - 2) / 2 * {2, 4} + 1
}

TEST_F(CaffeLayers, Combinations) {
  const BlobBytes a{{1, 2}, {1, 2}}, b{{1, 2}, {3, -4}};
  const Shape s{1, 2};
  check_all({
      {"type: 'Eltwise'", a, {4, -2}, s, {}, b},
      {"type: 'Eltwise' eltwise_param { coeff: 1 coeff: -1 }", a, {-2, 6}, s, {}, b},
      {"type: 'Eltwise' eltwise_param { coeff: 2 coeff: 0.5 }", a, {3.5, 2}, s, {}, b},
      {"type: 'Eltwise' eltwise_param { operation: PROD }", a, {3, -8}, s, {}, b},
      {"type: 'Eltwise' eltwise_param { operation: MAX } bottom: 'x'", a, {3, 2}, s, {}, b},
      {"type: 'Concat'", a, {1, 2, 3, -4}, {1, 4}, {}, b},
      {"type: 'Concat' concat_param { concat_dim: 0 }", a, {1, 2, 3, -4}, {2, 2}, {}, b},
      {"type: 'Concat' concat_param { axis: -2 }", a, {1, 2, 3, -4}, {2, 2}, {}, b},
      {"type: 'Slice' top: 'p' top: 'q' slice_param { axis: 1 }", four, {0, 3}, {1, 2}, {}, {}, 1},
      {"type: 'Slice' top: 'p' top: 'q' slice_param { slice_point: 1 }",
       four,
       {-0.5, 0, 3},
       {1, 3},
       {},
       {},
       1},
      {"type: 'Slice' top: 'p' top: 'q' slice_param { slice_dim: 2 }",
       image,
       {3, 4},
       {1, 1, 1, 2},
       {},
       {},
       1},
      {"type: 'Crop' crop_param { axis: 2 offset: 1 }", image, {4}, {1, 1, 1, 1}, {}, {{1, 1, 1, 1}, {0}}},
      {"type: 'Crop' crop_param { axis: 2 offset: 1 offset: 0 }",
       image,
       {3},
       {1, 1, 1, 1},
       {},
       {{1, 1, 1, 1}, {0}}},
      {"type: 'BatchReindex'", {{2, 1}, {5, 6}}, {6, 6, 5}, {3, 1}, {}, {{3}, {1, 1, 0}}},
  });
}

TEST_F(CaffeLayers, Shapes) {
  check_all({
      {"type: 'Flatten'", image, {1, 2, 3, 4}, {1, 4}},
      {"type: 'Flatten' flatten_param { axis: 0 end_axis: 1 }", image, {1, 2, 3, 4}, {1, 2, 2}},
      {"type: 'Flatten' flatten_param { axis: -2 }", image, {1, 2, 3, 4}, {1, 1, 4}},
      {"type: 'Reshape' reshape_param { shape { dim: 0 dim: 2 dim: -1 } }", image, {1, 2, 3, 4}, {1, 2, 2}},
      {"type: 'Reshape' reshape_param { shape { dim: 2 dim: 1 } axis: 2 num_axes: 1 }",
       image,
       {1, 2, 3, 4},
       {1, 1, 2, 1, 2}},
      {"type: 'Reshape' reshape_param { shape { dim: 1 } axis: -1 num_axes: 0 }",
       image,
       {1, 2, 3, 4},
       {1, 1, 2, 2, 1}},  // Caffe: start_axis = num_axes() + axis + 1, src/caffe/layers/reshape_layer.cpp
      {"type: 'Reshape' reshape_param { shape { dim: 2 dim: 1 } axis: -3 num_axes: 1 }",
       image,
       {1, 2, 3, 4},
       {1, 1, 2, 1, 2}},
      {"type: 'Permute' permute_param { order: 0 order: 3 }",
       {{1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}},
       {1, 4, 2, 5, 3, 6},
       {1, 3, 1, 2}},
      {"type: 'Tile' tile_param { axis: 1 tiles: 2 }", {{1, 2}, {1, 2}}, {1, 2, 1, 2}, {1, 4}},
      {"type: 'Softmax'", {{1, 2}, {0, 0}}, {0.5, 0.5}, {1, 2}},
      {"type: 'Softmax' softmax_param { axis: -1 }", {{1, 2, 1}, {7, 8}}, {1, 1}, {1, 2, 1}},
      {"type: 'ArgMax'", image, {3}, {1, 1, 1, 1}},
      {"type: 'ArgMax' argmax_param { out_max_val: true top_k: 2 }", image, {3, 2, 4, 3}, {1, 2, 2, 1}},
      {"type: 'ArgMax' argmax_param { axis: 1 }", two_channels, {1, 1}, {1, 1, 1, 2}},
      {"type: 'ArgMax' argmax_param { axis: 1 out_max_val: true }", two_channels, {3, 4}, {1, 1, 1, 2}},
      {"type: 'Reduction'", {{2}, {1, 2}}, {3}, {}},
      {"type: 'Reduction' reduction_param { operation: MEAN axis: 1 coeff: 2 }",
       {{2, 2}, {1, 2, 3, 4}},
       {3, 7},
       {2}},
      {"type: 'Reduction' reduction_param { operation: ASUM axis: 1 }", {{1, 2}, {-1, 2}}, {3}, {1}},
      {"type: 'Reduction' reduction_param { operation: SUMSQ axis: 1 }", {{1, 2}, {-1, 2}}, {5}, {1}},
  });
}

TEST_F(CaffeLayers, PicturesInOtherSizes) {
  check_all({
      {"type: 'Upsample' upsample_param { scale: 2 }",
       {{1, 1, 1, 2}, {1, 2}},
       {1, 1, 2, 2, 1, 1, 2, 2},
       {1, 1, 2, 4}},
      // SegNet: back to where a pooling found them.
      {"type: 'Upsample' upsample_param { scale: 2 }",
       {{1, 1, 1, 1}, {5}},
       {0, 0, 5, 0},
       {1, 1, 2, 2},
       {},
       {{1, 1, 1, 1}, {2}}},
      {"type: 'Interp' interp_param { height: 1 width: 3 }", {{1, 1, 1, 2}, {1, 3}}, {1, 2, 3}, {1, 1, 1, 3}},
      {"type: 'Interp' interp_param { zoom_factor: 2 }", {{1, 1, 1, 2}, {1, 3}}, {1, 2, 3}, {1, 1, 1, 3}},
      {"type: 'Interp' interp_param { shrink_factor: 2 }", {{1, 1, 1, 3}, {1, 2, 3}}, {1, 3}, {1, 1, 1, 2}},
      {"type: 'Interp' interp_param { pad_beg: -1 pad_end: 0 }", image, {4}, {1, 1, 1, 1}},
      {"type: 'Interp'", {{1, 1, 1, 2}, {1, 3}}, {1, 2, 3}, {1, 1, 1, 3}, {}, {{1, 1, 1, 3}, {0, 0, 0}}},
      {"type: 'Resample' resample_param { type: NEAREST factor: 2 }",
       {{1, 1, 1, 2}, {1, 2}},
       {1, 1, 2, 2, 1, 1, 2, 2},
       {1, 1, 2, 4}},
      {"type: 'ShuffleChannel' shuffle_channel_param { group: 2 }",
       {{1, 4, 1, 1}, {1, 2, 3, 4}},
       {1, 3, 2, 4},
       {1, 4, 1, 1}},
  });
}

TEST_F(CaffeLayers, PriorBoxes) {
  // A grid of one point in a picture of 10 x 10: its middle is at 5, the box 4 wide.
  check(
      {"type: 'PriorBox' prior_box_param { min_size: 4 variance: 0.1 variance: 0.1 variance: 0.2 variance: "
       "0.2 }",
       {{1, 1, 1, 1}, {0}},
       {0.3, 0.3, 0.7, 0.7, 0.1, 0.1, 0.2, 0.2},
       {1, 2, 4},
       {},
       {{1, 3, 10, 10}, Floats(300, 0)}});
  check({"type: 'PriorBox' prior_box_param { min_size: 4 max_size: 9 img_size: 20 step: 10 }",
         {{1, 1, 1, 1}, {0}},
         {0.15, 0.15, 0.35, 0.35, 0.1, 0.1, 0.4, 0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1},
         {1, 2, 8},
         {},
         {{1, 3, 10, 10}, Floats(300, 0)}});
  // Widths and heights in pixels, around the same middle.
  check(
      {"type: 'PriorBoxClustered' prior_box_param { width: [4, 2] height: [2, 6] variance: [0.1, 0.1, 0.2, "
       "0.2] }",
       {{1, 1, 1, 1}, {0}},
       {0.3, 0.4, 0.7, 0.6, 0.4, 0.2, 0.6, 0.8, 0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.2, 0.2},
       {1, 2, 8},
       {},
       {{1, 3, 10, 10}, Floats(300, 0)}});
}

// h and c of one unit by Caffe's LSTMUnit; gates in the order input, forget, output, cell.
struct LstmStep {
  double h = 0, c = 0;
  void step(double x, double cont) {
    const auto s = [](double v) { return 1 / (1 + std::exp(-v)); };
    const double hc = h * cont;
    const double i = s(0.1 * x + 0.5 * hc + 0.01), f = s(0.2 * x + 0.6 * hc + 0.02),
                 o = s(0.3 * x + 0.7 * hc + 0.03), g = std::tanh(0.4 * x + 0.8 * hc + 0.04);
    c = cont * f * c + i * g;
    h = o * std::tanh(c);
  }
};

TEST_F(CaffeLayers, LstmForgetsWhereASequenceBegins) {
  LstmStep u;
  std::vector<double> expected;
  for (const auto& [x, cont] : {std::pair(1.0, 0.0), {2.0, 1.0}, {3.0, 0.0}, {-1.0, 1.0}}) {
    u.step(x, cont);
    expected.push_back(u.h);
  }
  check({"type: 'LSTM' recurrent_param { num_output: 1 }",
         {{4, 1, 1}, {1, 2, 3, -1}},
         expected,
         {4, 1, 1},
         {{{4, 1}, {0.1F, 0.2F, 0.3F, 0.4F}},
          {{4}, {0.01F, 0.02F, 0.03F, 0.04F}},
          {{4, 1}, {0.5F, 0.6F, 0.7F, 0.8F}}},
         {{4, 1}, {0, 1, 0, 1}}});
}

TEST_F(CaffeLayers, Rnn) {
  double h = 0;
  std::vector<double> expected;
  for (const auto& [x, cont] : {std::pair(1.0, 0.0), {2.0, 1.0}, {3.0, 0.0}}) {
    h = std::tanh(0.5 * x + 0.25 + 0.75 * h * cont);
    expected.push_back(std::tanh(2 * h - 0.5));
  }
  check({"type: 'RNN' recurrent_param { num_output: 1 }",
         {{3, 1, 1}, {1, 2, 3}},
         expected,
         {3, 1, 1},
         {{{1, 1}, {0.5F}}, {{1}, {0.25F}}, {{1, 1}, {0.75F}}, {{1, 1}, {2}}, {{1}, {-0.5F}}},
         {{3, 1}, {0, 1, 0}}});
}

class CaffeAttributes : public Caffe {
 protected:
  // The graph of one layer on inputs of these shapes.
  core::GraphPtr of(const std::string& layer, const std::vector<std::string>& shapes) {
    std::string text, bottoms;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const std::string name = "in" + std::to_string(i);
      text += "layer { name: '" + name + "' type: 'Input' top: '" + name + "' input_param { shape { dim: [" +
              shapes[i] + "] } } }\n";
      bottoms += " bottom: '" + name + "'";
    }
    return prepare(text + "layer { name: 'layer'" + bottoms + " top: 'z' " + layer + " }");
  }
  static std::string attribute(const core::Graph& g, std::string_view op, std::string_view name) {
    const core::NodeId n = g.nodes_of(op).front();
    const core::Attribute* a = g.attribute(n, name);
    if (a == nullptr) return "none";
    if (const auto* i = std::get_if<int64_t>(a)) return text(*i);
    if (const auto* d = std::get_if<double>(a)) return text(*d);
    if (const auto* s = std::get_if<std::string>(a)) return *s;
    if (const auto* l = std::get_if<std::vector<int64_t>>(a)) return text(*l);
    if (const auto* l = std::get_if<std::vector<double>>(a)) return text(*l);
    if (const auto* b = std::get_if<bool>(a)) return text(*b);
    return "another kind";
  }
};

TEST_F(CaffeAttributes, Detection) {
  const auto g = of(
      R"(type: 'DetectionOutput' detection_output_param { num_classes: 3 nms_param { nms_threshold: 0.5 top_k: 0 }
                       code_type: CENTER_SIZE keep_top_k: 7 confidence_threshold: 0.25 })",
      {"1, 40", "1, 30", "1, 2, 40"});
  EXPECT_EQ(shape(*g), (Shape{1, 1, 7, 7}));
  EXPECT_EQ(attribute(*g, "DetectionOutput", "top_k"), "-1");
  EXPECT_EQ(attribute(*g, "DetectionOutput", "code_type"), "caffe.PriorBoxParameter.CENTER_SIZE");
  EXPECT_EQ(attribute(*g, "DetectionOutput", "nms_threshold"), "0.5");
  EXPECT_THAT(
      failure_of("layer { name: 'a' type: 'Input' top: 'a' } layer { name: 'd' type: 'DetectionOutput' "
                 "bottom: 'a' bottom: 'a' "
                 "bottom: 'a' top: 'd' detection_output_param { num_classes: 2 code_type: CORNER_SIZE } }"),
      HasSubstr("code_type CORNER_SIZE is not supported"));
}

TEST_F(CaffeAttributes, Proposals) {
  const std::vector<std::string> shapes{"1, 24, 6, 7", "1, 48, 6, 7", "1, 3"};
  const auto own =
      of("type: 'Proposal' proposal_param { feat_stride: 8 ratio: 1 ratio: 2 ratio: 3 scale: [1, 2, 4, 8] "
         "post_nms_topn: 50 }",
         shapes);
  EXPECT_EQ(shape(*own), (Shape{50, 5}));
  EXPECT_EQ(attribute(*own, "Proposal", "feat_stride"), "8");
  EXPECT_EQ(attribute(*own, "Proposal", "pre_nms_topn"), "6000");
  for (const char* written :
       {"\"'feat_stride': 8, 'scales': [1, 2, 4, 8]\"", "\"{'feat_stride': 8, 'scales': (1, 2, 4, 8)}\"",
        "\"feat_stride: 8\\nscales: [1, 2, 4, 8]\""}) {
    const auto g = of(
        std::string(
            "type: 'Python' python_param { module: 'rpn.proposal_layer' layer: 'ProposalLayer' param_str: ") +
            written + " }",
        shapes);
    EXPECT_EQ(shape(*g), (Shape{300, 5})) << written;
    EXPECT_EQ(attribute(*g, "Proposal", "feat_stride"), "8");
    EXPECT_EQ(attribute(*g, "Proposal", "scale"), "[1,2,4,8]");
  }
}

TEST_F(CaffeAttributes, RegionsAndYolo) {
  EXPECT_EQ(
      shape(*of("type: 'ROIPooling' roi_pooling_param { pooled_h: 3 pooled_w: 2 spatial_scale: 0.0625 }",
                {"1, 8, 6, 6", "9, 5"})),
      (Shape{9, 8, 3, 2}));
  EXPECT_EQ(
      shape(*of(
          "type: 'PSROIPooling' psroi_pooling_param { output_dim: 2 group_size: 3 spatial_scale: 0.0625 }",
          {"1, 18, 6, 6", "9, 5"})),
      (Shape{9, 2, 3, 3}));
  EXPECT_EQ(shape(*of("type: 'ReorgYolo' reorg_yolo_param { stride: 2 }", {"1, 4, 6, 6"})),
            (Shape{1, 16, 3, 3}));
  EXPECT_EQ(shape(*of("type: 'RegionYolo' region_yolo_param { classes: 3 num: 2 }", {"1, 16, 2, 2"})),
            (Shape{1, 64}));
  const auto g =
      of("type: 'RegionYolo' region_yolo_param { classes: 3 do_softmax: false mask: 0 mask: 2 anchors: 1.5 }",
         {"1, 16, 2, 2"});
  EXPECT_EQ(shape(*g), (Shape{1, 16, 2, 2}));
  EXPECT_EQ(attribute(*g, "RegionYolo", "mask"), "[0,2]");
  EXPECT_EQ(type(*of("type: 'CTCGreedyDecoder'", {"5, 1, 4", "5, 1"}), "layer"), "CTCGreedyDecoder@opset1");
}

TEST_F(CaffeAttributes, LayersThatNoOperationSetHas) {
  const auto g =
      of("type: 'Correlation' correlation_param { pad: 4 kernel_size: 1 max_displacement: 4 stride_2: 2 "
         "correlation_type: SUBTRACT }",
         {"1, 3, 8, 8", "1, 3, 8, 8"});
  EXPECT_EQ(type(*g, "layer"), "Correlation@extension");
  EXPECT_EQ(shape(*g), (Shape{1, 25, 8, 8}));
  EXPECT_EQ(shape(*of("type: 'Accum' accum_param { size_divisible_by: 4 }", {"1, 3, 5, 8", "1, 2, 4, 4"})),
            (Shape{1, 5, 8, 8}));
  EXPECT_EQ(shape(*of("type: 'SimplerNMS'", {"1, 3, 5, 8", "1, 2, 4, 4"})), (Shape{150, 5}));
  EXPECT_EQ(
      shape(*of("type: 'SpatialTransformer' st_param { output_H: 2 output_W: 3 }", {"1, 3, 5, 8", "1, 6"})),
      (Shape{1, 3, 2, 3}));
  EXPECT_EQ(shape(*of("type: 'Axpy'", {"1, 3", "1, 3, 4, 4", "1, 3, 4, 4"})), (Shape{1, 3, 4, 4}));
  for (const char* layer : {"PowerFile", "PredictionHeatmap", "DataAugmentation"}) {
    const auto same = of(text("type: '", layer, "'"), {"1, 3, 5, 8"});
    EXPECT_EQ(type(*same, "layer"), text(layer, "@extension"));
    EXPECT_EQ(shape(*same), (Shape{1, 3, 5, 8})) << layer;
  }
  EXPECT_EQ(shape(*of("type: 'DataAugmentation' augmentation_param { crop_height: 2 crop_width: 4 }",
                      {"1, 3, 5, 8"})),
            (Shape{1, 3, 2, 4}));
}

TEST_F(CaffeAttributes, WhatIsNotSupportedSaysSo) {
  const std::pair<const char*, const char*> rows[] = {
      {"type: 'Pooling' pooling_param { pool: STOCHASTIC kernel_size: 2 }",
       "a pooling 'STOCHASTIC' is not supported"},
      {"type: 'Pooling' pooling_param { kernel_size: 2 pad: 2 }",
       "its pad is 2; expected less than the kernel, 2"},
      {"type: 'Convolution' convolution_param { kernel_size: 2 }", "num_output is missing"},
      {"type: 'Eltwise' eltwise_param { coeff: [1, 2, 3] }", "it has 3 coefficients for 1 blobs"},
      {"type: 'Permute' permute_param { order: 4 }", "its order is [4] for a blob of 4 dimensions"},
      {"type: 'BatchNorm' batch_norm_param { use_global_stats: false }", "use_global_stats is false"},
      {"type: 'Tile'", "tiles is missing"},
      {"type: 'LRN' lrn_param { local_size: 4 }", "local_size is 4; expected an odd number"},
  };
  for (const auto& [layer, expected] : rows)
    EXPECT_THAT(
        failure_of(
            std::string(
                "layer { name: 'a' type: 'Input' top: 'a' input_param { shape { dim: [1, 2, 4, 4] } } } "
                "layer { name: 'b' bottom: 'a' top: 'b' ") +
            layer + " }"),
        HasSubstr(expected));
}

}  // namespace

}  // namespace mo::test
