#include "loader/tensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace mo::tflite {

namespace {

constexpr std::array tensor_types = {
    TensorType{"FLOAT32", ElementType::f32, 32},       TensorType{"FLOAT16", ElementType::f16, 16},
    TensorType{"INT32", ElementType::i32, 32},         TensorType{"UINT8", ElementType::u8, 8},
    TensorType{"INT64", ElementType::i64, 64},         TensorType{"STRING", ElementType::string, 0},
    TensorType{"BOOL", ElementType::boolean, 8},       TensorType{"INT16", ElementType::i16, 16},
    TensorType{"COMPLEX64", ElementType::f32, 64},     TensorType{"INT8", ElementType::i8, 8},
    TensorType{"FLOAT64", ElementType::f64, 64},       TensorType{"COMPLEX128", ElementType::f64, 128},
    TensorType{"UINT64", ElementType::u64, 64},        TensorType{"RESOURCE", ElementType::unknown, 0},
    TensorType{"VARIANT", ElementType::unknown, 0},    TensorType{"UINT32", ElementType::u32, 32},
    TensorType{"UINT16", ElementType::u16, 16},        TensorType{"INT4", ElementType::i4, 4},
    TensorType{"BFLOAT16", ElementType::bf16, 16},     TensorType{"INT2", ElementType::i8, 2},
    TensorType{"UINT4", ElementType::u4, 4},           TensorType{"FLOAT8_E4M3FN", ElementType::f8e4m3, 8},
    TensorType{"FLOAT8_E5M2", ElementType::f8e5m2, 8},
};

bool is_integer_type(const TensorInfo& t) {
  return !t.has(format::TensorType::BOOL) && is_integer(t.type->type);
}

// Converters write an empty shape for scalars, and older ones for tensors whose rank they do not know.
Shape shape_of(const format::Tensor& t, const Ints& dims) {
  if (dims.empty() && !t.has_rank()) return Shape::unknown();
  const auto signature = list_of<int64_t>(t.shape_signature());
  Shape s;
  for (const int64_t d : signature.size() == dims.size() ? signature : dims)
    s.push_back(d < 0 ? any_dim : Dim(d));
  return s;
}

void check_scales(const Quantization& q) {
  for (const double s : q.scale)
    require(std::isfinite(s) && s > 0, "a scale is ", s, ", expected a positive number");
  require(q.zero.size() == 1 || q.zero.size() == q.scale.size(), "it has ", q.scale.size(), " scales but ",
          q.zero.size(), " zero points");
}

std::optional<Quantization> quantization_of(const TensorInfo& t,
                                            const format::QuantizationParameters* parameters) {
  if (parameters == nullptr || !is_integer_type(t)) return std::nullopt;
  Quantization q;
  if (parameters->details_type() == format::QuantizationDetails::BlockwiseQuantization) {
    const format::BlockwiseQuantization* details = parameters->details_as_BlockwiseQuantization();
    require(details != nullptr, "its block-wise quantization has no parameters");
    q.block = details->block_size();
    q.block_scales = details->scales();
    q.block_zeros = details->zero_points();
    require(q.block > 0, "its quantization has blocks of ", q.block, " elements");
    return q;
  }
  require(static_cast<uint8_t>(parameters->details_type()) != 3,
          "its quantization is one along several axes, which is not supported");
  q.scale = list_of<double>(parameters->scale());
  if (std::all_of(q.scale.begin(), q.scale.end(), [](double s) { return s == 0; })) return std::nullopt;
  q.zero = list_of<double>(parameters->zero_point());
  if (q.zero.empty()) q.zero = {0};
  check_scales(q);
  if (q.scale.size() == 1) return q;
  q.axis = parameters->quantized_dimension();
  const auto rank = static_cast<int64_t>(t.dims.size());
  // Older converters give the biases of a depthwise convolution the axis of its filters.
  if (rank == 1) q.axis = 0;
  require(q.axis >= 0 && q.axis < rank, "its quantized_dimension is ", q.axis, ", but its shape is ", t.dims);
  const int64_t along = t.dims[static_cast<size_t>(q.axis)];
  require(static_cast<int64_t>(q.scale.size()) == along, "it has ", q.scale.size(), " scales, but dimension ",
          q.axis, " of its shape ", t.dims);
  return q;
}

uint64_t element_count(const Ints& dims) {
  uint64_t n = 1;
  for (const int64_t d : dims)
    if (d == 0) return 0;
  for (const int64_t d : dims)
    require(!__builtin_mul_overflow(n, static_cast<uint64_t>(d), &n) && n <= UINT64_MAX / 128, "its shape ",
            dims, " has too many elements");
  return n;
}

// Two bits to an element, the lowest first.
Tensor widened(Context c, Bytes bytes, const Ints& dims) {
  auto [t, out] = Tensor::create<int8_t>(c, dims);
  for (size_t i = 0; i < t.size(); ++i) {
    const auto two = (static_cast<unsigned char>(bytes[i / 4]) >> (2 * (i % 4))) & 3U;
    out[i] = static_cast<int8_t>(two < 2 ? static_cast<int>(two) : static_cast<int>(two) - 4);
  }
  return t;
}

}  // namespace

const TensorType& tensor_type(format::TensorType type) {
  const auto number = static_cast<int>(type);
  require(number >= 0 && number < static_cast<int>(tensor_types.size()), "its type has number ", number,
          ", expected 0 to ", tensor_types.size() - 1);
  return tensor_types[static_cast<size_t>(number)];
}

TensorInfo read_tensor(const format::Tensor& t) {
  TensorInfo info;
  info.name = text_of(t.name());
  info.type_number = t.type();
  info.type = &tensor_type(info.type_number);
  const size_t rank = flatbuffers::VectorLength(t.shape());
  require(rank <= 64, "it has ", rank, " dimensions");
  info.dims = list_of<int64_t>(t.shape());
  info.buffer = t.buffer();
  info.external = t.external_buffer();
  info.is_variable = t.is_variable();
  info.sparsity = t.sparsity();
  for (const int64_t d : info.dims) require(d >= -1, "its shape is ", info.dims);
  info.shape = shape_of(t, info.dims);
  info.quantization = quantization_of(info, t.quantization());
  return info;
}

void Buffers::set_model(const format::Model* model) {
  model_ = model;
  count_ = flatbuffers::VectorLength(model->buffers());
  const auto* external = model->external_buffers();
  for (flatbuffers::uoffset_t i = 0; i < flatbuffers::VectorLength(external); ++i) {
    const uint32_t id = external->Get(i)->id();
    require(external_.emplace(id, external->Get(i)).second, "two external buffers have the id ", id);
  }
}

Bytes Buffers::outside(uint64_t offset, uint64_t size, std::string_view what) const {
  const uint64_t all = file().size();
  require(offset <= all && size <= all - offset, "not all of ", what, " is in the file: ", size,
          " bytes from ", offset, ", but the file has only ", all, " bytes; is it cut off?");
  return file().substr(static_cast<size_t>(offset), static_cast<size_t>(size));
}

Bytes Buffers::bytes(uint32_t buffer) const {
  require(buffer < count_, "it has buffer ", buffer, ", but the model has ", count_, " buffers");
  if (buffer == 0) return {};
  const format::Buffer& t = *model_->buffers()->Get(buffer);
  if (const Bytes inside = bytes_of(t.data()); !inside.empty()) return inside;
  return t.offset() <= 1 ? Bytes{} : outside(t.offset(), t.size(), "its data");
}

// A file beside the model.
const File& Buffers::group(Context c, uint32_t number) const {
  const auto* groups = model_->external_buffer_groups();
  const size_t count = flatbuffers::VectorLength(groups);
  require(number < count, "its external buffer is in group ", number, ", but the model has ", count);
  const std::string_view name = text_of(groups->Get(number)->name());
  if (const auto it = groups_.find(name); it != groups_.end()) return it->second;
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  return groups_.emplace(name, File::open_below(c, folder.empty() ? "." : folder, name)).first->second;
}

Buffers::Data Buffers::external(Context c, uint32_t id) const {
  const auto it = external_.find(id);
  require(it != external_.end(), "it has the external buffer ", id, ", which the model does not have");
  const format::ExternalBuffer& t = *it->second;
  const std::string_view packing = text_of(t.packing());
  require(packing.empty() || packing == "unpacked", "its external buffer is packed as '", packing,
          "', expected 'unpacked'");
  const File& file = group(c, t.group());
  const uint64_t offset = t.offset(), length = t.length();
  const uint64_t all = file.bytes().size();
  require(offset <= all && length <= all - offset, "not all of its external buffer is in its file: ", length,
          " bytes from ", offset, ", but the file has only ", all, " bytes");
  return {file.bytes().substr(static_cast<size_t>(offset), static_cast<size_t>(length)), &file};
}

Buffers::Data Buffers::data(Context c, const TensorInfo& t) const {
  const Data own{bytes(t.buffer), &file_};
  if (t.external == 0) return own;
  require(own.bytes.empty(), "it has both buffer ", t.buffer, " and the external buffer ", t.external);
  require(!t.is_variable, "it is a variable, but has an external buffer, which is a constant");
  return external(c, t.external);
}

std::optional<Tensor> Buffers::value(Context c, const TensorInfo& t) const {
  const auto [held, file] = data(c, t);
  Bytes data = held;
  const bool is_empty = std::find(t.dims.begin(), t.dims.end(), 0) != t.dims.end();
  if (data.empty() && t.external == 0 && (!is_empty || t.buffer == 0)) return std::nullopt;
  require(!t.is_handle(), "it is of type ", t.type->name, ", which has no constants");
  for (const int64_t d : t.dims) require(d >= 0, "its shape is ", t.dims, ", but it is a constant");
  if (t.has(format::TensorType::STRING)) return read_strings(c, data, t.dims);
  if (t.sparsity != nullptr) return make_dense(c, data, t);
  const uint64_t bits = element_count(t.dims) * static_cast<uint64_t>(t.type->bits);
  const uint64_t needed = (bits + 7) / 8;
  // What is outside may be padded.
  if (t.external != 0 && data.size() > needed) data = data.substr(0, static_cast<size_t>(needed));
  require(needed == data.size(), "its buffer has ", data.size(), " bytes, but shape ", t.dims, " of ",
          t.type->name, " takes ", needed);
  if (t.has(format::TensorType::INT2)) return widened(c, data, t.dims);
  Ints dims = t.dims;
  if (t.is_complex()) dims.push_back(2);
  const auto offset = data.empty() ? 0 : static_cast<uint64_t>(data.data() - file->bytes().data());
  return file->tensor(c, offset, data.size(), t.type->type, dims);
}

Tensor read_strings(Context c, Bytes buffer, const Ints& dims) {
  const auto number = [&](uint64_t i) {
    int32_t v = -1;
    if (i < buffer.size() / sizeof v) std::memcpy(&v, buffer.data() + i * sizeof v, sizeof v);
    require(v >= 0 && static_cast<uint64_t>(v) <= buffer.size(), "its buffer does not hold strings");
    return static_cast<size_t>(v);
  };
  const uint64_t count = number(0);
  require(count == element_count(dims), "it holds ", count, " strings, but shape ", dims, " takes ",
          element_count(dims));
  std::vector<std::string_view> values;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t begin = number(1 + i), end = number(2 + i);
    require(begin <= end, "its buffer does not hold strings");
    values.push_back(buffer.substr(begin, end - begin));
  }
  return Tensor::strings(c, values, dims);
}

}  // namespace mo::tflite
