// Quantized models: pairs of QuantizeLinear and DequantizeLinear, packed weights, blocks.
#include "operator_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

class OnnxQuantized : public OnnxOperators {
 protected:
  static auto near(const std::vector<double>& v) { return Pointwise(DoubleNear(1e-5), v); }
  // The constant at input `i` of a node.
  static std::vector<double> input(const core::Graph& g, core::NodeId n, uint32_t i) {
    const core::TensorRef& value = g.out(g.source({n, i})).tensor.value;
    if (!value) return {};
    const Tensor t = Tensor::borrow(session_host(), value.get());
    return t.to_floats<double>();
  }
  // What a pair makes of x [2, 3].
  static std::string pair(ModelBuilder& m, const OnnxTensor& scale, const OnnxTensor& zero,
                          const std::vector<OnnxAttribute>& attributes = {}) {
    m.input("x", OnnxType::float32, {2, 3});
    const std::string s = m.constant(scale), z = m.constant(zero);
    return m.op("DequantizeLinear", {m.op("QuantizeLinear", {"x", s, z}, attributes), s, z}, attributes);
  }
};

TEST_F(OnnxQuantized, APairIsAFakeQuantize) {
  ModelBuilder m(13);
  m.output(pair(m, OnnxTensor::scalar<float>(0.5F), OnnxTensor::scalar<uint8_t>(3)));
  const core::GraphPtr g = prepare(m);
  ASSERT_EQ(count(*g, "FakeQuantize"), 1U) << app::to_text(*g);
  const core::NodeId f = g->nodes_of("FakeQuantize").front();
  EXPECT_EQ(attribute<int64_t>(*g, f, "levels"), 256);
  for (const uint32_t i : {1U, 3U}) EXPECT_THAT(input(*g, f, i), near({-1.5}));
  for (const uint32_t i : {2U, 4U}) EXPECT_THAT(input(*g, f, i), near({126}));
}

TEST_F(OnnxQuantized, APairWithAScaleForEachChannel) {
  ModelBuilder m(13);
  m.output(pair(m, floats({2}, {1, 2}), OnnxTensor::of<int8_t>({2}, {0, 1}), {{"axis", 0}}));
  const core::GraphPtr g = prepare(m);
  ASSERT_EQ(count(*g, "FakeQuantize"), 1U) << app::to_text(*g);
  const core::NodeId f = g->nodes_of("FakeQuantize").front();
  EXPECT_THAT(input(*g, f, 1), near({-128, -258}));
  EXPECT_THAT(input(*g, f, 2), near({127, 252}));
  EXPECT_EQ(g->out(g->source({f, 1})).tensor.shape, (Shape{2, 1}));
}

TEST_F(OnnxQuantized, SixteenBits) {
  ModelBuilder m(21);
  m.output(pair(m, OnnxTensor::scalar<float>(1), OnnxTensor::scalar<uint16_t>(32768)));
  const core::GraphPtr g = prepare(m);
  ASSERT_EQ(count(*g, "FakeQuantize"), 1U);
  EXPECT_EQ(attribute<int64_t>(*g, g->nodes_of("FakeQuantize").front(), "levels"), 65536);
}

// Both say the same halfway between two numbers.
TEST_F(OnnxQuantized, IntegersThatAreAnOutputStayArithmetic) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2, 3});
  const std::string zero = m.constant(OnnxTensor::scalar<uint8_t>(3));
  const auto scale = [&](float v) { return m.constant(OnnxTensor::scalar<float>(v)); };
  const std::string q = m.op("QuantizeLinear", {"x", scale(2), zero});
  m.output(q);
  m.output(m.op("DequantizeLinear", {q, scale(4), zero}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(count(*g, "Round"), 1U);
  EXPECT_EQ(count(*g, "FakeQuantize"), 0U) << app::to_text(*g);
}

TEST_F(OnnxQuantized, IntegersThatAreReadElsewhereStayArithmetic) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2, 3});
  const std::string zero = m.constant(OnnxTensor::scalar<uint8_t>(3));
  const auto scale = [&](float v) { return m.constant(OnnxTensor::scalar<float>(v)); };
  const std::string q = m.op("QuantizeLinear", {"x", scale(2), zero});
  m.output(m.op("Cast", {q}, {{"to", 6}}));
  m.output(m.op("DequantizeLinear", {q, scale(4), zero}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(count(*g, "Round"), 1U);
  ASSERT_EQ(count(*g, "FakeQuantize"), 1U) << app::to_text(*g);
  const core::NodeId f = g->nodes_of("FakeQuantize").front();
  EXPECT_THAT(input(*g, f, 1), near({-6}));
  EXPECT_THAT(input(*g, f, 3), near({-12}));
}

// A chain of operators on 8-bit numbers: nothing but FakeQuantize, floats, and weights of 8 bits.
TEST_F(OnnxQuantized, OperatorsOnIntegersAreFloatsBetweenFakeQuantize) {
  ModelBuilder m(13);
  m.opset("com.microsoft", 1);
  m.input("x", OnnxType::float32, {1, 2, 6, 6});
  const std::string zero = m.constant(OnnxTensor::scalar<uint8_t>(128)),
                    s = m.constant(OnnxTensor::scalar<float>(0.5F));
  const std::string w = m.constant(OnnxTensor::of<int8_t>({2, 2, 1, 1}, {10, -20, 30, 40}));
  const std::string ws = m.constant(floats({2}, {0.01F, 0.02F})),
                    wz = m.constant(OnnxTensor::of<int8_t>({2}, {0, 0}));
  const std::string bias = m.constant(OnnxTensor::of<int32_t>({2}, {100, -100}));
  const auto conv = [&](const std::string& x) {
    return m.op("QLinearConv", {x, s, zero, w, ws, wz, s, zero, bias});
  };
  const std::string first = conv(m.op("QuantizeLinear", {"x", s, zero}));
  const std::string pooled =
      m.op("MaxPool", {first}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
  const std::string second = conv(pooled);
  m.node({.type = "QLinearAdd",
          .inputs = {pooled, s, zero, second, s, zero, s, zero},
          .outputs = {"sum"},
          .name = "add",
          .domain = "com.microsoft"});
  m.output(m.op("DequantizeLinear", {"sum", s, zero}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(count(*g, "FakeQuantize"), 4U) << app::to_text(*g);
  for (const char* op : {"Round", "Clamp", "Divide"}) EXPECT_EQ(count(*g, op), 0U) << app::to_text(*g);
  ASSERT_EQ(count(*g, "Convolution"), 2U);
  for (const core::NodeId c : g->nodes_of("Convolution")) {
    const core::NodeId scaled = g->source({c, 1}).node;
    ASSERT_EQ(g->op(scaled), "Multiply");
    const core::NodeId convert = g->source({scaled, 0}).node;
    ASSERT_EQ(g->op(convert), "Convert");
    EXPECT_EQ(g->out(g->source({convert, 0})).tensor.type, ElementType::i8);
  }
  EXPECT_EQ(g->out(g->source({g->nodes_of("MaxPool").front(), 0})).tensor.type, ElementType::f32);
}

TEST_F(OnnxQuantized, WeightsStayPacked) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 2});
  const std::string w = m.op(
      "DequantizeLinear", {m.constant(OnnxTensor::of<int8_t>({2, 2}, {1, 2, 3, 4})),
                           m.constant(floats({2}, {1, 2})), m.constant(OnnxTensor::of<int8_t>({2}, {5, 6}))});
  m.output(m.op("MatMul", {"x", w}));
  const core::GraphPtr g = prepare(m);
  size_t packed = 0;
  for (const core::NodeId n : g->nodes_of("Const")) {
    const core::TensorState& t = g->out({n, 0}).tensor;
    packed += t.type == ElementType::i8 && t.shape == Shape{2, 2} ? 1 : 0;
  }
  EXPECT_EQ(packed, 1U) << app::to_text(*g);
  EXPECT_EQ(count(*g, "Convert"), 1U) << app::to_text(*g);
}

TEST_F(OnnxQuantized, BlocksOfOneScale) {
  const OnnxTensor x = OnnxTensor::of<uint8_t>({1, 4}, {3, 5, 7, 9}), scale = floats({1, 2}, {1, 10});
  const OnnxTensor zero = OnnxTensor::of<uint8_t>({1, 2}, {1, 5});
  ModelBuilder m(21);
  // A Reshape, so that what is computed is no constant yet when it is looked at.
  const std::string data = m.op("Reshape", {m.constant(x), m.constant(ints({1, 4}))});
  m.output(m.op("DequantizeLinear", {m.constant(x), m.constant(scale), m.constant(zero)},
                {{"axis", 1}, {"block_size", 2}}));
  m.output(m.op("DequantizeLinear", {data, m.constant(scale), m.constant(zero)},
                {{"axis", 1}, {"block_size", 2}}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(shape(*g, 0), (Shape{1, 4}));
  EXPECT_THAT(values(*g, 1), ElementsAre(2, 4, 20, 40));
  EXPECT_THAT(eval(21, "QuantizeLinear", {floats({1, 4}, {2, 4, 20, 40}), scale, zero},
                   {{"axis", 1}, {"block_size", 2}}),
              ElementsAre(3, 5, 7, 9));
}

}  // namespace mo::test
