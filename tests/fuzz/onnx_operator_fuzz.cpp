// Models of one operator: whatever its version, attributes, shapes and constants, it is refused with a
// message or becomes operations that can be inferred and folded. The bytes choose; what they choose from is
// what plugins register.
#include <array>
#include <set>

#include "model_builder.hpp"
#include "one_model.hpp"

namespace mo::test {
namespace {

struct Operator {
  std::string domain, name;
};

const std::vector<Operator>& operators() {
  static const std::vector<Operator> list = [] {
    std::set<std::pair<std::string, std::string>> all;
    for (const core::Extractor* e : fuzz_session().registry().extractors())
      if (e->framework == "onnx") all.emplace(e->domain, e->op);
    for (const core::Transformation* t : fuzz_session().registry().transformations())
      if (t->kind == MO_TRANSFORM_OP)
        for (const std::string& op : t->ops)
          if (op.starts_with("::")) {
            const std::string full = op.substr(2);
            const size_t dot = full.rfind('.');
            all.emplace(dot == std::string::npos ? "" : full.substr(0, dot),
                        dot == std::string::npos ? full : full.substr(dot + 1));
          }
    std::vector<Operator> out;
    for (const auto& [domain, name] : all) out.push_back({domain, name});
    return out;
  }();
  return list;
}

constexpr std::array attributes = {
    "axis",
    "axes",
    "perm",
    "pads",
    "strides",
    "dilations",
    "kernel_shape",
    "group",
    "auto_pad",
    "ceil_mode",
    "alpha",
    "beta",
    "to",
    "keepdims",
    "mode",
    "epsilon",
    "storage_order",
    "output_shape",
    "output_padding",
    "batch_dims",
    "direction",
    "hidden_size",
    "layout",
    "activations",
    "equation",
    "blocksize",
    "largest",
    "sorted",
    "exclusive",
    "reverse",
    "k",
    "p",
    "size",
    "bias",
    "value",
    "values",
    "starts",
    "ends",
    "scales",
    "shape",
    "split",
    "num_outputs",
    "fmod",
    "select_last_index",
    "transA",
    "transB",
    "count_include_pad",
    "min",
    "max",
    "dtype",
    "seed",
    "high",
    "low",
    "upper",
    "onesided",
    "num_heads",
    "block_size",
    "bits",
    "K",
    "N",
    "scale",
    "unidirectional",
    "spatial_scale",
    "sampling_ratio",
    "output_height",
    "output_width",
    "coordinate_transformation_mode",
    "nearest_mode",
    "antialias",
    "noop_with_empty_axes",
    "allowzero",
    "num_groups",
    "lambd",
    "gamma",
    "center_point_box",
    "clip",
};
constexpr std::array words = {
    "NOTSET",     "SAME_UPPER",    "SAME_LOWER", "VALID",    "constant", "reflect", "edge",
    "wrap",       "nearest",       "linear",     "cubic",    "DCR",      "CRD",     "forward",
    "reverse",    "bidirectional", "ij,jk->ik",  "bilinear", "none",     "tanh",    "asymmetric",
    "half_pixel", "floor",         "mean",       "sum",      "Relu",     ""};

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  uint8_t next() { return at_ == end_ ? 0 : *at_++; }
  size_t below(size_t n) { return next() % n; }
  // Mostly small; now and then one of those that overflow.
  int64_t number() {
    const uint8_t b = next();
    if (b < 200) return b % 8;
    if (b < 240) return -int64_t{b % 8};
    constexpr std::array<int64_t, 8> extremes = {INT64_MAX,        INT64_MIN,        INT32_MAX, INT32_MIN,
                                                 int64_t{1} << 32, int64_t{1} << 40, -65536,    65536};
    return extremes[b % 8];
  }
  bool done() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

std::vector<int64_t> dims_of(Bytes& b) {
  std::vector<int64_t> dims;
  for (size_t rank = b.below(6); rank > 0; --rank) dims.push_back(static_cast<int64_t>(b.below(5)));
  return dims;
}

OnnxTensor tensor_of(Bytes& b) {
  const auto dims = dims_of(b);
  size_t count = 1;
  for (const int64_t d : dims) count *= static_cast<size_t>(d);
  std::vector<int64_t> values(std::min<size_t>(count, 256));
  for (int64_t& v : values) v = b.number();
  values.resize(count);
  switch (b.below(5)) {
    case 0:
      return OnnxTensor::of<int64_t>(dims, values);
    case 1:
      return OnnxTensor::of<int32_t>(dims, {values.begin(), values.end()});
    case 2:
      return OnnxTensor::of<uint8_t>(dims, {values.begin(), values.end()});
    case 3:
      return OnnxTensor::raw(OnnxType::boolean, dims, std::as_bytes(std::span(values)).first(count));
    default:
      return OnnxTensor::of<float>(dims, {values.begin(), values.end()});
  }
}

OnnxAttribute attribute_of(Bytes& b) {
  const std::string name = attributes[b.below(attributes.size())];
  switch (b.below(6)) {
    case 0:
      return {name, b.number()};
    case 1:
      return {name, static_cast<float>(b.number()) / 4};
    case 2:
      return {name, std::string(words[b.below(words.size())])};
    case 3:
      return {name, tensor_of(b)};
    case 4:
      return {name, Floats(b.below(6), static_cast<float>(b.number()))};
    default: {
      Ints list;
      for (size_t n = b.below(9); n > 0; --n) list.push_back(b.number());
      return {name, list};
    }
  }
}

std::string model_of(Bytes& b) {
  const Operator& op = operators()[(size_t{b.next()} * 256 + b.next()) % operators().size()];
  ModelBuilder m(static_cast<int64_t>(1 + b.below(24)));
  if (!op.domain.empty()) m.opset(op.domain, static_cast<int64_t>(1 + b.below(2)));
  OnnxNode n{.type = op.name, .name = "op", .domain = op.domain};
  for (size_t inputs = b.below(7), i = 0; i < inputs; ++i) {
    const std::string name = "x" + std::to_string(i);
    constexpr std::array types = {OnnxType::float32, OnnxType::float32, OnnxType::int64,   OnnxType::int32,
                                  OnnxType::boolean, OnnxType::uint8,   OnnxType::float16, OnnxType::int8};
    switch (b.below(5)) {
      case 0:
        n.inputs.emplace_back();
        continue;
      case 1:
        m.input(name, types[b.below(types.size())]);
        break;
      case 2: {
        std::vector<OnnxDim> dims;
        for (const int64_t d : dims_of(b)) dims.push_back(d == 4 ? OnnxDim("n") : OnnxDim(d));
        m.input(name, types[b.below(types.size())], dims);
        break;
      }
      default:
        m.initializer(name, tensor_of(b));
    }
    n.inputs.push_back(name);
  }
  for (size_t outputs = 1 + b.below(4), i = 0; i < outputs; ++i) {
    n.outputs.push_back("y" + std::to_string(i));
    m.output(n.outputs.back());
  }
  for (size_t count = b.below(6); count > 0; --count) n.attributes.push_back(attribute_of(b));
  m.node(n);
  return m.bytes();
}

}  // namespace
}  // namespace mo::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::test::Bytes bytes(data, size);
  const std::string model = mo::test::model_of(bytes);
  mo::test::convert_or_refuse(reinterpret_cast<const uint8_t*>(model.data()), model.size(), "onnx");
  return 0;
}
