// loader/value_types.cpp against what the specification states of each operator (output_types.tsv).
#include <set>
#include <sstream>

#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

struct OutputTypes {
  size_t inputs = 0;
  std::vector<std::string> outputs;
};

std::map<std::string, OutputTypes> stated_output_types() {
  std::ifstream in(MO_SOURCE_DIR "/tests/plugins/onnx/output_types.tsv");
  std::map<std::string, OutputTypes> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::string op, inputs, outputs;
    std::getline(cells, op, '\t');
    std::getline(cells, inputs, '\t');
    std::getline(cells, outputs);
    OutputTypes& row = rows[op];
    row.inputs = std::stoul(inputs);
    std::istringstream list(outputs);
    for (std::string type; std::getline(list, type, ',');) row.outputs.push_back(type);
  }
  return rows;
}

// A type of its own for each input, so that the output tells which of them it follows.
constexpr std::pair<OnnxType, ElementType> input_types[] = {
    {OnnxType::float16, ElementType::f16}, {OnnxType::int16, ElementType::i16},
    {OnnxType::float64, ElementType::f64}, {OnnxType::uint16, ElementType::u16},
    {OnnxType::uint32, ElementType::u32},  {OnnxType::bfloat16, ElementType::bf16},
    {OnnxType::int8, ElementType::i8},     {OnnxType::uint64, ElementType::u64},
    {OnnxType::float32, ElementType::f32},
};

// What they say is in their attributes or bodies; the tests of control flow and sequences have them.
const std::set<std::string> not_alone = {"If", "Loop", "Scan", "Constant", "SequenceMap"};

std::string spec_name(ElementType t) {
  static const std::map<ElementType, std::string> names{
      {ElementType::boolean, "boolean"}, {ElementType::i64, "int64"}, {ElementType::i32, "int32"},
      {ElementType::u8, "uint8"},        {ElementType::f32, "float"}, {ElementType::string, "string"}};
  const auto found = names.find(t);
  return found == names.end() ? std::string(name(t)) : found->second;
}

class OnnxOutputTypes : public Onnx {
 protected:
  void expect_types(const std::string& op, const OutputTypes& stated) {
    ModelBuilder m(26);
    std::vector<std::string> inputs, outputs;
    for (size_t i = 0; i < std::min(stated.inputs, std::size(input_types)); ++i) {
      inputs.push_back(text("x", i));
      m.input(inputs.back(), input_types[i].first, {2, 2});
    }
    for (size_t i = 0; i < stated.outputs.size(); ++i) outputs.push_back(text("y", i));
    m.node({.type = op, .inputs = inputs, .outputs = outputs, .name = "n"});
    for (const std::string& y : outputs) m.output(y);
    const core::GraphPtr g = prepare(m, core::Stage::load);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string& wanted = stated.outputs[i];
      if (wanted == "open") continue;
      const ElementType type = g->out(output(*g, i)).tensor.type;
      // Nothing is better than something wrong: a type may be found later.
      if (type == ElementType::unknown && i > 0) continue;
      if (wanted.starts_with("input "))
        EXPECT_EQ(name(type), name(input_types[std::stoul(wanted.substr(6))].second)) << op << ':' << i;
      else
        EXPECT_EQ(spec_name(type), wanted) << op << ':' << i;
      ++compared_;
    }
  }
  size_t compared_ = 0;
};

TEST_F(OnnxOutputTypes, AreThoseOfTheSpecification) {
  for (const auto& [op, stated] : stated_output_types()) {
    if (not_alone.contains(op)) continue;
    SCOPED_TRACE(op);
    try {
      expect_types(op, stated);
    } catch (const core::Failure& f) {
      ADD_FAILURE() << f.render();
    }
  }
  EXPECT_GT(compared_, 150U);
}

TEST_F(OnnxOutputTypes, AreStatedForEachOperator) {
  const auto stated = stated_output_types();
  std::set<std::string> known;
  const core::Registry& r = new_session().registry();
  r.open_contents();
  for (const core::Extractor* e : r.extractors())
    if (e->framework == "onnx" && e->domain.empty()) known.insert(e->op);
  for (const core::Transformation* t : r.transformations())
    if (t->frameworks == std::vector<std::string>{"onnx"})
      for (const std::string& op : t->ops)
        if (op.starts_with("::") && op.find('.') == std::string::npos) known.insert(op.substr(2));
  ASSERT_GT(known.size(), 150U);
  // Of ONNX's first days, of Caffe2 and PyTorch, or taken out of it, and those of org.openvinotoolkit, which
  // old exporters wrote without their domain: its specification has them not, or no more.
  const std::set<std::string> without{"ATen",
                                      "Affine",
                                      "Assert",
                                      "ConstantFill",
                                      "Crop",
                                      "DynamicSlice",
                                      "GRUUnit",
                                      "GivenTensorFill",
                                      "ImageScaler",
                                      "MaxpoolWithMask",
                                      "ParametricSoftplus",
                                      "Scale",
                                      "ScaledTanh",
                                      "Scatter",
                                      "Upsample",
                                      "DeformableConv2D",
                                      "DetectionOutput",
                                      "ExperimentalDetectronDetectionOutput",
                                      "ExperimentalDetectronGenerateProposalsSingleImage",
                                      "ExperimentalDetectronGroupNorm",
                                      "ExperimentalDetectronPriorGridGenerator",
                                      "ExperimentalDetectronROIFeatureExtractor",
                                      "ExperimentalDetectronTopKROIs",
                                      "FakeQuantize",
                                      "GroupNorm",
                                      "Normalize",
                                      "PriorBox",
                                      "PriorBoxClustered",
                                      "SimplifiedLayerNormalization"};
  for (const std::string& op : known)
    EXPECT_TRUE(stated.contains(op) || without.contains(op)) << op << " has no row in output_types.tsv";
}

}  // namespace
}  // namespace mo::test
