// What models of one operator compute from constants, or why they are refused, is in rows/:
//
//     Div@14 (i64[2] {-7,7}; i64[2] {2,2}) -> {-3,3}
//     Unique (f32[5] {2,1,1,3,2}) -> near {2,1,3}; any; within 1 {2,2,1}
//     CDist ($x; $x) {metric="cosine"} -> error: 'metric' is 'cosine'
//
// With "@14" it is an operator of ONNX 14, and its outputs are known when the model is converted; without it
// is one of com.microsoft, and its model is run; "::" is before an operator that onnxruntime adds to ONNX's
// own domain. "_" is an input or an output that is left out, "any" an output that is not looked at.
// Attributes are numbers, with a dot where they are floats, texts, tensors, and lists of these in brackets.
// Numbers are the same, "within" a number, or "near", as sums are rounded in another order than in the
// runtime.
#include <cmath>

#include "core/infer/execute.hpp"
#include "operator_fixture.hpp"
#include "text_rows.hpp"

namespace mo::test {
namespace {

struct OperatorOutput {
  bool connected = true, compared = true;
  std::vector<double> numbers = {};
  double within = 0;
};

struct OperatorRow {
  std::string type;
  int64_t version = 17;
  bool microsoft = true;  // its domain is imported
  std::vector<OnnxTensor> inputs = {};
  std::vector<OnnxAttribute> attributes = {};
  std::vector<OperatorOutput> outputs = {};
  std::string error = {}, place = {};
};

void PrintTo(const OperatorRow& r, std::ostream* out) { *out << r.place << ": " << r.type; }

OnnxTensor onnx_tensor_of(const std::string& text) {
  if (text == "_") return {};
  const RowTensor t = tensor_of(text);
  switch (t.type) {
    case ElementType::f32:
      return OnnxTensor::of(t.dims, elements_of<float>(t));
    case ElementType::u8:
      return OnnxTensor::of(t.dims, elements_of<uint8_t>(t));
    case ElementType::i8:
      return OnnxTensor::of(t.dims, elements_of<int8_t>(t));
    case ElementType::u16:
      return OnnxTensor::of(t.dims, elements_of<uint16_t>(t));
    case ElementType::i16:
      return OnnxTensor::of(t.dims, elements_of<int16_t>(t));
    case ElementType::i32:
      return OnnxTensor::of(t.dims, elements_of<int32_t>(t));
    case ElementType::i64:
      return OnnxTensor::of(t.dims, elements_of<int64_t>(t));
    case ElementType::boolean: {
      const auto flags = elements_of<uint8_t>(t);
      return OnnxTensor::raw(OnnxType::boolean, t.dims, std::as_bytes(std::span(flags)));
    }
    default:
      throw std::runtime_error("inputs of rows are not " + std::string(name(t.type)));
  }
}

OnnxAttribute onnx_attribute_of(const std::string& part) {
  const size_t is = part.find('=');
  if (is == part.npos) throw std::runtime_error("expected \"name=value\", found \"" + part + '"');
  const std::string name = part.substr(0, is), value = part.substr(is + 1);
  if (value.size() > 1 && value.front() == '"') return {name, value.substr(1, value.size() - 2)};
  if (value.find('{') != value.npos) return {name, onnx_tensor_of(value)};
  const bool list = value.size() > 1 && value.front() == '[',
             floats = value.find_first_of(".en") != value.npos;
  // A list of numbers is as long as it is.
  const auto parts =
      list ? split_row(value.substr(1, value.size() - 2), ',') : std::vector<std::string>{value};
  Ints integers;
  Floats numbers;
  for (const std::string& v : parts) {
    numbers.push_back(static_cast<float>(number_of(v)));
    if (!floats) integers.push_back(std::stoll(v));
  }
  if (list) return floats ? OnnxAttribute(name, numbers) : OnnxAttribute(name, integers);
  return floats ? OnnxAttribute(name, numbers[0]) : OnnxAttribute(name, integers[0]);
}

// How far sums that are rounded in another order may be away.
double rounding_of(const std::vector<double>& numbers) {
  double largest = 1;
  for (const double v : numbers) largest = std::max(largest, std::abs(v));
  return 2e-4 * largest;
}

OperatorOutput output_of(const std::string& text) {
  if (text == "_") return {.connected = false, .compared = false};
  if (text == "any") return {.compared = false};
  RowReader in(text);
  OperatorOutput out;
  const bool near = in.accept("near ");
  if (in.accept("within ")) out.within = number_of(in.word());
  out.numbers = read_numbers(in);
  if (!in.at_end()) in.fail("the end of an output");
  if (near) out.within = rounding_of(out.numbers);
  return out;
}

OperatorRow read_operator(RowReader& in) {
  OperatorRow r;
  r.type = in.word();
  if (const size_t at = r.type.find('@'); at != r.type.npos) {
    r.version = RowReader(std::string_view(r.type).substr(at + 1)).number();
    r.type = "::" + r.type.substr(0, at);
    r.microsoft = false;
  }
  for (const std::string& input : split_row(in.bracketed('(', ')')))
    r.inputs.push_back(onnx_tensor_of(input));
  if (in.starts("{"))
    for (const std::string& a : split_row(in.bracketed('{', '}'), ','))
      r.attributes.push_back(onnx_attribute_of(a));
  in.expect("->");
  if (in.accept("error: ")) {
    r.error = in.rest();
    if (r.error.empty()) in.fail("what the error says");
    return r;
  }
  bool compared = false;
  for (const std::string& output : split_row(in.rest())) {
    r.outputs.push_back(output_of(output));
    compared = compared || r.outputs.back().compared;
  }
  if (!compared) in.fail("what the operator computes");
  return r;
}

const RowTable<OperatorRow>& operator_rows() {
  static const auto table = row_table<OperatorRow>("onnx/rows", read_operator);
  return table;
}

class OnnxMicrosoft : public OnnxOperators {
 protected:
  static constexpr const char* domain = "com.microsoft";

  static void build(ModelBuilder& m, const OperatorRow& r) {
    const bool plain = r.type.starts_with("::");
    OnnxNode n{.type = plain ? r.type.substr(2) : r.type,
               .attributes = r.attributes,
               .name = "op",
               .domain = plain ? "" : domain};
    if (r.microsoft) m.opset(domain, 1);
    for (const OnnxTensor& t : r.inputs)
      n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    n.outputs.resize(std::max<size_t>(1, r.outputs.size()));
    for (size_t i = 0; i < n.outputs.size(); ++i) {
      if (i < r.outputs.size() && !r.outputs[i].connected) continue;
      n.outputs[i] = "y" + std::to_string(i);
      m.output(n.outputs[i]);
    }
    m.node(n);
  }
  // What all outputs have when the model has run: packed weights are not computed ahead.
  std::vector<std::vector<double>> results_of(const ModelBuilder& m) {
    const auto g = prepare(m);
    core::Session& session = *sessions_.back();
    session.executing = true;
    std::vector<std::vector<double>> all;
    for (const core::TensorRef& t : core::execute(session, *g, {})) all.push_back(values_of(t));
    return all;
  }
};

class OnnxRows : public OnnxMicrosoft, public testing::WithParamInterface<OperatorRow> {};

TEST_P(OnnxRows, GiveWhatTheySay) {
  const OperatorRow& r = GetParam();
  ModelBuilder m(r.version);
  build(m, r);
  if (!r.error.empty()) {
    EXPECT_THAT(failure_of(m), testing::HasSubstr(r.error));
    return;
  }
  const auto results = r.microsoft ? results_of(m) : std::vector<std::vector<double>>();
  const core::GraphPtr known = r.microsoft ? nullptr : prepare(m);
  size_t at = 0;
  for (const OperatorOutput& wanted : r.outputs) {
    if (wanted.compared) {
      EXPECT_THAT(known ? values(*known, at) : results.at(at),
                  testing::Pointwise(testing::DoubleNear(wanted.within), wanted.numbers))
          << "output " << &wanted - r.outputs.data();
    }
    if (wanted.connected) ++at;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, OnnxRows, testing::ValuesIn(operator_rows().rows),
                         [](const auto& r) { return row_name(r.param.place); });

TEST(OnnxTables, AreAllRead) {
  EXPECT_THAT(operator_rows().wrong, testing::IsEmpty());
  EXPECT_GE(operator_rows().rows.size(), 315U);
  RecordProperty("rows", static_cast<int>(operator_rows().rows.size()));
}

TEST_F(OnnxMicrosoft, ShapesMayBeOpen) {
  ModelBuilder m(17);
  m.opset(domain, 1);
  m.input("x", OnnxType::float32, {"batch", "length", 4});
  m.input("past", OnnxType::float32, {2, "batch", 2, "before", 2});
  m.initializer("w", floats({4, 12}, std::vector<float>(48, 0.5F)));
  m.node({.type = "Attention",
          .inputs = {"x", "w", "", "", "past"},
          .outputs = {"y", "present"},
          .attributes = {{"num_heads", 2}, {"unidirectional", 1}},
          .domain = domain});
  m.output("y");
  m.output("present");
  const auto g = prepare(m);
  EXPECT_EQ(shape(*g, 0).rank(), 3);
  EXPECT_EQ(shape(*g, 1).rank(), 5);
  EXPECT_EQ(shape(*g, 1)[2], Dim(2));
}

// Numbers (7 * i + i / 5) % 16, for signed ones less 8. Without zero points these are 0, of bytes the middle.
TEST_F(OnnxMicrosoft, GatherBlockQuantizedOfTypedTables) {
  const auto gathered = [&](OnnxType type, int64_t axis, bool points) {
    std::vector<uint8_t> bytes(48), zeros{0x21, 0x43, 0x65};
    for (size_t i = 0; i < 96; ++i) {
      const size_t v = (i * 7 + i / 5) % 16, q = type == OnnxType::int4 ? (v + 8) % 16 : v;
      bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] | (q << (i % 2 * 4)));
    }
    const auto raw = [&](const std::vector<uint8_t>& v, std::vector<int64_t> dims) {
      return OnnxTensor::raw(type, std::move(dims), std::as_bytes(std::span(v)));
    };
    const std::vector<int64_t> dims = axis == 1 ? Ints{3, 32} : Ints{32, 3},
                               scales = axis == 1 ? Ints{3, 2} : Ints{2, 3};
    std::vector<OnnxTensor> inputs{raw(bytes, dims), OnnxTensor::of<int64_t>({2}, {2, 0}),
                                   floats(scales, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F})};
    if (points) inputs.push_back(raw(zeros, scales));
    ModelBuilder m(17);
    build(m, {.type = "GatherBlockQuantized",
              .inputs = inputs,
              .attributes = {{"block_size", 16}, {"quantize_axis", axis}, {"gather_axis", 1 - axis}}});
    auto y = results_of(m).at(0);
    y.resize(6);
    return y;
  };
  const auto near = [](const std::vector<double>& v) {
    return testing::Pointwise(testing::DoubleNear(rounding_of(v)), v);
  };
  EXPECT_THAT(gathered(OnnxType::uint4, 1, false), near({6, 2, 5.5, 1, 4.5, 0}));
  EXPECT_THAT(gathered(OnnxType::uint4, 1, true), near({3.5, -0.5, 3, -1.5, 2, -2.5}));
  EXPECT_THAT(gathered(OnnxType::uint4, 0, false), near({4.2, 0, 1.2, 0.5, 2.7, 1.1}));
  EXPECT_THAT(gathered(OnnxType::uint4, 0, true), near({3.3, -0.1, 0.3, 0.4, 1.8, 1}));
  EXPECT_THAT(gathered(OnnxType::int4, 1, false), near({2, -2, 1.5, -3, 0.5, -4}));
  EXPECT_THAT(gathered(OnnxType::int4, 1, true), near({-0.5, -4.5, -1, -5.5, -2, -6.5}));
  EXPECT_THAT(gathered(OnnxType::int4, 0, false), near({1.8, -0.8, -1.2, -0.3, 0.3, 0.3}));
  EXPECT_THAT(gathered(OnnxType::int4, 0, true), near({0.9, -0.9, -2.1, -0.4, -0.6, 0.2}));
}

TEST_F(OnnxMicrosoft, WeightsStayPacked) {
  ModelBuilder m(17);
  m.opset(domain, 1);
  m.input("x", OnnxType::float32, {"n", 32});
  m.initializer("w", OnnxTensor::of<uint8_t>({3, 2, 8}, std::vector<uint8_t>(48, 0x21)));
  m.initializer("s", floats({6}, {1, 2, 3, 4, 5, 6}));
  m.initializer("z", OnnxTensor::of<uint8_t>({3}, {0x87, 0x65, 0x43}));
  m.node({.type = "MatMulNBits",
          .inputs = {"x", "w", "s", "z"},
          .outputs = {"y"},
          .attributes = {{"K", 32}, {"N", 3}, {"bits", 4}, {"block_size", 16}},
          .name = "op",
          .domain = domain});
  m.output("y");
  const auto g = prepare(m);
  size_t packed = 0;
  for (const core::NodeId n : g->nodes_of("Const"))
    if (g->out({n, 0}).tensor.type == ElementType::u4) ++packed;
  EXPECT_EQ(packed, 2U) << app::to_text(*g);  // weights and zero points
  EXPECT_EQ(shape(*g), (Shape{any_dim, 3}));
}

}  // namespace
}  // namespace mo::test
