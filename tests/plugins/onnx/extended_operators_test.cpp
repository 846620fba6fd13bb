// Operators beyond those of image networks: selection, detection, quantization, spectra, losses. Numbers are
// computed by hand from the ONNX specification, or are its examples.
#include "operator_fixture.hpp"

#include <mo/equation.hpp>

namespace mo::test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

class OnnxExtended : public OnnxOperators {
 protected:
  static auto near(const std::vector<double>& v) { return Pointwise(DoubleNear(1e-5), v); }
  template <class T>
  static OnnxTensor list(const std::vector<T>& v) {
    return OnnxTensor::of<T>({static_cast<int64_t>(v.size())}, v);
  }
  static OnnxTensor one(float v) { return OnnxTensor::scalar<float>(v); }
  static OnnxTensor byte(uint8_t v) { return OnnxTensor::scalar<uint8_t>(v); }
};

TEST_F(OnnxExtended, TrianglesOfMatrices) {
  const OnnxTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(eval(14, "Trilu", {x}), ElementsAre(1, 2, 3, 0, 5, 6));
  EXPECT_THAT(eval(14, "Trilu", {x, ints({1})}, {{"upper", 1}}), ElementsAre(0, 2, 3, 0, 0, 6));
  EXPECT_THAT(eval(14, "Trilu", {x, ints({-1})}, {{"upper", 0}}), ElementsAre(0, 0, 0, 4, 0, 0));
  EXPECT_EQ(shape(*single(14, "Trilu", {"n", 4, OnnxDim::unknown()})), (Shape{any_dim, 4, any_dim}));
}

TEST_F(OnnxExtended, EyeLikeHasTheShapeOfItsInput) {
  const OnnxTensor x = floats({2, 3}, {7, 7, 7, 7, 7, 7});
  EXPECT_THAT(eval(9, "EyeLike", {x}), ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_THAT(eval(9, "EyeLike", {x}, {{"k", 1}, {"dtype", 7}}), ElementsAre(0, 1, 0, 0, 0, 1));
}

TEST_F(OnnxExtended, ReverseSequenceCountsTimeFirst) {
  const OnnxTensor x = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(eval(10, "ReverseSequence", {x, ints({1, 2})}), ElementsAre(1, 4, 3, 2));
  EXPECT_THAT(eval(10, "ReverseSequence", {x, ints({1, 2})}, {{"batch_axis", 0}, {"time_axis", 1}}),
              ElementsAre(1, 2, 4, 3));
}

TEST_F(OnnxExtended, NonMaxSuppressionWithoutALimitSelectsNothing) {
  const OnnxTensor corners = floats({1, 2, 4}, {0, 0, 2, 2, 0, 0, 2, 1.8F});
  const OnnxTensor centres = floats({1, 2, 4}, {1, 1, 2, 2, 1, 0.9F, 2, 1.8F});
  const OnnxTensor scores = floats({1, 1, 2}, {0.5F, 0.75F});
  EXPECT_THAT(eval(11, "NonMaxSuppression", {corners, scores}), ElementsAre());
  EXPECT_THAT(eval(11, "NonMaxSuppression", {corners, scores, ints({2}), floats({1}, {0.5F})}),
              ElementsAre(0, 0, 1));
  EXPECT_THAT(eval(11, "NonMaxSuppression", {centres, scores, ints({2}), floats({1}, {0.95F})},
                   {{"center_point_box", 1}}),
              ElementsAre(0, 0, 1, 0, 0, 0));
  EXPECT_THAT(eval(11, "NonMaxSuppression", {corners, scores, ints({2}), floats({1}, {0.95F}), one(0.6F)}),
              ElementsAre(0, 0, 1));
}

TEST_F(OnnxExtended, RoiAlignMovesBoxesFromVersion16On) {
  // On a ramp a mean is the ramp at the middle of the box: 2, or 1.5 when pixels begin half a pixel earlier.
  const OnnxTensor x = floats({1, 1, 1, 5}, {0, 1, 2, 3, 4}), box = floats({1, 4}, {1, 0, 3, 1});
  const OnnxTensor batch = ints({0});
  EXPECT_THAT(eval(10, "RoiAlign", {x, box, batch}), near({2}));
  EXPECT_THAT(eval(16, "RoiAlign", {x, box, batch}), near({1.5}));
  EXPECT_THAT(
      eval(16, "RoiAlign", {x, box, batch}, {{"coordinate_transformation_mode", "output_half_pixel"}}),
      near({2}));
  EXPECT_THAT(eval(10, "RoiAlign", {x, box, batch}, {{"output_width", 2}, {"sampling_ratio", 1}}),
              near({1.5, 2.5}));
  EXPECT_THAT(eval(10, "RoiAlign", {x, floats({1, 4}, {2, 0, 6, 2}), batch}, {{"spatial_scale", 0.5F}}),
              near({2}));
  // The largest weighted corner of a sample: at 2.5 the corners 2 and 3 count half.
  EXPECT_THAT(eval(10, "RoiAlign", {x, box, batch}, {{"mode", "max"}, {"sampling_ratio", 2}}), near({1.5}));
}

TEST_F(OnnxExtended, UniqueAndItsFourOutputs) {
  const OnnxTensor x = floats({6}, {2, 1, 1, 3, 4, 3});
  const auto output = [&](size_t i) { return eval(11, "Unique", {x}, {{"sorted", 0}}, 4, i); };
  EXPECT_THAT(output(0), ElementsAre(2, 1, 3, 4));
  EXPECT_THAT(output(1), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(output(2), ElementsAre(0, 1, 1, 2, 3, 2));
  EXPECT_THAT(output(3), ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(eval(11, "Unique", {x}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(eval(11, "Unique", {floats({2, 2}, {1, 1, 0, 0})}, {{"axis", -1}}), ElementsAre(1, 0));
}

TEST_F(OnnxExtended, CompressAlongAnAxisOrAllElements) {
  const OnnxTensor x = floats({2, 2}, {1, 2, 3, 4});
  const OnnxTensor second = OnnxTensor::raw(OnnxType::boolean, {2}, std::as_bytes(std::span("\0\1", 2)));
  EXPECT_THAT(eval(11, "Compress", {x, second}, {{"axis", 0}}), ElementsAre(3, 4));
  EXPECT_THAT(eval(11, "Compress", {x, second}, {{"axis", -1}}), ElementsAre(2, 4));
  EXPECT_THAT(eval(11, "Compress", {x, second}), ElementsAre(2));
}

TEST_F(OnnxExtended, Bits) {
  const OnnxTensor x = list<uint8_t>({12, 5}), y = list<uint8_t>({2, 1});
  EXPECT_THAT(eval(11, "BitShift", {x, y}, {{"direction", "LEFT"}}), ElementsAre(48, 10));
  EXPECT_THAT(eval(11, "BitShift", {x, y}, {{"direction", "RIGHT"}}), ElementsAre(3, 2));
  EXPECT_THAT(eval(18, "BitwiseAnd", {x, list<uint8_t>({6, 6})}), ElementsAre(4, 4));
  EXPECT_THAT(eval(18, "BitwiseOr", {x, list<uint8_t>({6, 6})}), ElementsAre(14, 7));
  EXPECT_THAT(eval(18, "BitwiseXor", {x, list<uint8_t>({6, 6})}), ElementsAre(10, 3));
  EXPECT_THAT(eval(18, "BitwiseNot", {x}), ElementsAre(243, 250));
  ModelBuilder m(11);
  m.output(m.op("BitShift", {m.constant(x), m.constant(y)}, {{"direction", "UP"}}));
  EXPECT_THAT(failure_of(m), HasSubstr("'direction' is 'UP', expected LEFT or RIGHT"));
}

TEST_F(OnnxExtended, Shrink) {
  const OnnxTensor x = floats({4}, {-2, -1, 0.5F, 2});
  EXPECT_THAT(eval(9, "Shrink", {x}), ElementsAre(-2, -1, 0, 2));
  EXPECT_THAT(eval(9, "Shrink", {x}, {{"lambd", 1.5F}, {"bias", 1.5F}}), ElementsAre(-0.5, 0, 0, 0.5));
  // Of integers onnxruntime 1.30 cuts off what is left.
  const OnnxTensor bytes = OnnxTensor::of<uint8_t>({4}, {65, 30, 5, 99});
  EXPECT_THAT(eval(9, "Shrink", {bytes}, {{"lambd", 5.0F}, {"bias", -4.5F}}), ElementsAre(69, 34, 0, 103));
}

// Quantization.

TEST_F(OnnxExtended, QuantizeLinearRoundsBeforeItAddsTheZeroPoint) {
  const OnnxTensor x = floats({5}, {1, 3, -1000, 1000, 2});
  EXPECT_THAT(eval(10, "QuantizeLinear", {x, one(2)}), ElementsAre(0, 2, 0, 255, 1));
  EXPECT_THAT(eval(10, "QuantizeLinear", {x, one(2), byte(1)}), ElementsAre(1, 3, 0, 255, 2));
  EXPECT_THAT(eval(10, "QuantizeLinear", {x, one(2), OnnxTensor::scalar<int8_t>(1)}),
              ElementsAre(1, 3, -128, 127, 2));
  const OnnxTensor rows = floats({2, 2}, {2, 4, 6, 8}), scales = floats({2}, {1, 2});
  EXPECT_THAT(eval(13, "QuantizeLinear", {rows, scales, list<uint8_t>({0, 10})}), ElementsAre(2, 12, 6, 14));
  EXPECT_THAT(eval(13, "QuantizeLinear", {rows, scales, list<uint8_t>({0, 10})}, {{"axis", 0}}),
              ElementsAre(2, 4, 13, 14));
}

TEST_F(OnnxExtended, DequantizeLinear) {
  // Behind a Reshape the data is no constant: that would stay packed, and nothing be computed.
  const auto values_of = [&](const OnnxTensor& x, const std::vector<OnnxTensor>& parameters, Ints axis = {}) {
    ModelBuilder m(13);
    std::vector<std::string> inputs{m.op("Reshape", {m.constant(x), m.constant(ints(x.dims))})};
    for (const OnnxTensor& p : parameters) inputs.push_back(m.constant(p));
    std::vector<OnnxAttribute> attributes;
    if (!axis.empty()) attributes.emplace_back("axis", axis[0]);
    m.output(m.op("DequantizeLinear", inputs, attributes));
    return computed(m);
  };
  EXPECT_THAT(values_of(list<uint8_t>({0, 3, 128, 255}), {one(2), byte(128)}),
              ElementsAre(-256, -250, 0, 254));
  const OnnxTensor rows = OnnxTensor::of<int8_t>({2, 2}, {2, 4, 6, -8});
  EXPECT_THAT(values_of(rows, {floats({2}, {1, 2}), list<int8_t>({1, -1})}, {-2}),
              ElementsAre(1, 3, 14, -14));
  EXPECT_THAT(values_of(rows, {floats({2}, {1, 2})}), ElementsAre(2, 8, 6, -16));
}

TEST_F(OnnxExtended, ScalesMayBeComputed) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2, 3, 4});
  m.input("scale", OnnxType::float32, {3});
  const std::string q = m.op("QuantizeLinear", {m.op("Relu", {"x"}), m.op("Abs", {"scale"})});
  m.output(m.op("DequantizeLinear", {q, m.op("Abs", {"scale"})}));
  EXPECT_EQ(shape(*prepare(m)), (Shape{2, 3, 4}));
}

TEST_F(OnnxExtended, DynamicQuantizeLinear) {
  const OnnxTensor x = floats({3}, {-1, 0, 254});
  const auto output = [&](size_t i) { return eval(11, "DynamicQuantizeLinear", {x}, {}, 3, i); };
  EXPECT_THAT(output(0), ElementsAre(0, 1, 255));
  EXPECT_THAT(output(1), ElementsAre(1));
  EXPECT_THAT(output(2), ElementsAre(1));
  EXPECT_THAT(eval(11, "DynamicQuantizeLinear", {floats({2}, {0, 0})}, {}, 3, 0), ElementsAre(0, 0));
}

TEST_F(OnnxExtended, ProductsOfQuantizedMatrices) {
  const OnnxTensor a = OnnxTensor::of<uint8_t>({2, 2}, {1, 2, 3, 4}),
                   e = OnnxTensor::of<uint8_t>({2, 2}, {2, 1, 1, 2});
  EXPECT_THAT(executed(10, "MatMulInteger", {a, e}), ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(executed(10, "MatMulInteger", {a, e, byte(1), byte(1)}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(executed(10, "MatMulInteger", {a, e, list<uint8_t>({1, 3}), list<uint8_t>({0, 1})}),
              ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(executed(10, "QLinearMatMul", {a, one(2), byte(1), e, one(3), byte(1), one(4), byte(10)}),
              ElementsAre(10, 12, 13, 14));
}

// As tools write it that quantize while a model runs.
TEST_F(OnnxExtended, ProductsOfMatricesQuantizedOnTheWay) {
  const auto product = [&](ModelBuilder& m, const std::string& x, const std::string& weights) {
    const std::string relu = m.op("Identity", {x});
    m.node({.type = "DynamicQuantizeLinear",
            .inputs = {relu},
            .outputs = {"q", "scale", "zero"},
            .name = "dql"});
    const std::string sum = m.op("MatMulInteger", {"q", weights, "zero", m.constant(byte(1))});
    m.output(m.op("Mul", {m.op("Cast", {sum}, {{"to", 1}}), "scale"}));
  };
  const OnnxTensor w = OnnxTensor::of<uint8_t>({2, 1}, {2, 3});
  ModelBuilder known(13);
  product(known, known.constant(floats({1, 2}, {-5, 505})), known.constant(w));
  // The scale is 2; the halves -2.5 and 252.5 are rounded to -2 and 252.
  EXPECT_THAT(executed(known), near({2 * (-2 + 2 * 252)}));
  ModelBuilder open(13);
  open.input("x", OnnxType::float32, {"n", 2});
  product(open, "x", open.constant(w));
  EXPECT_EQ(shape(*prepare(open)), (Shape{any_dim, 1}));
}

TEST_F(OnnxExtended, QuantizedConvolutions) {
  const OnnxTensor x = OnnxTensor::of<uint8_t>({1, 1, 3}, {2, 3, 4});
  const OnnxTensor w = OnnxTensor::of<uint8_t>({2, 1, 2}, {1, 1, 2, 3});
  EXPECT_THAT(executed(10, "ConvInteger", {x, w, byte(1)}), ElementsAre(3, 5, 8, 13));
  EXPECT_THAT(executed(10, "ConvInteger", {x, w, byte(1), list<uint8_t>({1, 2})}, {{"pads", Ints{1, 0}}}),
              ElementsAre(0, 0, 0, 1, 2, 3));
  const OnnxTensor bias = list<int32_t>({4, 0});
  EXPECT_THAT(
      executed(10, "QLinearConv",
               {x, one(2), byte(1), w, floats({2}, {1, 2}), list<uint8_t>({0, 0}), one(4), byte(5), bias}),
      ElementsAre(9, 9, 13, 18));
}

// Spectra.

TEST_F(OnnxExtended, Windows) {
  const OnnxTensor four = OnnxTensor::scalar<int64_t>(4), five = OnnxTensor::scalar<int64_t>(5);
  EXPECT_THAT(eval(17, "HannWindow", {four}), near({0, 0.5, 1, 0.5}));
  EXPECT_THAT(eval(17, "HannWindow", {five}, {{"periodic", 0}, {"output_datatype", 11}}),
              near({0, 0.5, 1, 0.5, 0}));
  EXPECT_THAT(eval(17, "HammingWindow", {four}), near({4.0 / 46, 25.0 / 46, 1, 25.0 / 46}));
  EXPECT_THAT(eval(17, "BlackmanWindow", {four}), near({0, 0.34, 1, 0.34}));
}

TEST_F(OnnxExtended, MelWeightMatrix) {
  // Bands lie between the bins 0, 0, 2 and 4 of 9.
  const auto integer = [](int64_t v) { return OnnxTensor::scalar<int64_t>(v); };
  EXPECT_THAT(eval(17, "MelWeightMatrix", {integer(2), integer(16), integer(8000), one(0), one(4000)}),
              near({1, 0, 0.5, 0.5, 0, 1, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(OnnxExtended, FourierTransforms) {
  const OnnxTensor x = floats({1, 4, 1}, {1, 2, 3, 4});
  EXPECT_THAT(eval(17, "DFT", {x}), near({10, 0, -2, 2, -2, 0, -2, -2}));
  EXPECT_THAT(eval(17, "DFT", {x}, {{"onesided", 1}}), near({10, 0, -2, 2, -2, 0}));
  EXPECT_THAT(eval(17, "DFT", {x, OnnxTensor::scalar<int64_t>(2)}, {{"axis", -2}}), near({3, 0, -1, 0}));
  EXPECT_THAT(eval(17, "DFT", {floats({1, 2, 2}, {3, 0, -1, 0})}, {{"inverse", 1}}), near({1, 0, 2, 0}));
  EXPECT_THAT(eval(20, "DFT", {x, none(), OnnxTensor::scalar<int64_t>(1)}, {{"onesided", 1}}),
              near({10, 0, -2, 2, -2, 0}));
  ModelBuilder m(20);
  m.output(m.op("DFT", {m.constant(x), "", m.constant(OnnxTensor::scalar<int64_t>(-1))}));
  EXPECT_THAT(failure_of(m), HasSubstr("the axis is -1"));
  const OnnxTensor step = OnnxTensor::scalar<int64_t>(2), length = OnnxTensor::scalar<int64_t>(2);
  EXPECT_THAT(eval(17, "STFT", {x, step, none(), length}), near({3, 0, -1, 0, 7, 0, -1, 0}));
  EXPECT_THAT(eval(17, "STFT", {x, step, floats({2}, {1, 0})}), near({1, 0, 1, 0, 3, 0, 3, 0}));
  const OnnxTensor plain = floats({1, 4}, {1, 2, 3, 4});
  EXPECT_THAT(eval(17, "STFT", {plain, step, none(), length}), near({3, 0, -1, 0, 7, 0, -1, 0}));
}

// Losses.

TEST_F(OnnxExtended, NegativeLogLikelihood) {
  const OnnxTensor x = floats({3, 2}, {-1, -2, -3, -4, -5, -6}), labels = ints({0, 1, 1}),
                   w = floats({2}, {1, 3});
  const auto loss = [&](std::vector<OnnxTensor> inputs, std::vector<OnnxAttribute> attributes) {
    return eval(13, "NegativeLogLikelihoodLoss", inputs, std::move(attributes));
  };
  EXPECT_THAT(loss({x, labels}, {{"reduction", "none"}}), ElementsAre(1, 4, 6));
  EXPECT_THAT(loss({x, labels}, {{"reduction", "sum"}}), ElementsAre(11));
  EXPECT_THAT(loss({x, labels}, {}), near({11.0 / 3}));
  EXPECT_THAT(loss({x, labels, w}, {{"reduction", "none"}}), ElementsAre(1, 12, 18));
  EXPECT_THAT(loss({x, labels, w}, {}), near({31.0 / 7}));
  EXPECT_THAT(loss({x, labels}, {{"ignore_index", 0}}), ElementsAre(5));
  EXPECT_THAT(loss({x, ints({-7, 1, 0}), w}, {{"ignore_index", -7}, {"reduction", "none"}}),
              ElementsAre(0, 12, 5));
  EXPECT_THAT(loss({x, ints({-7, 1, 0}), w}, {{"ignore_index", -7}}), near({17.0 / 4}));
}

TEST_F(OnnxExtended, SoftmaxCrossEntropy) {
  const OnnxTensor x = floats({1, 2}, {0, std::log(3.0F)});
  EXPECT_THAT(eval(13, "SoftmaxCrossEntropyLoss", {x, ints({1})}, {}, 2, 0), near({-std::log(0.75)}));
  EXPECT_THAT(eval(13, "SoftmaxCrossEntropyLoss", {x, ints({1})}, {}, 2, 1),
              near({std::log(0.25), std::log(0.75)}));
}

// Images.

TEST_F(OnnxExtended, MaxUnpoolPutsElementsBack) {
  const OnnxTensor x = floats({1, 1, 2}, {5, 6}), at = OnnxTensor::of<int64_t>({1, 1, 2}, {1, 2});
  const std::vector<OnnxAttribute> by_two{{"kernel_shape", Ints{2}}, {"strides", Ints{2}}};
  EXPECT_THAT(eval(11, "MaxUnpool", {x, at}, by_two), ElementsAre(0, 5, 6, 0));
  EXPECT_THAT(eval(11, "MaxUnpool", {x, at, ints({1, 1, 5})}, by_two), ElementsAre(0, 5, 6, 0, 0));
}

TEST_F(OnnxExtended, GridSampleAndTheNamesOfItsModes) {
  const OnnxTensor x = floats({1, 1, 1, 3}, {1, 2, 4}), grid = floats({1, 1, 1, 2}, {0.5F, 0});
  for (const int version : {16, 20}) {
    const auto mode = [&](const char* name, int aligned) {
      return eval(version, "GridSample", {x, grid}, {{"mode", name}, {"align_corners", aligned}});
    };
    EXPECT_THAT(mode(version == 16 ? "bilinear" : "linear", 1), near({3}));
    EXPECT_THAT(mode("nearest", 0), near({4}));
    EXPECT_THAT(mode(version == 16 ? "bilinear" : "linear", 0), near({3.5}));
  }
  const OnnxTensor outside = floats({1, 1, 1, 2}, {9, 0});
  EXPECT_THAT(eval(16, "GridSample", {x, outside}), near({0}));
  EXPECT_THAT(eval(16, "GridSample", {x, outside}, {{"padding_mode", "border"}}), near({4}));
}

TEST_F(OnnxExtended, LpPool) {
  const OnnxTensor x = floats({1, 1, 4}, {3, -4, 0, 2});
  const Ints two{2};
  EXPECT_THAT(eval(11, "LpPool", {x}, {{"kernel_shape", two}, {"strides", two}}), near({5, 2}));
  EXPECT_THAT(eval(11, "LpPool", {x}, {{"kernel_shape", two}, {"p", 1}, {"pads", Ints{1, 0}}}),
              near({3, 7, 4, 2}));
  // SAME goes by the stride alone: ceil(3 / 2) places, one zero at the end.
  EXPECT_THAT(
      eval(18, "LpPool", {floats({1, 1, 3}, {1, -2, 3})},
           {{"kernel_shape", two}, {"strides", two}, {"p", 1}, {"auto_pad", "SAME_UPPER"}, {"ceil_mode", 1}}),
      near({3, 3}));
}

// As numpy.einsum reads them.
TEST_F(OnnxExtended, EquationsHaveTheirResult) {
  EXPECT_EQ(explicit_equation("bij, bjk"), "bij,bjk->ik");
  EXPECT_EQ(explicit_equation("ba"), "ba->ab");
  EXPECT_EQ(explicit_equation("ii"), "ii->");
  EXPECT_EQ(explicit_equation("...ij,jk"), "...ij,jk->...ik");
  EXPECT_EQ(explicit_equation("i j -> j"), "ij->j");
}

TEST_F(OnnxExtended, DequantizedToAnotherType) {
  ModelBuilder m(23);
  m.input("x", OnnxType::uint8, {2});
  m.output(
      m.op("DequantizeLinear", {"x", m.constant(one(0.5F)), m.constant(byte(1))}, {{"output_dtype", 10}}));
  const auto g = prepare(m);
  EXPECT_EQ(g->out(output(*g)).tensor.type, ElementType::f16);
}

TEST_F(OnnxExtended, CenterCropPad) {
  const OnnxTensor x = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(eval(18, "CenterCropPad", {x, ints({3, 1})}), ElementsAre(2, 6, 0));
  EXPECT_THAT(eval(18, "CenterCropPad", {x, ints({5})}, {{"axes", Ints{-2}}}),
              ElementsAre(0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(OnnxExtended, Col2ImAddsWhatOverlaps) {
  const OnnxTensor x = floats({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(eval(18, "Col2Im", {x, ints({1, 3}), ints({1, 2})}), ElementsAre(1, 5, 4));
  EXPECT_THAT(eval(18, "Col2Im", {x, ints({1, 4}), ints({1, 2})}, {{"strides", Ints{1, 2}}}),
              ElementsAre(1, 3, 2, 4));
}

TEST_F(OnnxExtended, GroupNormalizationHasScalesForGroupsThenForChannels) {
  const OnnxTensor x = floats({1, 4, 1}, {-1, 1, 3, 5});
  EXPECT_THAT(eval(18, "GroupNormalization", {x, floats({2}, {1, 2}), floats({2}, {0, 1})},
                   {{"num_groups", 2}, {"epsilon", 0.0F}}),
              near({-1, 1, -1, 3}));
  EXPECT_THAT(eval(21, "GroupNormalization", {x, floats({4}, {1, 2, 3, 4}), floats({4}, {0, 0, 0, 1})},
                   {{"num_groups", 2}, {"epsilon", 0.0F}}),
              near({-1, 2, -3, 5}));
}

// Random numbers.

TEST_F(OnnxExtended, DrawnNumbersHaveTheShapeAndTypeAskedFor) {
  EXPECT_EQ(shape(*single(15, "Bernoulli", {2, 3}, {}, {{"dtype", 11}, {"seed", 0.5F}})), (Shape{2, 3}));
  const auto like = single(15, "RandomUniformLike", {2, 3}, {}, {{"low", 1.0F}, {"dtype", 10}});
  EXPECT_EQ(like->out(output(*like)).tensor.type, ElementType::f16);
  ModelBuilder m(15);
  m.output(m.op("RandomUniform", {}, {{"shape", Ints{4, 5}}}));
  EXPECT_EQ(shape(*prepare(m)), (Shape{4, 5}));
}

// Models that tell little.

TEST_F(OnnxExtended, RanksNeedNotBeKnown) {
  const OnnxTensor three = ints({3, 3}), numbers = floats({2}, {1, 2}),
                   axis = OnnxTensor::scalar<int64_t>(-2);
  struct Row {
    int64_t version;
    const char* type;
    std::vector<OnnxTensor> constants;
    std::vector<OnnxAttribute> attributes;
  };
  const std::vector<Row> rows{
      {14, "Trilu", {}, {}},
      {9, "EyeLike", {}, {}},
      {10, "ReverseSequence", {three}, {}},
      {11, "Unique", {}, {}},
      {9, "Shrink", {}, {}},
      {10, "QuantizeLinear", {one(2)}, {}},
      {13, "QuantizeLinear", {numbers}, {}},
      {13, "QuantizeLinear", {numbers}, {{"axis", -1}}},
      {11, "DynamicQuantizeLinear", {}, {}},
      {13, "NegativeLogLikelihoodLoss", {three}, {}},
      {13, "SoftmaxCrossEntropyLoss", {three}, {{"ignore_index", 1}}},
      {16, "GridSample", {floats({1, 1, 1, 2}, {0, 0})}, {}},
      {11, "LpPool", {}, {{"kernel_shape", Ints{2, 2}}}},
      {18, "CenterCropPad", {three}, {{"axes", Ints{0, -1}}}},
      {18, "CenterCropPad", {three}, {}},
      {18, "Col2Im", {three, three}, {}},
      {18, "GroupNormalization", {numbers, numbers}, {{"num_groups", 2}}},
      {15, "Bernoulli", {}, {}},
      {15, "RandomUniformLike", {}, {}},
      {11, "MaxUnpool", {OnnxTensor::of<int64_t>({1, 1, 1}, {0})}, {{"kernel_shape", Ints{2}}}},
  };
  for (const Row& row : rows) {
    ModelBuilder m(row.version);
    m.input("x", OnnxType::float32);
    std::vector<std::string> inputs{m.op("Relu", {"x"})};
    for (const OnnxTensor& t : row.constants) inputs.push_back(m.constant(t));
    m.output(m.op(row.type, inputs, row.attributes));
    EXPECT_EQ(failure_of(m), "") << row.type;
  }
}

TEST_F(OnnxExtended, WrongAttributesAreNamed) {
  const auto failure = [&](int64_t version, std::string_view type, std::vector<OnnxAttribute> attributes,
                           size_t inputs) {
    ModelBuilder m(version);
    std::vector<std::string> names;
    for (size_t i = 0; i < inputs; ++i) {
      names.push_back("x" + std::to_string(i));
      m.input(names.back(), OnnxType::float32);
    }
    m.output(m.op(type, names, std::move(attributes)));
    return failure_of(m);
  };
  EXPECT_THAT(failure(11, "NonMaxSuppression", {{"center_point_box", 2}}, 2),
              HasSubstr("'center_point_box' is 2"));
  EXPECT_THAT(failure(16, "RoiAlign", {{"mode", "sum"}}, 3),
              HasSubstr("'mode' is 'sum', expected avg or max"));
  EXPECT_THAT(failure(16, "RoiAlign", {{"coordinate_transformation_mode", "none"}}, 3),
              HasSubstr("'coordinate_transformation_mode' is 'none'"));
  EXPECT_THAT(failure(16, "GridSample", {{"mode", "area"}}, 2), HasSubstr("'mode' is 'area'"));
  EXPECT_THAT(failure(13, "NegativeLogLikelihoodLoss", {{"reduction", "max"}}, 2),
              HasSubstr("'reduction' is 'max'"));
  EXPECT_THAT(failure(18, "GroupNormalization", {{"num_groups", 0}}, 3), HasSubstr("'num_groups' is 0"));
  EXPECT_THAT(failure(18, "Col2Im", {{"strides", Ints{1, 1, 1}}}, 3), HasSubstr("'strides' has 3 entries"));
  EXPECT_THAT(failure(17, "HannWindow", {{"output_datatype", 7}}, 1), HasSubstr("'output_datatype' is"));
  EXPECT_THAT(failure(17, "DFT", {}, 1), HasSubstr("real or complex"));
}

}  // namespace mo::test
