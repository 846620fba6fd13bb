// ArrayFeatureExtractor, FeatureVectorizer, OneHotEncoder, LabelEncoder, CategoryMapper, ZipMap: columns of features and
// their names.
#include "support/classical.hpp"

#include <mo/strings.hpp>

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

static Tensor tensor_of(const Build& b, const std::vector<std::string>& strings) {
  return Tensor::strings(b.context(), {strings.begin(), strings.end()},
                         {static_cast<int64_t>(strings.size())});
}

static std::vector<std::string> strings_of(const SourceNode& n, const std::string& name) {
  return n.find_native<std::vector<std::string>>(name).value_or(std::vector<std::string>{});
}

static Ports one_hot_encoder(Build& b, const SourceNode& n) {
  const auto categories = n.find_native<Ints>("cats_int64s").value_or(Ints{});
  const auto words = strings_of(n, "cats_strings");
  require(categories.empty() != words.empty(), "it has ", categories.size(), " numbers and ", words.size(),
          " strings as categories; expected one of them");
  if (!words.empty())
    return {b.convert(Strings::of(b, b.in(0)).is_each_of(b, tensor_of(b, words)), ElementType::f32)};
  const OutPort x = b.unsqueeze(b.convert(b.in(0), ElementType::i64), b.list({-1}));
  return {b.convert(b.op("Equal", "opset1", {x, b.list(categories)}), ElementType::f32)};
}

// The keys or values of a dictionary: a list of numbers or strings, or a tensor.
struct Entries {
  ElementType type{};
  std::vector<double> numbers = {};
  std::optional<Tensor> strings = {};
  size_t size() const { return strings ? strings->size() : numbers.size(); }
};

static Entries entries(const Build& b, const SourceNode& n, const std::string& what) {
  if (const auto floats = n.find_native<std::vector<double>>(what + "_floats"); floats && !floats->empty())
    return {ElementType::f32, *floats};
  if (const auto ints = n.find_native<Ints>(what + "_int64s"); ints && !ints->empty())
    return {ElementType::i64, {ints->begin(), ints->end()}};
  if (const auto words = strings_of(n, what + "_strings"); !words.empty())
    return {ElementType::string, {}, tensor_of(b, words)};
  const auto tensor = n.find_native<Tensor>(what + "_tensor");
  require(tensor.has_value(), "it has no ", what);
  if (tensor->type() == ElementType::string) return {ElementType::string, {}, *tensor};
  require(is_float(tensor->type()) || is_integer(tensor->type()), "its ", what, " have element type ",
          name(tensor->type()));
  return {tensor->type(), tensor->to_floats<double>()};
}

static double fallback_of(const SourceNode& n, ElementType type) {
  if (const auto tensor = n.find_native<Tensor>("default_tensor")) return tensor->to_floats<double>().at(0);
  return is_float(type) ? n.native("default_float", -0.0)
                        : static_cast<double>(n.native("default_int64", -1));
}

static std::string default_string(const SourceNode& n) {
  if (const auto tensor = n.find_native<Tensor>("default_tensor"))
    return std::string(list_of_strings(*tensor).at(0));
  return n.native("default_string", std::string("_Unused"));
}

// Which of the keys each element is: one more dimension. NaN is a key as others are.
static OutPort is_each_of(const Build& b, const OutPort& in, const Entries& keys) {
  if (keys.strings) return Strings::of(b, in).is_each_of(b, *keys.strings);
  const Ints dims{static_cast<int64_t>(keys.size())};
  const OutPort x = b.unsqueeze(b.convert(in, keys.type), b.list({-1}));
  const OutPort fits =
      b.op("Equal", "opset1", {x, b.constant(Tensor::filled(b.context(), keys.type, keys.numbers, dims))});
  std::vector<double> is_nan;
  for (const double k : keys.numbers) is_nan.push_back(std::isnan(k) ? 1 : 0);
  if (std::find(is_nan.begin(), is_nan.end(), 1.0) == is_nan.end()) return fits;
  const OutPort nan = b.constant(Tensor::filled(b.context(), ElementType::boolean, is_nan, dims));
  return b.op("LogicalOr", "opset1",
              {fits, b.op("LogicalAnd", "opset1", {b.op("IsNaN", "opset10", {x}), nan})});
}

static Ports label_encoder(Build& b, const SourceNode& n) {
  const Entries keys = entries(b, n, "keys"), values = entries(b, n, "values");
  require(keys.size() == values.size(), "it has ", keys.size(), " keys and ", values.size(), " values");
  const OutPort fits = is_each_of(b, b.in(0), keys);
  if (values.strings)
    return {choose_strings(b, list_of_strings(*values.strings), default_string(n),
                           found_in(b, fits, keys.size()))};
  const auto all = [&](const std::vector<double>& v, const Ints& d) {
    return b.constant(Tensor::filled(b.context(), values.type, v, d));
  };
  const OutPort sum = b.reduce(
      "ReduceSum", b.select(fits, all(values.numbers, {static_cast<int64_t>(values.size())}), all({0}, {})),
      b.list({-1}), false);
  const OutPort known = b.reduce("ReduceLogicalOr", fits, b.list({-1}), false);
  return {b.select(known, sum, all({fallback_of(n, values.type)}, {}))};
}

// From strings to numbers or back, by what comes in.
static Ports category_mapper(Build& b, const SourceNode& n) {
  const auto numbers = n.native<Ints>("cats_int64s");
  const auto words = n.native<std::vector<std::string>>("cats_strings");
  require(numbers.size() == words.size(), "it has ", numbers.size(), " numbers and ", words.size(),
          " strings");
  const Tensor keys = tensor_of(b, words);
  if (b.in(0).type() == ElementType::string) {
    const FoundKey key = found_in(b, Strings::of(b, b.in(0)).is_each_of(b, keys), words.size());
    return {b.select(key.known, b.gather(b.list(numbers), key.place, 0),
                     b.integer(n.native("default_int64", -1)))};
  }
  const OutPort fits = b.op("Equal", "opset1", {b.unsqueeze(b.in(0), b.list({-1})), b.list(numbers)});
  return {choose_strings(b, list_of_strings(keys), default_string(n), found_in(b, fits, words.size()))};
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
  replace<category_mapper>(
      r, {"CategoryMapper", "CategoryMapper(x)", "Gather(numbers or strings, which it is)", domain});
  replace<zip_map>(r, {"ZipMap", "ZipMap(scores)", "scores", domain});
}

}  // namespace mo::onnx
