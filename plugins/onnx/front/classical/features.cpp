// ArrayFeatureExtractor, FeatureVectorizer, OneHotEncoder, LabelEncoder, ZipMap: columns of features and
// their names.
#include "support/classical.hpp"

namespace mo::onnx {

namespace ml {

static Ports array_feature_extractor(Build& b, const SourceNode&) {
  const OutPort places = b.reshape(b.convert(b.in(1), ElementType::i64), b.list({-1}));
  const OutPort y = ms::gather(b, b.in(0), places, -1);
  return {b.in(0).shape().rank() == 1 ? b.unsqueeze(y, b.list({0})) : y};
}

// What is too wide is cut off, and what is too narrow filled up with 0.
static Ports feature_vectorizer(Build& b, const SourceNode& n) {
  const auto widths = n.native<Ints>("inputdimensions");
  require(widths.size() == n.in_count(), "attribute 'inputdimensions' has ", widths.size(), " entries for ",
          n.in_count(), " inputs");
  Ports columns;
  for (size_t i = 0; i < widths.size(); ++i) {
    const OutPort x = b.convert(b.reshape(b.in(i), b.list({0, -1}), true), ElementType::f32);
    require(widths[i] >= 0, "attribute 'inputdimensions' is ", widths, ", expected numbers from 0 on");
    const Shape s = b.in(i).shape();
    if (s.rank() == 2 && s[1] == Dim(widths[i])) {
      columns.push_back(x);
      continue;
    }
    const Node wide =
        b.node("Pad", "opset1", {x, b.list({0, 0}), b.list({0, widths[i]}), numbers(b, {0}, {})});
    wide.set("pad_mode", "constant");
    columns.push_back(b.op("Slice", "opset8",
                           {wide.out_port(), b.list({0}), b.list({widths[i]}), b.list({1}), b.list({1})}));
  }
  return {b.concat(columns, 1)};
}

static const char* const strings = "the IR has no operations on strings; encode them before the network";

static Ports one_hot_encoder(Build& b, const SourceNode& n) {
  const auto categories = n.find_native<Ints>("cats_int64s").value_or(Ints{});
  require(!categories.empty(), "its categories are strings: ", strings);
  const OutPort x = b.unsqueeze(b.convert(b.in(0), ElementType::i64), b.list({-1}));
  return {b.convert(b.op("Equal", "opset1", {x, b.list(categories)}), ElementType::f32)};
}

// The keys or values of a dictionary: a list of numbers, or a tensor.
static std::vector<double> entries(const SourceNode& n, const std::string& what, ElementType& type) {
  if (const auto floats = n.find_native<std::vector<double>>(what + "_floats"); floats && !floats->empty()) {
    type = ElementType::f32;
    return *floats;
  }
  type = ElementType::i64;
  if (const auto ints = n.find_native<Ints>(what + "_int64s"); ints && !ints->empty())
    return {ints->begin(), ints->end()};
  const auto tensor = n.find_native<Tensor>(what + "_tensor");
  require(tensor && is_float(tensor->type()) + is_integer(tensor->type()) != 0, "its ", what,
          " are strings: ", strings);
  type = tensor->type();
  return tensor->to_floats<double>();
}

static double fallback_of(const SourceNode& n, ElementType type) {
  if (const auto tensor = n.find_native<Tensor>("default_tensor")) return tensor->to_floats<double>().at(0);
  return is_float(type) ? n.native("default_float", -0.0)
                        : static_cast<double>(n.native("default_int64", -1));
}

static Ports label_encoder(Build& b, const SourceNode& n) {
  ElementType from{}, to{};
  const std::vector<double> keys = entries(n, "keys", from), values = entries(n, "values", to);
  require(keys.size() == values.size(), "it has ", keys.size(), " keys and ", values.size(), " values");
  const Ints dims{static_cast<int64_t>(keys.size())};
  const auto all = [&](ElementType type, const std::vector<double>& v, const Ints& d) {
    return b.constant(Tensor::filled(b.context(), type, v, d));
  };
  const OutPort x = b.unsqueeze(b.convert(b.in(0), from), b.list({-1}));
  OutPort fits = b.op("Equal", "opset1", {x, all(from, keys, dims)});
  std::vector<double> is_nan;
  for (const double k : keys) is_nan.push_back(std::isnan(k) ? 1 : 0);
  if (std::find(is_nan.begin(), is_nan.end(), 1.0) != is_nan.end())
    fits = b.op("LogicalOr", "opset1",
                {fits, b.op("LogicalAnd", "opset1",
                            {b.op("IsNaN", "opset10", {x}), all(ElementType::boolean, is_nan, dims)})});
  const OutPort sum =
      b.reduce("ReduceSum", b.select(fits, all(to, values, dims), all(to, {0}, {})), b.list({-1}), false);
  const OutPort known = b.reduce("ReduceLogicalOr", fits, b.list({-1}), false);
  return {b.select(known, sum, all(to, {fallback_of(n, to)}, {}))};
}

// A dictionary for each sample: its keys are the classes, in the order of the columns.
static Ports zip_map(Build& b, const SourceNode& n) {
  b.context().warn(text("node '", n.name(),
                        "': ZipMap is left out; the output is the tensor of scores, with a column ",
                        "for each class, instead of a list of dictionaries"));
  return bypass(n, b.in(0));
}

}  // namespace ml

void register_features(Registry& r) {
  using namespace ml;
  replace<array_feature_extractor>(
      r, {"ArrayFeatureExtractor", "ArrayFeatureExtractor(x, places)", "Gather(x, places, -1)", domain});
  replace<feature_vectorizer>(r,
                              {"FeatureVectorizer", "FeatureVectorizer(x, y, …)", "Concat(x, y, …)", domain});
  replace<one_hot_encoder>(
      r, {"OneHotEncoder", "OneHotEncoder(x)", "Convert(Equal(Unsqueeze(x), categories))", domain});
  replace<label_encoder>(r,
                         {"LabelEncoder", "LabelEncoder(x)",
                          "ReduceSum(Select(Equal(Unsqueeze(x), keys), values, 0)), or the default", domain});
  replace<zip_map>(r, {"ZipMap", "ZipMap(scores)", "scores", domain});
}

}  // namespace mo::onnx
