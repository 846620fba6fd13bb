// Builds ONNX models for tests and benchmarks:
//
//     ModelBuilder m;
//     m.input("x", OnnxType::float32, {1, 3, "height", OnnxDim::unknown()});
//     m.initializer("w", OnnxTensor::of<float>({8, 3, 1, 1}, weights));
//     m.node({.type = "Conv", .inputs = {"x", "w"}, .outputs = {"y"}, .name = "conv1"});
//     m.output(m.op("LeakyRelu", {"y"}, {{"alpha", 0.1F}}), OnnxType::float32);
//     m.write("model.onnx");
//
// Nothing is checked: a test may build a wrong model on purpose. What these classes have no
// function for is reached through proto(), with onnx.pb.h included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mo_test::onnx {
class AttributeProto;
class GraphProto;
class ModelProto;
}  // namespace mo_test::onnx

namespace mo::test {

class GraphBuilder;

enum class OnnxType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
};

// Bytes of so many elements, dense; 0 for strings.
std::uint64_t byte_size(OnnxType type, std::uint64_t elements);

template <class T>
constexpr OnnxType onnx_type_of() {
  if constexpr (std::is_same_v<T, float>) {
    return OnnxType::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return OnnxType::float64;
  } else if constexpr (std::is_same_v<T, std::int8_t>) {
    return OnnxType::int8;
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    return OnnxType::int16;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return OnnxType::int32;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return OnnxType::int64;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return OnnxType::uint8;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return OnnxType::uint16;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return OnnxType::uint32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return OnnxType::uint64;
  } else {
    static_assert(sizeof(T) == 0, "use OnnxTensor::raw for this type");
  }
}

// A dimension: a number, a name, or neither.
struct OnnxDim {
  // NOLINTBEGIN(google-explicit-constructor): dims are written as {1, 3, "height"}
  OnnxDim(std::int64_t number) : value(number) {}
  OnnxDim(int number) : value(number) {}
  OnnxDim(const char* name) : parameter(name) {}
  OnnxDim(std::string name) : parameter(std::move(name)) {}
  // NOLINTEND(google-explicit-constructor)
  static OnnxDim unknown() { return OnnxDim(std::string()); }

  std::int64_t value = -1;
  std::string parameter;
};

// Writes the bytes [offset, offset + window.size()) of a payload. Windows come in rising order.
using PayloadWriter = std::function<void(std::span<std::byte> window, std::uint64_t offset)>;

// Random float32 in [-scale, scale), another sequence for each seed, addressable by offset.
PayloadWriter random_floats(std::uint64_t seed, float scale);

struct OnnxTensor {
  enum class Storage { raw, typed_field, external, generated };

  // In raw_data, as most exporters write it.
  template <class T>
  static OnnxTensor of(std::vector<std::int64_t> dims, const std::vector<T>& values) {
    return raw(onnx_type_of<T>(), std::move(dims), std::as_bytes(std::span(values)));
  }
  // In float_data, int32_data and their like.
  template <class T>
  static OnnxTensor typed(std::vector<std::int64_t> dims, const std::vector<T>& values) {
    OnnxTensor tensor = of(std::move(dims), values);
    tensor.storage = Storage::typed_field;
    return tensor;
  }
  template <class T>
  static OnnxTensor scalar(T value) {
    return of({}, std::vector<T>{value});
  }
  static OnnxTensor raw(OnnxType type, std::vector<std::int64_t> dims, std::span<const std::byte> bytes);
  static OnnxTensor of_strings(std::vector<std::int64_t> dims, std::vector<std::string> values);
  // A reference only; the file is the caller's business. A length of 0 is left out.
  static OnnxTensor in_file(OnnxType type, std::vector<std::int64_t> dims, std::string location,
                            std::uint64_t offset = 0, std::uint64_t length = 0);
  // As an initializer of the outermost graph it is never held in memory while a file is written.
  static OnnxTensor generated(OnnxType type, std::vector<std::int64_t> dims, PayloadWriter writer);

  OnnxType type = OnnxType::undefined;
  std::vector<std::int64_t> dims;
  Storage storage = Storage::raw;
  std::string bytes;
  std::vector<std::string> strings;
  std::vector<std::pair<std::string, std::string>> external;
  PayloadWriter writer;
};

using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Strings = std::vector<std::string>;

class OnnxAttribute {
 public:
  OnnxAttribute(std::string_view name, int value);
  OnnxAttribute(std::string_view name, std::int64_t value);
  OnnxAttribute(std::string_view name, float value);
  OnnxAttribute(std::string_view name, const char* value);
  OnnxAttribute(std::string_view name, const std::string& value);
  OnnxAttribute(std::string_view name, const OnnxTensor& value);
  OnnxAttribute(std::string_view name, const GraphBuilder& value);
  OnnxAttribute(std::string_view name, const Ints& values);
  OnnxAttribute(std::string_view name, const Floats& values);
  OnnxAttribute(std::string_view name, const Strings& values);
  OnnxAttribute(std::string_view name, const std::vector<OnnxTensor>& values);
  OnnxAttribute(std::string_view name, const std::vector<GraphBuilder>& values);
  // Inside a function: the value of the function's attribute `parameter`; `type` is a number of
  // AttributeProto.AttributeType.
  static OnnxAttribute reference(std::string_view name, std::string_view parameter, int type);

  const mo_test::onnx::AttributeProto& proto() const { return *proto_; }

 private:
  explicit OnnxAttribute(std::string_view name);

  std::shared_ptr<mo_test::onnx::AttributeProto> proto_;
};

struct OnnxNode {
  std::string type;
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::vector<OnnxAttribute> attributes = {};
  std::string name = {};
  std::string domain = {};
  std::string overload = {};
};

struct OnnxFunction {
  std::string domain;
  std::string name;
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::vector<std::string> attributes = {};
  std::vector<OnnxNode> nodes = {};
  std::vector<std::pair<std::string, std::int64_t>> opsets = {};
  std::string overload = {};
};

// A graph: a model's, or one for an attribute. A copy is another handle of the same graph.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string_view name = "graph");

  void input(std::string_view name, OnnxType type);  // of unknown rank
  void input(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  void output(std::string_view name);
  void output(std::string_view name, OnnxType type);
  void output(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  void value_info(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  void initializer(std::string_view name, const OnnxTensor& tensor);
  void node(const OnnxNode& node);

  // A node with one output; both are named after the type and a running number. Returns the output.
  std::string op(std::string_view type, std::vector<std::string> inputs,
                 std::vector<OnnxAttribute> attributes = {}, std::string_view domain = {});
  // An initializer named by a running number. Returns its name.
  std::string constant(const OnnxTensor& tensor);

  mo_test::onnx::GraphProto& proto();
  // With the payloads of generated initializers.
  mo_test::onnx::GraphProto complete_proto() const;

 protected:
  struct State;
  std::shared_ptr<State> state_;
};

struct WriteOptions {
  // Initializers of at least `external_threshold` bytes go to this file in the model's folder.
  std::string external_file = {};
  std::uint64_t external_threshold = 1024;
  std::uint64_t external_alignment = 4096;
};

class ModelBuilder : public GraphBuilder {
 public:
  explicit ModelBuilder(std::int64_t opset_version = 13, std::string_view graph_name = "graph");
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;
  ~ModelBuilder();

  void ir_version(std::int64_t version);
  void producer(std::string_view name, std::string_view version);
  void opset(std::string_view domain, std::int64_t version);
  void metadata(std::string_view key, std::string_view value);
  void function(const OnnxFunction& function);

  // The model without its graph.
  mo_test::onnx::ModelProto& header();

  std::string bytes() const;
  // Throws std::runtime_error; std::length_error when a model of 2 GiB or more is not given an
  // external file.
  void write(const std::filesystem::path& path, const WriteOptions& options = {}) const;

 private:
  std::unique_ptr<mo_test::onnx::ModelProto> header_;
};

}  // namespace mo::test
