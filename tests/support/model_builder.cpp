#include "model_builder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "onnx.pb.h"

namespace mo::test {

namespace pb = mo_test::onnx;

namespace {

constexpr std::uint64_t kWindow = std::uint64_t{1} << 20;
constexpr std::uint64_t kMessageLimit = std::uint64_t{1} << 31;

std::uint64_t element_count(const std::vector<std::int64_t>& dims) {
  std::uint64_t count = 1;
  for (std::int64_t dim : dims) {
    count *= static_cast<std::uint64_t>(dim);
  }
  return count;
}

std::uint64_t payload_size(const OnnxTensor& tensor) {
  return byte_size(tensor.type, element_count(tensor.dims));
}

template <class T, class Add>
void each_element(const std::string& bytes, Add add) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    add(value);
  }
}

void fill_typed_field(const OnnxTensor& tensor, pb::TensorProto& proto) {
  const std::string& bytes = tensor.bytes;
  auto to_int32 = [&](auto value) { proto.add_int32_data(static_cast<std::int32_t>(value)); };
  auto to_uint64 = [&](auto value) { proto.add_uint64_data(value); };
  switch (tensor.type) {
    case OnnxType::float32:
    case OnnxType::complex64:
      return each_element<float>(bytes, [&](float value) { proto.add_float_data(value); });
    case OnnxType::float64:
    case OnnxType::complex128:
      return each_element<double>(bytes, [&](double value) { proto.add_double_data(value); });
    case OnnxType::int64:
      return each_element<std::int64_t>(bytes, [&](std::int64_t value) { proto.add_int64_data(value); });
    case OnnxType::int32:
      return each_element<std::int32_t>(bytes, to_int32);
    case OnnxType::int16:
      return each_element<std::int16_t>(bytes, to_int32);
    case OnnxType::int8:
      return each_element<std::int8_t>(bytes, to_int32);
    case OnnxType::uint16:
    case OnnxType::float16:
    case OnnxType::bfloat16:
      return each_element<std::uint16_t>(bytes, to_int32);
    case OnnxType::uint32:
      return each_element<std::uint32_t>(bytes, to_uint64);
    case OnnxType::uint64:
      return each_element<std::uint64_t>(bytes, to_uint64);
    default:
      return each_element<std::uint8_t>(bytes, to_int32);
  }
}

void add_external(pb::TensorProto& proto, const std::string& key, const std::string& value) {
  auto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

void refer_to_file(pb::TensorProto& proto, const std::string& file, std::uint64_t offset,
                   std::uint64_t length) {
  proto.clear_raw_data();
  proto.set_data_location(pb::TensorProto::EXTERNAL);
  add_external(proto, "location", file);
  add_external(proto, "offset", std::to_string(offset));
  add_external(proto, "length", std::to_string(length));
}

// Everything but the payload of a generated tensor.
pb::TensorProto tensor_frame(std::string_view name, const OnnxTensor& tensor) {
  pb::TensorProto proto;
  proto.mutable_dims()->Add(tensor.dims.begin(), tensor.dims.end());
  proto.set_data_type(static_cast<std::int32_t>(tensor.type));
  if (!name.empty()) {
    proto.set_name(std::string(name));
  }
  switch (tensor.storage) {
    case OnnxTensor::Storage::raw:
      if (tensor.type == OnnxType::string) {
        for (const std::string& text : tensor.strings) {
          proto.add_string_data(text);
        }
      } else {
        proto.set_raw_data(tensor.bytes);
      }
      break;
    case OnnxTensor::Storage::typed_field:
      fill_typed_field(tensor, proto);
      break;
    case OnnxTensor::Storage::external:
      proto.set_data_location(pb::TensorProto::EXTERNAL);
      for (const auto& [key, value] : tensor.external) {
        add_external(proto, key, value);
      }
      break;
    case OnnxTensor::Storage::generated:
      break;
  }
  return proto;
}

pb::TensorProto tensor_proto(std::string_view name, const OnnxTensor& tensor) {
  pb::TensorProto proto = tensor_frame(name, tensor);
  if (tensor.storage == OnnxTensor::Storage::generated) {
    std::string& data = *proto.mutable_raw_data();
    data.resize(payload_size(tensor));
    tensor.writer(std::as_writable_bytes(std::span(data)), 0);
  }
  return proto;
}

void fill_node(const OnnxNode& node, pb::NodeProto& proto) {
  proto.set_op_type(node.type);
  for (const std::string& input : node.inputs) {
    proto.add_input(input);
  }
  for (const std::string& output : node.outputs) {
    proto.add_output(output);
  }
  for (const OnnxAttribute& attribute : node.attributes) {
    *proto.add_attribute() = attribute.proto();
  }
  if (!node.name.empty()) {
    proto.set_name(node.name);
  }
  if (!node.domain.empty()) {
    proto.set_domain(node.domain);
  }
  if (!node.overload.empty()) {
    proto.set_overload(node.overload);
  }
}

pb::TypeProto::Tensor* fill_value(std::string_view name, OnnxType type, pb::ValueInfoProto& proto) {
  proto.set_name(std::string(name));
  auto* tensor = proto.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(static_cast<std::int32_t>(type));
  return tensor;
}

void fill_value(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims,
                pb::ValueInfoProto& proto) {
  auto* shape = fill_value(name, type, proto)->mutable_shape();
  for (const OnnxDim& dim : dims) {
    auto* out = shape->add_dim();
    if (!dim.parameter.empty()) {
      out->set_dim_param(dim.parameter);
    } else if (dim.value >= 0) {
      out->set_dim_value(dim.value);
    }
  }
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<char>(value | 0x80));
  }
  out.push_back(static_cast<char>(value));
}

// The key and the length of a length-delimited field.
std::string field_head(int number, std::uint64_t length) {
  std::string head;
  append_varint(head, static_cast<std::uint64_t>(number) << 3 | 2);
  append_varint(head, length);
  return head;
}

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) {
      fail();
    }
    std::setvbuf(file_, nullptr, _IOFBF, 1 << 16);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (file_ != nullptr) {
      std::fclose(file_);
    }
  }

  void put(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
      fail();
    }
    position_ += bytes.size();
  }

  void put(const OnnxTensor& generated) {
    const std::uint64_t size = payload_size(generated);
    window_.resize(std::min(kWindow, size));
    for (std::uint64_t offset = 0; offset < size; offset += kWindow) {
      std::span<char> part(window_.data(), std::min(kWindow, size - offset));
      generated.writer(std::as_writable_bytes(part), offset);
      put(std::string_view(part.data(), part.size()));
    }
  }

  std::uint64_t align(std::uint64_t alignment) {
    if (alignment > 1 && position_ % alignment != 0) {
      put(std::string(alignment - position_ % alignment, '\0'));
    }
    return position_;
  }

  void close() {
    std::FILE* file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0) {
      fail();
    }
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error(path_.string() + ": " + std::strerror(errno)); }

  std::filesystem::path path_;
  std::FILE* file_;
  std::uint64_t position_ = 0;
  std::vector<char> window_;
};

}  // namespace

std::uint64_t byte_size(OnnxType type, std::uint64_t elements) {
  switch (type) {
    case OnnxType::undefined:
    case OnnxType::string:
      return 0;
    case OnnxType::uint4:
    case OnnxType::int4:
    case OnnxType::float4e2m1:
      return (elements + 1) / 2;
    case OnnxType::uint8:
    case OnnxType::int8:
    case OnnxType::boolean:
    case OnnxType::float8e4m3fn:
    case OnnxType::float8e4m3fnuz:
    case OnnxType::float8e5m2:
    case OnnxType::float8e5m2fnuz:
      return elements;
    case OnnxType::uint16:
    case OnnxType::int16:
    case OnnxType::float16:
    case OnnxType::bfloat16:
      return 2 * elements;
    case OnnxType::float32:
    case OnnxType::int32:
    case OnnxType::uint32:
      return 4 * elements;
    case OnnxType::int64:
    case OnnxType::float64:
    case OnnxType::uint64:
    case OnnxType::complex64:
      return 8 * elements;
    case OnnxType::complex128:
      return 16 * elements;
  }
  return 0;
}

PayloadWriter random_floats(std::uint64_t seed, float scale) {
  return [seed, scale](std::span<std::byte> window, std::uint64_t offset) {
    const std::uint64_t first = offset / sizeof(float);
    const std::size_t count = window.size() / sizeof(float);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t word = (seed << 40) + first + i;
      word *= 0x9E3779B97F4A7C15U;
      word ^= word >> 29;
      word *= 0xBF58476D1CE4E5B9U;
      word ^= word >> 32;
      const float value = static_cast<float>(static_cast<std::int32_t>(word)) * 0x1p-31F * scale;
      std::memcpy(window.data() + i * sizeof(float), &value, sizeof(float));
    }
  };
}

OnnxTensor OnnxTensor::raw(OnnxType type, std::vector<std::int64_t> dims, std::span<const std::byte> bytes) {
  OnnxTensor tensor;
  tensor.type = type;
  tensor.dims = std::move(dims);
  tensor.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return tensor;
}

OnnxTensor OnnxTensor::of_strings(std::vector<std::int64_t> dims, std::vector<std::string> values) {
  OnnxTensor tensor;
  tensor.type = OnnxType::string;
  tensor.dims = std::move(dims);
  tensor.strings = std::move(values);
  return tensor;
}

OnnxTensor OnnxTensor::in_file(OnnxType type, std::vector<std::int64_t> dims, std::string location,
                               std::uint64_t offset, std::uint64_t length) {
  OnnxTensor tensor;
  tensor.type = type;
  tensor.dims = std::move(dims);
  tensor.storage = Storage::external;
  tensor.external.emplace_back("location", std::move(location));
  if (offset != 0) {
    tensor.external.emplace_back("offset", std::to_string(offset));
  }
  if (length != 0) {
    tensor.external.emplace_back("length", std::to_string(length));
  }
  return tensor;
}

OnnxTensor OnnxTensor::generated(OnnxType type, std::vector<std::int64_t> dims, PayloadWriter writer) {
  OnnxTensor tensor;
  tensor.type = type;
  tensor.dims = std::move(dims);
  tensor.storage = Storage::generated;
  tensor.writer = std::move(writer);
  return tensor;
}

OnnxAttribute::OnnxAttribute(std::string_view name) : proto_(std::make_shared<pb::AttributeProto>()) {
  proto_->set_name(std::string(name));
}

OnnxAttribute::OnnxAttribute(std::string_view name, int value) : OnnxAttribute(name, std::int64_t{value}) {}

OnnxAttribute::OnnxAttribute(std::string_view name, std::int64_t value) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::INT);
  proto_->set_i(value);
}

OnnxAttribute::OnnxAttribute(std::string_view name, float value) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::FLOAT);
  proto_->set_f(value);
}

OnnxAttribute::OnnxAttribute(std::string_view name, const char* value)
    : OnnxAttribute(name, std::string(value)) {}

OnnxAttribute::OnnxAttribute(std::string_view name, const std::string& value) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::STRING);
  proto_->set_s(value);
}

OnnxAttribute::OnnxAttribute(std::string_view name, const OnnxTensor& value) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::TENSOR);
  *proto_->mutable_t() = tensor_proto({}, value);
}

OnnxAttribute::OnnxAttribute(std::string_view name, const GraphBuilder& value) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::GRAPH);
  *proto_->mutable_g() = value.complete_proto();
}

OnnxAttribute::OnnxAttribute(std::string_view name, const Ints& values) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::INTS);
  proto_->mutable_ints()->Add(values.begin(), values.end());
}

OnnxAttribute::OnnxAttribute(std::string_view name, const Floats& values) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::FLOATS);
  proto_->mutable_floats()->Add(values.begin(), values.end());
}

OnnxAttribute::OnnxAttribute(std::string_view name, const Strings& values) : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::STRINGS);
  for (const std::string& value : values) {
    proto_->add_strings(value);
  }
}

OnnxAttribute::OnnxAttribute(std::string_view name, const std::vector<OnnxTensor>& values)
    : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::TENSORS);
  for (const OnnxTensor& value : values) {
    *proto_->add_tensors() = tensor_proto({}, value);
  }
}

OnnxAttribute::OnnxAttribute(std::string_view name, const std::vector<GraphBuilder>& values)
    : OnnxAttribute(name) {
  proto_->set_type(pb::AttributeProto::GRAPHS);
  for (const GraphBuilder& value : values) {
    *proto_->add_graphs() = value.complete_proto();
  }
}

OnnxAttribute OnnxAttribute::reference(std::string_view name, std::string_view parameter, int type) {
  OnnxAttribute attribute(name);
  attribute.proto_->set_type(static_cast<pb::AttributeProto::AttributeType>(type));
  attribute.proto_->set_ref_attr_name(std::string(parameter));
  return attribute;
}

struct GraphBuilder::State {
  pb::GraphProto proto;
  std::vector<std::pair<std::string, OnnxTensor>> generated;
  int counter = 0;
};

GraphBuilder::GraphBuilder(std::string_view name) : state_(std::make_shared<State>()) {
  state_->proto.set_name(std::string(name));
}

void GraphBuilder::input(std::string_view name, OnnxType type) {
  fill_value(name, type, *state_->proto.add_input());
}

void GraphBuilder::input(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  fill_value(name, type, dims, *state_->proto.add_input());
}

void GraphBuilder::output(std::string_view name) { state_->proto.add_output()->set_name(std::string(name)); }

void GraphBuilder::output(std::string_view name, OnnxType type) {
  fill_value(name, type, *state_->proto.add_output());
}

void GraphBuilder::output(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  fill_value(name, type, dims, *state_->proto.add_output());
}

void GraphBuilder::value_info(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  fill_value(name, type, dims, *state_->proto.add_value_info());
}

void GraphBuilder::initializer(std::string_view name, const OnnxTensor& tensor) {
  if (tensor.storage == OnnxTensor::Storage::generated) {
    state_->generated.emplace_back(name, tensor);
  } else {
    *state_->proto.add_initializer() = tensor_proto(name, tensor);
  }
}

void GraphBuilder::node(const OnnxNode& node) { fill_node(node, *state_->proto.add_node()); }

std::string GraphBuilder::op(std::string_view type, std::vector<std::string> inputs,
                             std::vector<OnnxAttribute> attributes, std::string_view domain) {
  std::string name = std::string(type) + "_" + std::to_string(++state_->counter);
  node({.type = std::string(type),
        .inputs = std::move(inputs),
        .outputs = {name + ":0"},
        .attributes = std::move(attributes),
        .name = name,
        .domain = std::string(domain)});
  return name + ":0";
}

std::string GraphBuilder::constant(const OnnxTensor& tensor) {
  std::string name = "const_" + std::to_string(++state_->counter);
  initializer(name, tensor);
  return name;
}

pb::GraphProto& GraphBuilder::proto() { return state_->proto; }

pb::GraphProto GraphBuilder::complete_proto() const {
  pb::GraphProto proto = state_->proto;
  for (const auto& [name, tensor] : state_->generated) {
    *proto.add_initializer() = tensor_proto(name, tensor);
  }
  return proto;
}

ModelBuilder::ModelBuilder(std::int64_t opset_version, std::string_view graph_name)
    : GraphBuilder(graph_name), header_(std::make_unique<pb::ModelProto>()) {
  ir_version(8);
  producer("mo-test", "1");
  opset("", opset_version);
}

ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::ir_version(std::int64_t version) { header_->set_ir_version(version); }

void ModelBuilder::producer(std::string_view name, std::string_view version) {
  header_->set_producer_name(std::string(name));
  header_->set_producer_version(std::string(version));
}

void ModelBuilder::opset(std::string_view domain, std::int64_t version) {
  for (auto& entry : *header_->mutable_opset_import()) {
    if (entry.domain() == domain) {
      entry.set_version(version);
      return;
    }
  }
  auto* entry = header_->add_opset_import();
  entry->set_domain(std::string(domain));
  entry->set_version(version);
}

void ModelBuilder::metadata(std::string_view key, std::string_view value) {
  auto* entry = header_->add_metadata_props();
  entry->set_key(std::string(key));
  entry->set_value(std::string(value));
}

void ModelBuilder::function(const OnnxFunction& function) {
  auto* proto = header_->add_functions();
  proto->set_domain(function.domain);
  proto->set_name(function.name);
  for (const std::string& input : function.inputs) {
    proto->add_input(input);
  }
  for (const std::string& output : function.outputs) {
    proto->add_output(output);
  }
  for (const std::string& attribute : function.attributes) {
    proto->add_attribute(attribute);
  }
  for (const OnnxNode& node : function.nodes) {
    fill_node(node, *proto->add_node());
  }
  for (const auto& [domain, version] : function.opsets) {
    auto* entry = proto->add_opset_import();
    entry->set_domain(domain);
    entry->set_version(version);
  }
  if (!function.overload.empty()) {
    proto->set_overload(function.overload);
  }
}

pb::ModelProto& ModelBuilder::header() { return *header_; }

std::string ModelBuilder::bytes() const {
  pb::ModelProto model = *header_;
  *model.mutable_graph() = complete_proto();
  return model.SerializeAsString();
}

// The graph is written as three runs of fields: nodes and small tensors, generated tensors by
// hand, the rest. A reader sees one message.
void ModelBuilder::write(const std::filesystem::path& path, const WriteOptions& options) const {
  pb::GraphProto front = state_->proto;
  pb::GraphProto back;
  back.mutable_input()->Swap(front.mutable_input());
  back.mutable_output()->Swap(front.mutable_output());
  back.mutable_value_info()->Swap(front.mutable_value_info());

  std::vector<std::pair<std::string, const OnnxTensor*>> streamed;
  if (options.external_file.empty()) {
    for (const auto& [name, tensor] : state_->generated) {
      streamed.emplace_back(tensor_frame(name, tensor).SerializeAsString(), &tensor);
    }
  } else {
    OutputFile data(path.parent_path() / options.external_file);
    for (pb::TensorProto& proto : *front.mutable_initializer()) {
      if (proto.has_raw_data() && proto.raw_data().size() >= options.external_threshold) {
        const std::string payload = proto.raw_data();
        refer_to_file(proto, options.external_file, data.align(options.external_alignment), payload.size());
        data.put(payload);
      }
    }
    for (const auto& [name, tensor] : state_->generated) {
      if (payload_size(tensor) < options.external_threshold) {
        *front.add_initializer() = tensor_proto(name, tensor);
        continue;
      }
      pb::TensorProto& proto = *front.add_initializer();
      proto = tensor_frame(name, tensor);
      refer_to_file(proto, options.external_file, data.align(options.external_alignment),
                    payload_size(tensor));
      data.put(tensor);
    }
    data.close();
  }

  const std::string front_bytes = front.SerializeAsString();
  const std::string back_bytes = back.SerializeAsString();
  std::uint64_t graph_size = front_bytes.size() + back_bytes.size();
  std::vector<std::pair<std::string, const OnnxTensor*>> heads;
  for (const auto& [frame, tensor] : streamed) {
    const std::uint64_t size = payload_size(*tensor);
    const std::string raw_head = field_head(pb::TensorProto::kRawDataFieldNumber, size);
    std::string head =
        field_head(pb::GraphProto::kInitializerFieldNumber, frame.size() + raw_head.size() + size);
    head += frame + raw_head;
    graph_size += head.size() + size;
    heads.emplace_back(std::move(head), tensor);
  }
  const std::string header_bytes = header_->SerializeAsString();
  if (graph_size + header_bytes.size() + 16 >= kMessageLimit) {
    throw std::length_error(path.string() + ": a model of 2 GiB or more needs an external file");
  }

  OutputFile file(path);
  file.put(header_bytes);
  file.put(field_head(pb::ModelProto::kGraphFieldNumber, graph_size));
  file.put(front_bytes);
  for (const auto& [head, tensor] : heads) {
    file.put(head);
    file.put(*tensor);
  }
  file.put(back_bytes);
  file.close();
}

}  // namespace mo::test
