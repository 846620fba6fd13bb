#include "loader/value_types.hpp"

#include "loader/attributes.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace mo::onnx {

namespace {
constexpr TypeRule like_input(uint32_t i) { return {TypeRule::input, i, ElementType::unknown, {}}; }
constexpr TypeRule always(ElementType t) { return {TypeRule::fixed, 0, t, {}}; }
constexpr TypeRule stated(std::string_view attribute, ElementType fallback) {
  return {TypeRule::attribute, 0, fallback, attribute};
}
constexpr TypeRule open{TypeRule::unknown, 0, ElementType::unknown, {}};
constexpr auto boolean = always(ElementType::boolean);
constexpr auto i64 = always(ElementType::i64);
constexpr auto f32 = ElementType::f32;

// Every other operator's output is of the type of its input 0.
const std::unordered_map<std::string_view, TypeRule>& first_outputs() {
  static const std::unordered_map<std::string_view, TypeRule> rules{
      {"And", boolean},
      {"Equal", boolean},
      {"Greater", boolean},
      {"GreaterOrEqual", boolean},
      {"IsInf", boolean},
      {"IsNaN", boolean},
      {"Less", boolean},
      {"LessOrEqual", boolean},
      {"Not", boolean},
      {"Or", boolean},
      {"RegexFullMatch", boolean},
      {"Xor", boolean},
      {"ArgMax", i64},
      {"ArgMin", i64},
      {"NonMaxSuppression", i64},
      {"NonZero", i64},
      {"Shape", i64},
      {"Size", i64},
      {"StringConcat", always(ElementType::string)},
      {"StringNormalizer", always(ElementType::string)},
      {"ConvInteger", always(ElementType::i32)},
      {"MatMulInteger", always(ElementType::i32)},
      {"DynamicQuantizeLinear", always(ElementType::u8)},
      {"CastLike", like_input(1)},
      {"RMSNormalization", like_input(1)},
      {"Where", like_input(1)},
      {"OneHot", like_input(2)},
      {"DequantizeLinear", like_input(1)},
      {"QLinearConv", like_input(7)},
      {"QLinearMatMul", like_input(7)},
      {"BlackmanWindow", stated("output_datatype", f32)},
      {"HammingWindow", stated("output_datatype", f32)},
      {"HannWindow", stated("output_datatype", f32)},
      {"MelWeightMatrix", stated("output_datatype", f32)},
      {"ConstantOfShape", stated("value", f32)},
      {"Multinomial", stated("dtype", ElementType::i32)},
      {"RandomNormal", stated("dtype", f32)},
      {"RandomUniform", stated("dtype", f32)},
      {"Cast", stated("to", ElementType::unknown)},
      {"BitCast", stated("to", ElementType::unknown)},
      {"ConstantFill", stated("dtype", f32)},
      {"GivenTensorFill", stated("", f32)},
      {"Bernoulli", open},
      {"EyeLike", open},
      {"RandomNormalLike", open},
      {"RandomUniformLike", open},
      {"If", open},
      {"Loop", open},
      {"Scan", open},
      {"ImageDecoder", always(ElementType::u8)},
      {"SequenceLength", i64},
      {"SequenceAt", open},
      {"SequenceConstruct", open},
      {"SequenceEmpty", open},
      {"ConcatFromSequence", open},
      {"SplitToSequence", open},
      {"SequenceInsert", open},
      {"SequenceErase", open},
      {"SequenceMap", open},
      {"Optional", open},
      {"OptionalGetElement", open},
      {"OptionalHasElement", boolean},
      {"StringSplit", always(ElementType::string)},
      {"TfIdfVectorizer", always(f32)},
      {"Constant", open},
  };
  return rules;
}
}  // namespace

// Most operators of com.microsoft give the type of their input 0, too.
static TypeRule microsoft_rule(const NodeMessage& node, uint32_t output) {
  static const std::unordered_map<std::string_view, TypeRule> first{
      {"DequantizeLinear", like_input(1)},
      {"DequantizeWithOrder", stated("to", f32)},
      {"EmbedLayerNormalization", like_input(2)},
      {"GatherBlockQuantized", like_input(2)},
      {"IsAllFinite", boolean},
      {"MatMulInteger16", always(ElementType::i32)},
      {"MatMulIntegerToFloat", like_input(2)},
      {"MulInteger", always(ElementType::i32)},
      {"QAttention", like_input(2)},
      {"QLinearConcat", like_input(2)},
      {"QLinearWhere", like_input(1)},
      {"QuantizeLinear", like_input(2)},
      {"QuantizeWithOrder", always(ElementType::i8)},
      {"ReduceSumInteger", open},
      {"Tokenizer", open},
  };
  if (node.op == "QGemm") return like_input(node.inputs.size() > 8 ? 8 : 1);
  if (output == 0) {
    const auto found = first.find(node.op);
    return found == first.end() ? like_input(0) : found->second;
  }
  if (node.op == "Unique") return i64;
  if (node.op == "EmbedLayerNormalization") return output == 1 ? always(ElementType::i32) : like_input(2);
  if (node.op == "QAttention") return like_input(2);
  // A cache may be kept in another type.
  if (node.op == "GroupQueryAttention" && output < 3 && node.inputs.size() > 3 && !node.inputs[3].empty())
    return like_input(3);
  if (node.op == "LinearAttention") return open;
  if (node.op == "RemovePadding") return always(ElementType::i32);
  if (node.op == "PagedAttention") return like_input(output == 2 ? 4 : 3);
  const bool half = node.op == "SkipLayerNormalization" || node.op == "SkipSimplifiedLayerNormalization";
  return half && output < 3 ? open : like_input(0);
}

// Classical machine learning: labels and their scores.
static TypeRule classical_rule(const NodeMessage& node, uint32_t output) {
  const bool classifies = node.op.ends_with("Classifier");
  if (classifies && output == 0) return i64;
  static constexpr std::array as_input{"ArrayFeatureExtractor", "Binarizer", "Imputer", "TreeEnsemble",
                                       "ZipMap"};
  if (std::find(as_input.begin(), as_input.end(), node.op) != as_input.end()) return like_input(0);
  return node.op == "LabelEncoder" ? open : always(f32);
}

TypeRule type_rule(const NodeMessage& node, uint32_t output) {
  if (node.domain == "com.microsoft") return microsoft_rule(node, output);
  if (node.domain == "ai.onnx.ml") return classical_rule(node, output);
  if (!node.domain.empty()) return open;
  if (output == 0 && node.op == "QuantizeLinear")
    return node.inputs.size() > 2 ? like_input(2) : stated("output_dtype", ElementType::u8);
  if (output != 0) {
    if (node.op == "TopK" || node.op == "MaxPool" || node.op == "Unique") return i64;
    if (node.op == "Dropout") return output == 1 ? boolean : open;
    if (node.op == "Attention" && output == 2) return like_input(2);  // the values that are kept
    if (node.op == "Attention" || node.op == "CausalConvWithState") return like_input(0);
    const bool same = node.op == "Split" || node.op == "LSTM" || node.op == "GRU" || node.op == "RNN";
    return same ? like_input(0) : open;
  }
  const auto found = first_outputs().find(node.op);
  return found == first_outputs().end() ? like_input(0) : found->second;
}

ValueType type_of_attribute(Bytes node_proto, const Scope& scope, std::string_view name,
                            ElementType fallback) {
  auto found = find_attribute(node_proto, name);
  if (found) found = resolve_attribute(*found, scope);
  if (!found) return fallback;
  for (const wire::Field& f : wire::Message(*found)) {
    if (f.number == field::attribute::i) return value_type_of_onnx(f.signed_integer());
    if (f.number != field::attribute::t) continue;
    for (const wire::Field& part : wire::Message(f.bytes()))
      if (part.number == field::tensor::data_type) return value_type_of_onnx(part.signed_integer());
  }
  return {};
}

bool may_read_held_types(const NodeMessage& node) {
  static const std::unordered_set<std::string_view> names{
      "Cast",      "CastLike", "Concat",  "DequantizeLinear",
      "Expand",    "Flatten",  "Gather",  "Identity",
      "If",        "Loop",     "Pad",     "QuantizeLinear",
      "Reshape",   "Scan",     "Shape",   "Size",
      "Slice",     "Split",    "Squeeze", "Tile",
      "Transpose", "Unsqueeze"};
  return node.domain.empty() && names.count(node.op) != 0;
}

}  // namespace mo::onnx
