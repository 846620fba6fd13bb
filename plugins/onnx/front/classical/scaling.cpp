// Scaler, Normalizer, Binarizer and Imputer: numbers of features, each for itself or for its sample.
#include "support/classical.hpp"

namespace mo::onnx {

namespace ml {

static OutPort feature_row(const Build& b, const std::vector<double>& values) {
  return values.size() == 1 ? numbers(b, values, {})
                            : numbers(b, values, {static_cast<int64_t>(values.size())});
}

static Ports scaler(Build& b, const SourceNode& n) {
  OutPort x = b.convert(b.in(0), ElementType::f32);
  const auto offset = n.find_native<std::vector<double>>("offset").value_or(std::vector<double>{});
  const auto scale = n.find_native<std::vector<double>>("scale").value_or(std::vector<double>{});
  if (!offset.empty()) x = b.subtract(x, feature_row(b, offset));
  return {scale.empty() ? x : b.multiply(x, feature_row(b, scale))};
}

// A sample of zeros stays one.
static Ports normalizer(Build& b, const SourceNode& n) {
  const auto norm = n.native("norm", "MAX");
  const OutPort x = b.convert(b.in(0), ElementType::f32), axis = b.list({-1});
  OutPort length;
  if (norm == "L1")
    length = b.reduce("ReduceL1", x, axis, true);
  else if (norm == "L2")
    length = b.reduce("ReduceL2", x, axis, true);
  else if (norm == "MAX")
    length = b.reduce("ReduceMax", x, axis, true);
  else
    fail("attribute 'norm' is '", norm, "', expected MAX, L1 or L2");
  const OutPort none = b.op("Equal", "opset1", {length, numbers(b, {0}, {})});
  return {b.divide(x, b.select(none, numbers(b, {1}, {}), length))};
}

static Ports binarizer(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const OutPort above = b.op("Greater", "opset1", {x, b.like(x, n.native("threshold", 0.0))});
  return {b.select(above, b.like(x, 1), b.like(x, 0))};
}

static Ports imputer(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  auto values = n.find_native<std::vector<double>>("imputed_value_floats").value_or(std::vector<double>{});
  double replaced = n.native("replaced_value_float", 0.0);
  if (values.empty()) {
    for (const int64_t v : n.find_native<Ints>("imputed_value_int64s").value_or(Ints{}))
      values.push_back(static_cast<double>(v));
    replaced = static_cast<double>(n.native("replaced_value_int64", 0));
  }
  require(!values.empty(), "attributes 'imputed_value_floats' and 'imputed_value_int64s' are missing");
  const Ints dims = values.size() == 1 ? Ints{} : Ints{static_cast<int64_t>(values.size())};
  const OutPort gap = std::isnan(replaced) ? b.op("IsNaN", "opset10", {x})
                                           : b.op("Equal", "opset1", {x, b.like(x, replaced)});
  return {b.select(gap, b.like(x, values, dims), x)};
}

}  // namespace ml

void register_scaling(Registry& r) {
  using namespace ml;
  replace<scaler>(r, {"Scaler", "Scaler(x)", "Multiply(Subtract(x, offset), scale)", domain});
  replace<normalizer>(
      r, {"Normalizer", "Normalizer(x)", "Divide(x, ReduceL2(x)), or ReduceL1, ReduceMax", domain});
  replace<binarizer>(r, {"Binarizer", "Binarizer(x)", "Select(Greater(x, threshold), 1, 0)", domain});
  replace<imputer>(r, {"Imputer", "Imputer(x)", "Select(Equal(x, gap), values, x), or IsNaN(x)", domain});
}

}  // namespace mo::onnx
