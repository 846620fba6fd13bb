// Models as text, with what they compute: the files in cases/, which write_cases.py writes there. Those of
// published.txt are node tests of ONNX's releases from 1.13 on; figures of classical.txt are
// onnxruntime 1.30's.
#include <cmath>
#include <sstream>

#include <mo/small_floats.hpp>

#include "core/infer/execute.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

struct CaseTensor {
  std::string name;
  ElementType type = ElementType::unknown;
  std::vector<int64_t> dims;
  std::vector<double> values;
};

struct Case {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<OnnxNode> nodes;
  std::vector<CaseTensor> inputs, constants, outputs;
  std::string
      refused;  // "open WORDS": what an error says where sizes of inputs are open, which have to be known
  double slack = 0;  // "slack N": how far a figure may be away, where a kernel rounds sums of its own order
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<std::string> split_list(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text == "-" ? "" : text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part == "-" ? "" : part);
  return parts;
}

ElementType type_named(const std::string& name) {
  for (const ElementType t : {ElementType::f32, ElementType::f64, ElementType::i64, ElementType::i32,
                              ElementType::boolean, ElementType::u8, ElementType::i8, ElementType::u16,
                              ElementType::i16, ElementType::u32, ElementType::u64, ElementType::f8e4m3})
    if (mo::name(t) == name) return t;
  throw std::runtime_error("no type " + name);
}

OnnxType onnx_type(ElementType t) {
  switch (t) {
    case ElementType::f32:
      return OnnxType::float32;
    case ElementType::f64:
      return OnnxType::float64;
    case ElementType::i32:
      return OnnxType::int32;
    case ElementType::i64:
      return OnnxType::int64;
    case ElementType::boolean:
      return OnnxType::boolean;
    case ElementType::u8:
      return OnnxType::uint8;
    case ElementType::i8:
      return OnnxType::int8;
    case ElementType::u16:
      return OnnxType::uint16;
    case ElementType::i16:
      return OnnxType::int16;
    case ElementType::u32:
      return OnnxType::uint32;
    case ElementType::f8e4m3:
      return OnnxType::float8e4m3fn;
    default:
      return OnnxType::uint64;
  }
}

// NAME TYPE DIMS : VALUES
CaseTensor read_tensor(std::istringstream& line) {
  CaseTensor t;
  std::string type, dims, colon;
  line >> t.name >> type >> dims >> colon;
  t.type = type_named(type);
  for (const std::string& d : split_list(dims, ',')) t.dims.push_back(std::stoll(d));
  for (std::string v; line >> v;) t.values.push_back(std::stod(v));
  return t;
}

std::string bytes_of(const CaseTensor& t) {
  std::string bytes(t.values.size() * static_cast<size_t>(bits(t.type)) / 8, '\0');
  for (size_t i = 0; i < t.values.size(); ++i) {
    if (t.type != ElementType::f8e4m3) {
      store_number(bytes.data(), t.type, i, t.values[i]);
      continue;
    }
    for (int b = 255; b >= 0; --b)
      if (small_float_value(t.type, static_cast<unsigned>(b)) == t.values[i]) bytes[i] = static_cast<char>(b);
  }
  return bytes;
}
OnnxTensor onnx_tensor(const CaseTensor& t) {
  const std::string bytes = bytes_of(t);
  return OnnxTensor::raw(onnx_type(t.type), t.dims, std::as_bytes(std::span(bytes)));
}

OnnxAttribute read_attribute(std::istringstream& line) {
  std::string name, kind;
  line >> name >> kind;
  std::vector<std::string> values;
  for (std::string v; line >> v;) values.push_back(v);
  if (kind == "i") return {name, static_cast<int64_t>(std::stoll(values.at(0)))};
  if (kind == "f") return {name, std::stof(values.at(0))};
  if (kind == "s") return {name, values.at(0)};
  Ints ints;
  Floats floats;
  for (const std::string& v : values) {
    if (kind == "is") ints.push_back(std::stoll(v));
    if (kind == "fs") floats.push_back(std::stof(v));
  }
  if (kind == "is") return {name, ints};
  if (kind == "fs") return {name, floats};
  return {name, Strings(values.begin(), values.end())};
}

std::vector<Case> read_cases(const std::string& file) {
  std::ifstream in(MO_SOURCE_DIR "/tests/plugins/onnx/cases/" + file);
  std::vector<Case> cases;
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word.empty() || word[0] == '#') continue;
    if (word == "case") {
      line >> cases.emplace_back().name;
      continue;
    }
    Case& c = cases.at(cases.size() - 1);
    if (word == "opset") {
      std::string domain;
      int64_t version = 0;
      line >> domain >> version;
      c.opsets.emplace_back(domain == "-" ? "" : domain, version);
    } else if (word == "slack") {
      line >> c.slack;
    } else if (word == "open") {
      std::getline(line >> std::ws, c.refused);
    } else if (word == "node") {
      OnnxNode n;
      std::string domain, inputs, outputs;
      line >> domain >> n.type >> inputs >> outputs;
      n.domain = domain == "-" ? "" : domain;
      n.inputs = split_list(inputs, ',');
      n.outputs = split_list(outputs, ',');
      c.nodes.push_back(n);
    } else if (word == "attribute") {
      c.nodes.back().attributes.push_back(read_attribute(line));
    } else if (word == "tensor") {
      const CaseTensor t = read_tensor(line);
      c.nodes.back().attributes.emplace_back(t.name, onnx_tensor(t));
    } else if (word == "in" || word == "out" || word == "constant") {
      (word == "in" ? c.inputs : word == "out" ? c.outputs : c.constants).push_back(read_tensor(line));
    } else {
      throw std::runtime_error(file + ": " + text);
    }
  }
  return cases;
}

class OnnxCases : public Onnx, public testing::WithParamInterface<Case> {
 protected:
  // Dimensions of inputs are open, but for the rank; or as the figures have them.
  void expect_figures(bool open) {
    const Case& c = GetParam();
    int64_t version = 1;
    for (const auto& [domain, v] : c.opsets)
      if (domain.empty()) version = v;
    ModelBuilder m(version);
    for (const auto& [domain, v] : c.opsets)
      if (!domain.empty()) m.opset(domain, v);
    std::vector<core::TensorRef> inputs;
    for (const CaseTensor& t : c.inputs) {
      std::vector<OnnxDim> dims;
      for (const int64_t d : t.dims) dims.push_back(open ? OnnxDim::unknown() : OnnxDim(d));
      m.input(t.name, onnx_type(t.type), dims);
      inputs.push_back(core::make_tensor_from_bytes(t.type, t.dims, bytes_of(t)));
    }
    for (const CaseTensor& t : c.constants) m.initializer(t.name, onnx_tensor(t));
    for (const OnnxNode& n : c.nodes) m.node(n);
    for (const CaseTensor& t : c.outputs) m.output(t.name);
    if (open && !c.refused.empty()) {
      EXPECT_THAT(failure_of(m), testing::HasSubstr(c.refused));
      return;
    }
    const core::GraphPtr g = prepare(m);
    core::Session& session = *sessions_.back();
    session.executing = true;
    const auto results = core::execute(session, *g, inputs);
    ASSERT_EQ(results.size(), c.outputs.size());
    for (size_t i = 0; i < results.size(); ++i) expect_tensor(results[i], c.outputs[i], c.slack);
  }

 private:
  static void expect_tensor(const core::TensorRef& got, const CaseTensor& wanted, double slack) {
    EXPECT_EQ(got->type, wanted.type) << wanted.name;
    EXPECT_EQ(got->dims, wanted.dims) << wanted.name;
    const std::vector<double> values = values_of(got);
    ASSERT_EQ(values.size(), wanted.values.size()) << wanted.name;
    for (size_t k = 0; k < values.size(); ++k) {
      const double w = wanted.values[k], v = values[k];
      if (std::isnan(w))
        EXPECT_TRUE(std::isnan(v)) << wanted.name << " at " << k << ": " << v;
      else if (std::isinf(w))
        EXPECT_EQ(v, w) << wanted.name << " at " << k;
      else
        EXPECT_NEAR(v, w, slack + 1e-5 + 1e-4 * std::abs(w)) << wanted.name << " at " << k;
    }
  }
};

TEST_P(OnnxCases, GiveTheirFigures) { expect_figures(false); }
TEST_P(OnnxCases, GiveThemFromOpenDimensions) { expect_figures(true); }

std::string name_of_case(const testing::TestParamInfo<Case>& c) { return c.param.name; }
INSTANTIATE_TEST_SUITE_P(Published, OnnxCases, testing::ValuesIn(read_cases("published.txt")), name_of_case);
INSTANTIATE_TEST_SUITE_P(Classical, OnnxCases, testing::ValuesIn(read_cases("classical.txt")), name_of_case);
INSTANTIATE_TEST_SUITE_P(Formulas, OnnxCases, testing::ValuesIn(read_cases("formulas.txt")), name_of_case);
INSTANTIATE_TEST_SUITE_P(Recurrent, OnnxCases, testing::ValuesIn(read_cases("recurrent.txt")), name_of_case);
INSTANTIATE_TEST_SUITE_P(Microsoft, OnnxCases, testing::ValuesIn(read_cases("microsoft.txt")), name_of_case);

}  // namespace
}  // namespace mo::test
