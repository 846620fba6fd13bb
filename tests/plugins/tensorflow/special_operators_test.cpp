// Suppression of boxes, simulated quantization, spectra, sparse tensors, CTC, random numbers. Expected
// numbers come from numpy's functions and the formulas of TensorFlow's documentation; the boxes are the
// example of its tests.
#include "core/infer/execute.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::ElementsAreArray;

class TfSpecial : public Tensorflow {
 protected:
  static void near(const std::vector<double>& actual, const std::vector<double>& expected,
                   double tolerance = 1e-6) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
  }
  std::vector<double> executed(const GraphDef& model, const std::vector<core::TensorRef>& inputs = {}) {
    const auto graph = prepare(model);
    sessions_.back()->executing = true;
    return values_of(core::execute(*sessions_.back(), *graph, inputs)[0]);
  }
  static void outputs(GraphDef& g, const std::string& node, const std::vector<int>& numbers) {
    for (const int i : numbers) g.node("Identity", "y" + std::to_string(i), {node + ":" + std::to_string(i)});
  }
};

// Six boxes in three groups that overlap.
static GraphDef boxes() {
  GraphDef g;
  g.constant("boxes", tf_floats({6, 4}, {0, 0,  1, 1,  0, 0.1F,  1, 1.1F,  0, -0.1F, 1, 0.9F,
                                         0, 10, 1, 11, 0, 10.1F, 1, 11.1F, 0, 100,   1, 101}));
  g.constant("scores", tf_floats({6}, {0.9F, 0.75F, 0.6F, 0.95F, 0.5F, 0.3F}));
  g.constant("limit", tf_i32({}, {30}))
      .constant("overlap", tf_floats({}, {0.5F}))
      .constant("least", tf_floats({}, {0.4F}));
  g.constant("sigma", tf_floats({}, {0})).constant("two", tf_i32({}, {2}));
  return g;
}

TEST_F(TfSpecial, BoxesThatDoNotOverlapBetterOnes) {
  GraphDef second = boxes();
  second.node("NonMaxSuppressionV2", "y", {"boxes", "scores", "limit", "overlap"},
              {tf_type("T", TfType::f32)});
  EXPECT_THAT(computed(second), ElementsAre(3, 0, 5));
  GraphDef few = boxes();
  few.node("NonMaxSuppressionV2", "y", {"boxes", "scores", "two", "overlap"}, {tf_type("T", TfType::f32)});
  EXPECT_THAT(computed(few), ElementsAre(3, 0));
  GraphDef third = boxes();
  third.node("NonMaxSuppressionV3", "y", {"boxes", "scores", "limit", "overlap", "least"},
             {tf_type("T", TfType::f32)});
  EXPECT_THAT(computed(third), ElementsAre(3, 0));
}

TEST_F(TfSpecial, SuppressionMayPadAndCount) {
  GraphDef g = boxes();
  g.constant("five", tf_i32({}, {5}));
  g.node("NonMaxSuppressionV5", "nms", {"boxes", "scores", "five", "overlap", "least", "sigma"},
         {tf_type("T", TfType::f32), tf_bool("pad_to_max_output_size", true)});
  outputs(g, "nms", {0, 1, 2});
  const auto graph = prepare(g);
  EXPECT_THAT(values(*graph, 0), ElementsAre(3, 0, 0, 0, 0));
  near(values(*graph, 1), {0.95, 0.9, 0, 0, 0});
  EXPECT_THAT(values(*graph, 2), ElementsAre(2));
}

// Two classes on the same boxes; each sample gets its best four.
TEST_F(TfSpecial, CombinedSuppression) {
  for (const bool shared : {true, false}) {
    GraphDef g;
    const std::vector<float> four{0, 0, 1, 1, 0, 0.1F, 1, 1.1F, 0, 10, 1, 11};
    std::vector<float> corners;
    for (size_t b = 0; b < 3; ++b)
      for (int k = 0; k < (shared ? 1 : 2); ++k)
        corners.insert(corners.end(), four.begin() + 4 * static_cast<std::ptrdiff_t>(b),
                       four.begin() + 4 * static_cast<std::ptrdiff_t>(b) + 4);
    g.constant("boxes", tf_floats({1, 3, shared ? 1 : 2, 4}, corners));
    g.constant("scores", tf_floats({1, 3, 2}, {0.9F, 0.2F, 0.8F, 0.7F, 0.3F, 0.6F}));
    g.constant("per_class", tf_i32({}, {3}))
        .constant("total", tf_i32({}, {4}))
        .constant("overlap", tf_floats({}, {0.5F}))
        .constant("least", tf_floats({}, {0.25F}));
    g.node("CombinedNonMaxSuppression", "nms", {"boxes", "scores", "per_class", "total", "overlap", "least"},
           {tf_bool("clip_boxes", false)});
    outputs(g, "nms", {0, 1, 2, 3});
    const auto graph = prepare(g);
    // Class 0: box 0 (0.9), 2 (0.3); class 1: box 1 (0.7), 2 (0.6).
    near(values(*graph, 0), {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 10, 1, 11, 0, 10, 1, 11});
    near(values(*graph, 1), {0.9, 0.7, 0.6, 0.3});
    EXPECT_THAT(values(*graph, 2), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(values(*graph, 3), ElementsAre(4));
  }
}

static GraphDef numbers() {
  GraphDef g;
  g.constant("x", tf_floats({6}, {-1.3F, -0.4F, 0.1F, 0.55F, 0.9F, 2.0F}));
  return g;
}

TEST_F(TfSpecial, FakeQuantMovesItsRangeToZero) {
  convert_.disabled = {"front.keep_quantized_weights"};  // or it is not computed here
  GraphDef g = numbers();
  g.constant("low", tf_floats({}, {-0.7F})).constant("high", tf_floats({}, {1.3F}));
  g.node("FakeQuantWithMinMaxVars", "y", {"x", "low", "high"}, {tf_int("num_bits", 4)});
  near(executed(g), {-0.6666667, -0.4, 0.1333334, 0.5333334, 0.9333335, 1.3333333});
  GraphDef narrow = numbers();
  narrow.node(
      "FakeQuantWithMinMaxArgs", "y", {"x"},
      {tf_float("min", 0.2F), tf_float("max", 1.3F), tf_int("num_bits", 3), tf_bool("narrow_range", true)});
  near(executed(narrow), {0, 0, 0.1833333, 0.55, 0.9166666, 1.1});
}

TEST_F(TfSpecial, TheRangeOfFakeQuantMayBeComputed) {
  GraphDef g = numbers();
  g.placeholder("low", TfType::f32, {}).constant("high", tf_floats({}, {1.3F}));
  g.node("FakeQuantWithMinMaxVars", "y", {"x", "low", "high"}, {tf_int("num_bits", 4)});
  const auto graph = prepare(g);
  EXPECT_EQ(count(*graph, "FakeQuantize"), 1U);
  EXPECT_EQ(shape(*graph), Shape({6}));
}

// What TensorFlow's kernel gives for a range that was never trained.
TEST_F(TfSpecial, FakeQuantWithoutARangeIsZero) {
  GraphDef g = numbers();
  g.constant("zero", tf_floats({}, {0}));
  g.node("FakeQuantWithMinMaxVars", "y", {"x", "zero", "zero"}, {});
  EXPECT_THAT(executed(g), ElementsAre(0, 0, 0, 0, 0, 0));
  GraphDef args = numbers();
  args.node("FakeQuantWithMinMaxArgs", "y", {"x"}, {tf_float("min", 0), tf_float("max", 0)});
  EXPECT_THAT(executed(args), ElementsAre(0, 0, 0, 0, 0, 0));
  GraphDef range = numbers();
  range.placeholder("low", TfType::f32, {}).placeholder("high", TfType::f32, {});
  range.node("FakeQuantWithMinMaxVars", "y", {"x", "low", "high"}, {});
  const auto zero = core::make_tensor_from_bytes(ElementType::f32, {}, std::string(4, '\0'));
  EXPECT_THAT(executed(range, {zero, zero}), ElementsAre(0, 0, 0, 0, 0, 0));
}

// Nothing is cut off when the range follows from the numbers: -2 stays in spite of signed_input = false.
TEST_F(TfSpecial, QuantizeAndDequantizeByItsOwnRange) {
  GraphDef g;
  g.constant("x", tf_floats({4}, {-2, 0, 0.5F, 2})).constant("zero", tf_floats({}, {0}));
  g.node("QuantizeAndDequantizeV2", "y", {"x", "zero", "zero"},
         {tf_type("T", TfType::f32), tf_bool("range_given", false), tf_bool("signed_input", false)});
  near(computed(g), {-2, 0, 0.5019608, 2});
}

TEST_F(TfSpecial, QuantizeAndDequantizeByANumberOfBitsThatIsNone) {
  GraphDef g = numbers();
  g.constant("zero", tf_floats({}, {0})).constant("bits", tf_i32({0}, {}));
  g.node("QuantizeAndDequantizeV3", "y", {"x", "zero", "zero", "bits"}, {tf_type("T", TfType::f32)});
  EXPECT_THAT(failure_of(g), HasSubstr("input 3, the number of bits, has 0 elements, expected one"));
}

TEST_F(TfSpecial, QuantizeAndDequantize) {
  GraphDef g = numbers();
  g.constant("low", tf_floats({}, {-1.0F})).constant("high", tf_floats({}, {0.8F}));
  g.node("QuantizeAndDequantizeV2", "y", {"x", "low", "high"},
         {tf_type("T", TfType::f32), tf_bool("range_given", true)});
  near(computed(g), {-1, -0.3984375, 0.1015625, 0.546875, 0.8984375, 0.9921875});
  GraphDef own = numbers();
  own.constant("low", tf_floats({}, {0}))
      .constant("high", tf_floats({}, {0}))
      .constant("bits", tf_i32({}, {4}));
  own.node("QuantizeAndDequantizeV3", "y", {"x", "low", "high", "bits"},
           {tf_type("T", TfType::f32), tf_bool("range_given", false)});
  near(computed(own), {-1.4285715, -0.2857143, 0, 0.5714286, 0.8571429, 2});
  GraphDef positive = numbers();
  positive.constant("low", tf_floats({}, {0})).constant("high", tf_floats({}, {1.4F}));
  positive.node("QuantizeAndDequantizeV4", "y", {"x", "low", "high"},
                {tf_type("T", TfType::f32), tf_bool("range_given", true), tf_bool("signed_input", false),
                 tf_int("num_bits", 3)});
  near(computed(positive), {0, 0, 0, 0.6, 0.8, 1.4});
}

TEST_F(TfSpecial, Dequantize) {
  GraphDef g;
  g.constant("q", tf_tensor<uint8_t>(static_cast<TfType>(12), {4}, {0, 10, 200, 255}));
  g.constant("low", tf_floats({}, {-2})).constant("high", tf_floats({}, {6}));
  g.node("Dequantize", "y", {"q", "low", "high"},
         {tf_type("T", static_cast<TfType>(12)), tf_text("mode", "MIN_COMBINED")});
  near(computed(g), {-2, -1.6862745, 4.2745098, 6});
  GraphDef scaled;
  scaled.constant("q", tf_tensor<int8_t>(static_cast<TfType>(11), {4}, {-128, -5, 0, 127}));
  scaled.constant("low", tf_floats({}, {-2})).constant("high", tf_floats({}, {1.5F}));
  scaled.node("Dequantize", "y", {"q", "low", "high"},
              {tf_type("T", static_cast<TfType>(11)), tf_text("mode", "SCALED")});
  near(computed(scaled), {-2, -0.078125, 0, 1.984375});
}

TEST_F(TfSpecial, FourierTransforms) {
  const auto complex = tf_type("T", TfType::f32);
  GraphDef g;
  g.constant("re", tf_floats({4}, {1, 2, 3, 4})).constant("im", tf_floats({4}, {0, -1, 0.5F, 2}));
  g.node("Complex", "x", {"re", "im"}, {complex})
      .node("FFT", "f", {"x"})
      .node("Real", "y0", {"f"})
      .node("Imag", "y1", {"f"});
  const auto graph = prepare(g);
  near(values(*graph, 0), {10, -5, -2, 1});
  near(values(*graph, 1), {1.5, 1.5, -0.5, -2.5});

  GraphDef back;
  back.constant("re", tf_floats({2, 2}, {1, 2, 3, 4})).constant("im", tf_floats({2, 2}, {0.5F, 0, 0, -1}));
  back.node("Complex", "x", {"re", "im"}, {complex}).node("IFFT2D", "f", {"x"}).node("Imag", "y", {"f"});
  near(computed(back), {-0.125, 0.375, 0.375, -0.125});

  GraphDef real;
  real.constant("x", tf_floats({6}, {1, 2, 3, 4, 5, 6})).constant("n", tf_i32({1}, {4}));
  real.node("RFFT", "f", {"x", "n"}).node("ComplexAbs", "y", {"f"});
  near(computed(real), {10, 2.8284271, 2});

  GraphDef inverse;
  inverse.constant("re", tf_floats({3}, {1, 2, 0.5F}))
      .constant("im", tf_floats({3}, {0, -1, 0}))
      .constant("n", tf_i32({1}, {4}));
  inverse.node("Complex", "x", {"re", "im"}, {complex}).node("IRFFT", "y", {"x", "n"});
  near(computed(inverse), {1.375, 0.625, -0.625, -0.375});
}

TEST_F(TfSpecial, PlacesAndUniqueElements) {
  GraphDef where;
  where.constant("x", tf_booleans({2, 2}, {1, 0, 1, 1}))
      .node("Where", "y", {"x"}, {tf_type("T", TfType::boolean)});
  EXPECT_THAT(computed(where), ElementsAre(0, 0, 1, 0, 1, 1));
  GraphDef unique;
  unique.constant("x", tf_i32({6}, {5, 3, 5, 9, 3, 5}))
      .node("UniqueWithCounts", "u", {"x"}, {tf_type("T", TfType::i32)});
  outputs(unique, "u", {0, 1, 2});
  const auto graph = prepare(unique);
  EXPECT_THAT(values(*graph, 0), ElementsAre(5, 3, 9));
  EXPECT_THAT(values(*graph, 1), ElementsAre(0, 1, 0, 2, 1, 0));
  EXPECT_THAT(values(*graph, 2), ElementsAre(3, 2, 1));
  GraphDef buckets;
  buckets.constant("x", tf_floats({2, 3}, {-5, 10000, 150, 10, 5, 100}));
  buckets.node("Bucketize", "y", {"x"},
               {tf_type("T", TfType::f32), tf_floats_list("boundaries", {0, 10, 100})});
  EXPECT_THAT(computed(buckets), ElementsAre(0, 3, 3, 2, 1, 3));
}

// Products of pairs, and axes of tensors that have one more dimension, are not what TensorFlow computes.
TEST_F(TfSpecial, OtherFunctionsOfComplexNumbersAreRefused) {
  const auto t = tf_type("T", TfType::complex64);
  const auto refused = [&](const char* op, const std::vector<std::string>& inputs, TfAttribute type) {
    GraphDef g;
    g.placeholder("re", TfType::f32, {3}).placeholder("im", TfType::f32, {3});
    g.constant("axis", tf_i32({}, {-1}));
    g.node("Complex", "c", {"re", "im"}, {tf_type("T", TfType::f32)});
    g.node(op, "z", inputs, {std::move(type)}).node("Identity", "y", {"z"}, {});
    return failure_of(g);
  };
  for (const char* op : {"Mul", "RealDiv"})
    EXPECT_THAT(refused(op, {"c", "c"}, t), HasSubstr(text(op, " of complex numbers: 1 node, 'z'")));
  for (const char* op : {"Square", "Reciprocal", "Shape", "Rank", "ZerosLike", "Exp"})
    EXPECT_THAT(refused(op, {"c"}, t), HasSubstr(text(op, " of complex numbers: 1 node, 'z'")));
  for (const char* op : {"Sum", "ExpandDims", "Reshape"})
    EXPECT_THAT(refused(op, {"c", "axis"}, t), HasSubstr(text(op, " of complex numbers: 1 node, 'z'")));
  EXPECT_THAT(refused("GatherV2", {"c", "axis", "axis"}, tf_type("Tparams", TfType::complex64)),
              HasSubstr("GatherV2 of complex numbers"));
  EXPECT_THAT(refused("Cast", {"c"}, tf_type("SrcT", TfType::complex64)),
              HasSubstr("Cast of complex numbers"));
  EXPECT_THAT(refused("Placeholder", {}, tf_type("dtype", TfType::complex64)),
              HasSubstr("Placeholder of complex numbers"));
}

// (1 + 4i, 2 + 5i) + (1 + 4i, 2 + 5i) - (3 - i)
TEST_F(TfSpecial, SumsOfComplexNumbers) {
  const auto t = tf_type("T", TfType::complex64);
  GraphDef g;
  g.constant("re", tf_floats({2}, {1, 2})).constant("im", tf_floats({2}, {4, 5}));
  g.constant("k", tf_tensor<float>(TfType::complex64, {}, {3, -1}));
  g.node("Complex", "c", {"re", "im"}, {tf_type("T", TfType::f32)});
  g.node("AddV2", "sum", {"c", "c"}, {t}).node("Sub", "less", {"sum", "k"}, {t});
  g.node("Real", "y", {"less"}, {t}).node("Imag", "z", {"less"}, {t});
  const auto graph = prepare(g);
  EXPECT_THAT(values(*graph, 0), ElementsAre(-1, 1));
  EXPECT_THAT(values(*graph, 1), ElementsAre(9, 11));
}

// Element [0, 0] is there twice.
TEST_F(TfSpecial, PlacesOfASparseMatrixMayRepeat) {
  for (const bool repeated : {true, false}) {
    GraphDef g;
    const std::vector<int64_t> twice{0, 0, 0, 0, 1, 1}, once{0, 0, 0, 1, 1, 1};
    g.constant("at", tf_i64({3, 2}, repeated ? twice : once)).constant("values", tf_floats({3}, {1, 2, 3}));
    g.constant("shape", tf_i64({2}, {2, 2})).constant("x", tf_floats({2, 2}, {1, 2, 3, 4}));
    g.node("SparseTensorDenseMatMul", "y", {"at", "values", "shape", "x"},
           {tf_type("T", TfType::f32), tf_type("Tindices", TfType::i64)});
    if (repeated)
      EXPECT_THAT(computed(g), ElementsAre(3, 6, 9, 12));
    else
      EXPECT_THAT(computed(g), ElementsAre(7, 10, 9, 12));
  }
}

TEST_F(TfSpecial, SparseTensors) {
  GraphDef dense;
  dense.constant("at", tf_i32({2, 2}, {0, 1, 2, 0})).constant("shape", tf_i32({2}, {3, 2}));
  dense.constant("values", tf_floats({2}, {5, 6})).constant("rest", tf_floats({}, {-1}));
  dense.node("SparseToDense", "y", {"at", "shape", "values", "rest"},
             {tf_type("T", TfType::f32), tf_type("Tindices", TfType::i32)});
  EXPECT_THAT(computed(dense), ElementsAre(-1, 5, -1, -1, 6, -1));

  GraphDef list;
  list.constant("at", tf_i32({3}, {0, 3, 1})).constant("shape", tf_i32({1}, {4}));
  list.constant("values", tf_floats({}, {7})).constant("rest", tf_floats({}, {0}));
  list.node("SparseToDense", "y", {"at", "shape", "values", "rest"},
            {tf_type("T", TfType::f32), tf_type("Tindices", TfType::i32)});
  EXPECT_THAT(computed(list), ElementsAre(7, 7, 0, 7));

  GraphDef reshaped;
  reshaped.constant("at", tf_i64({3, 2}, {0, 1, 1, 0, 2, 3}))
      .constant("shape", tf_i64({2}, {3, 4}))
      .constant("new", tf_i64({3}, {2, -1, 2}));
  reshaped.node("SparseReshape", "r", {"at", "shape", "new"});
  outputs(reshaped, "r", {0, 1});
  const auto graph = prepare(reshaped);
  EXPECT_THAT(values(*graph, 0), ElementsAre(0, 0, 1, 0, 2, 0, 1, 2, 1));  // 1, 4 and 11 of 12
  EXPECT_THAT(values(*graph, 1), ElementsAre(2, 3, 2));
}

TEST_F(TfSpecial, SumsOfSegments) {
  const std::vector<std::pair<const char*, std::vector<double>>> cases{
      {"SparseSegmentSum", {4, 6, 0, 0, 5, 6}},
      {"SparseSegmentMean", {2, 3, 0, 0, 5, 6}},
      {"SparseSegmentSqrtN", {2.8284271, 4.2426407, 0, 0, 5, 6}}};
  for (const auto& [op, expected] : cases) {
    GraphDef g;
    g.constant("x", tf_floats({3, 2}, {1, 2, 3, 4, 5, 6}))
        .constant("rows", tf_i32({3}, {0, 1, 2}))
        .constant("ids", tf_i32({3}, {0, 0, 2}));
    g.node(op, "y", {"x", "rows", "ids"}, {tf_type("T", TfType::f32)});
    near(computed(g), expected);
  }
}

// Classes 0, 1 and blank (2); the sequence is 0, 0, blank, 0 and, for the second sample, 1 in its only step.
TEST_F(TfSpecial, GreedyDecoder) {
  for (const bool merge : {true, false}) {
    GraphDef g;
    g.constant(
        "x", tf_floats({4, 2, 3}, {9, 1, 2, 1, 5, 2, 7, 1, 2, 1, 1, 1, 1, 1, 8, 1, 1, 1, 6, 1, 2, 1, 1, 1}));
    g.constant("n", tf_i32({2}, {4, 1}));
    g.node("CTCGreedyDecoder", "d", {"x", "n"}, {tf_bool("merge_repeated", merge)});
    outputs(g, "d", {0, 1, 2, 3});
    const auto graph = prepare(g);
    if (merge) {
      EXPECT_THAT(values(*graph, 0), ElementsAre(0, 0, 0, 1, 1, 0));
      EXPECT_THAT(values(*graph, 1), ElementsAre(0, 0, 1));
      EXPECT_THAT(values(*graph, 2), ElementsAre(2, 2));
    } else {
      EXPECT_THAT(values(*graph, 0), ElementsAre(0, 0, 0, 1, 0, 2, 1, 0));
      EXPECT_THAT(values(*graph, 1), ElementsAre(0, 0, 0, 1));
      EXPECT_THAT(values(*graph, 2), ElementsAre(2, 3));
    }
    EXPECT_THAT(values(*graph, 3), ElementsAre(-30, -5));
  }
}

// All classes are as likely: of the 3 ^ 2 paths of two steps, 3 give the label 0 (00, 0-, -0), and 1 gives
// 0 1.
TEST_F(TfSpecial, CtcLoss) {
  GraphDef g;
  g.constant("x", tf_floats({2, 2, 3}, std::vector<float>(12, 0.5F)));
  g.constant("at", tf_i64({3, 2}, {0, 0, 1, 0, 1, 1}))
      .constant("labels", tf_i32({3}, {0, 0, 1}))
      .constant("n", tf_i32({2}, {2, 2}));
  g.node("CTCLoss", "loss", {"x", "at", "labels", "n"})
      .node("Identity", "y", {"loss"}, {tf_type("T", TfType::f32)});
  near(computed(g), {1.0986123, 2.1972246}, 1e-5);
}

TEST_F(TfSpecial, RandomNumbersHaveAShapeAndARange) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {2, 3}).node("Shape", "s", {"x"}, {tf_type("T", TfType::f32)});
  g.node("RandomUniform", "u", {"s"}, {tf_type("dtype", TfType::f32), tf_int("seed", 7)});
  g.node("RandomStandardNormal", "n", {"s"}, {tf_type("dtype", TfType::f32)});
  g.node("Add", "sum", {"u", "n"}, {tf_type("T", TfType::f32)})
      .node("Add", "y", {"x", "sum"}, {tf_type("T", TfType::f32)});
  const auto graph = prepare(g);
  EXPECT_EQ(count(*graph, "RandomUniform"), 3U);
  EXPECT_EQ(shape(*graph), Shape({2, 3}));
}

// x / p * floor(p + u)
static GraphDef dropout(float p) {
  GraphDef g;
  const auto type = tf_type("T", TfType::f32);
  g.placeholder("x", TfType::f32, {2, 3})
      .constant("shape", tf_i32({2}, {2, 3}))
      .constant("p", tf_floats({}, {p}));
  g.node("RandomUniform", "u", {"shape"}, {tf_type("dtype", TfType::f32), tf_type("T", TfType::i32)});
  g.node("Add", "sum", {"u", "p"}, {type}).node("Floor", "mask", {"sum"}, {type});
  g.node("Exp", "e", {"x"}, {type}).node("Mul", "y", {"e", "mask"}, {type});
  return g;
}

TEST_F(TfSpecial, ADropoutThatKeepsEverythingIsNone) {
  const auto graph = prepare(dropout(1));
  EXPECT_EQ(count(*graph, "RandomUniform") + count(*graph, "Multiply"), 0U) << app::to_text(*graph);
  EXPECT_EQ(count(*graph, "Exp"), 1U);
  EXPECT_EQ(count(*prepare(dropout(0.75F)), "RandomUniform"), 1U);
}

TEST_F(TfSpecial, WhatIsTakenFromQueuesAndIteratorsIsAnInput) {
  GraphDef g;
  g.node("FIFOQueueV2", "queue", {},
         {tf_types("component_types", {TfType::f32}), tf_shapes("shapes", {{2, 3}})});
  g.constant("n", tf_i32({}, {4}));
  g.node("QueueDequeueManyV2", "batch", {"queue", "n"}, {tf_types("component_types", {TfType::f32})});
  g.node("Exp", "y", {"batch"}, {tf_type("T", TfType::f32)});
  const auto graph = prepare(g);
  EXPECT_EQ(count(*graph, "Parameter"), 1U);
  EXPECT_EQ(shape(*graph), Shape({4, 2, 3}));

  GraphDef other;
  other.node("OneShotIterator", "it");
  other.node(
      "IteratorGetNext", "next", {"it"},
      {tf_types("output_types", {TfType::f32, TfType::f32}), tf_shapes("output_shapes", {{-1, 2}, {2}})});
  other.node("Add", "y", {"next", "next:1"}, {tf_type("T", TfType::f32)});
  const auto read = prepare(other);
  EXPECT_EQ(count(*read, "Parameter"), 2U);
  EXPECT_EQ(shape(*read).size(), 2U);
}

TEST_F(TfSpecial, WhatCannotBeConvertedSaysWhy) {
  GraphDef g;
  g.placeholder("x", TfType::i64, {2}).node("HashTableV2", "table").constant("none", tf_i64({}, {-1}));
  g.node("LookupTableFindV2", "y", {"table", "x", "none"},
         {tf_type("Tin", TfType::i64), tf_type("Tout", TfType::i64)});
  EXPECT_THAT(failure_of(g), HasSubstr("does not state the keys and values of its table"));
}

TEST_F(TfSpecial, ATableOfNumbersIsLookedUp) {
  for (const TfTensor& x : {tf_i64({2, 3}, {70, 5, -4, 6, 200, 5}), tf_i64({6}, {70, 5, -4, 6, 200, 5})}) {
    for (const bool given : {true, false}) {
      GraphDef g;
      if (given)
        g.constant("x", x);
      else
        g.placeholder("x", TfType::i64, {-1});
      g.constant("keys", tf_i64({4}, {200, -4, 70, 5})).constant("values", tf_i32({4}, {1, 2, 3, 4}));
      g.constant("none", tf_i32({}, {-7}));
      g.node("HashTableV2", "table", {},
             {tf_type("key_dtype", TfType::i64), tf_type("value_dtype", TfType::i32)});
      g.node("InitializeTableV2", "init", {"table", "keys", "values"},
             {tf_type("Tkey", TfType::i64), tf_type("Tval", TfType::i32)});
      g.node("LookupTableFindV2", "y", {"table", "x", "none"},
             {tf_type("Tin", TfType::i64), tf_type("Tout", TfType::i32)});
      g.node("LookupTableSizeV2", "size", {"table"});
      if (!given) {
        EXPECT_EQ(shape(*prepare(g)).size(), 1U);
        continue;
      }
      EXPECT_THAT(computed(g), ElementsAre(3, 4, 2, -7, 1, 4));
      EXPECT_THAT(computed(g, 1), ElementsAre(4));
    }
  }
}

// Of a wide matrix, a tall one, one of one element; TensorFlow 2.21's values.
TEST_F(TfSpecial, SingularValues) {
  const auto graph = [](const TfTensor& a, const std::string& read = "svd") {
    GraphDef g;
    g.constant("a", a).node("Svd", "svd", {"a"},
                            {tf_type("T", TfType::f32), tf_bool("compute_uv", read != "svd")});
    g.node("Identity", "y", {read}, {tf_type("T", TfType::f32)});
    return g;
  };
  near(executed(graph(tf_floats({3, 4}, {2, -1, 0, 3, 1, 4, -2, 0.5F, 0, 1, 1, -3}))),
       {4.786567687988281, 4.577205181121826, 1.5453084707260132}, 1e-5);
  near(executed(graph(tf_floats({1, 5, 2}, {0, -0.5F, 2, -1.5F, 4, -2.5F, 6, -3.5F, 8, -4.5F}))),
       {12.686187744140625, 0.5573828816413879}, 1e-5);
  near(executed(graph(tf_floats({2, 1, 1}, {-3, 0}))), {3, 0});
  EXPECT_THAT(failure_of(graph(tf_floats({2, 2}, {1, 2, 3, 4}), "svd:1")), HasSubstr("its vectors are read"));
}

// Keras' signbit: what is negative, -0 too.
TEST_F(TfSpecial, TheSignOfTheBitsOfAFloat) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {6})
      .constant("least", tf_i32({}, {INT32_MIN}))
      .constant("0", tf_i32({}, {0}));
  g.node("Bitcast", "bits", {"x"}, {tf_type("T", TfType::f32), tf_type("type", TfType::i32)});
  g.node("BitwiseAnd", "sign", {"bits", "least"}, {tf_type("T", TfType::i32)});
  g.node("Less", "y", {"sign", "0"}, {tf_type("T", TfType::i32)});
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers{0.0F, -0.0F, 1.5F, -2.0F, infinity, -infinity};
  const auto bytes =
      std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  const auto x = core::make_tensor_from_bytes(ElementType::f32, {6}, bytes);
  EXPECT_THAT(executed(g, {x}), ElementsAre(0, 1, 0, 1, 0, 1));
}

}  // namespace mo::test
