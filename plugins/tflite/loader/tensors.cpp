#include "loader/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace mo::tflite {

namespace {

bool is_integer_type(const TensorInfo& t) {
  return t.type_number != types::boolean && is_integer(t.type->type);
}

// Converters write an empty shape for scalars, and older ones for tensors whose rank they do not know.
Shape shape_of(const Table* t, const Ints& dims) {
  if (dims.empty() && number_of<uint8_t>(t, field::tensor::has_rank) == 0) return Shape::unknown();
  const auto signature = Elements<int32_t>(t, field::tensor::shape_signature).list<int64_t>();
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

std::optional<Quantization> quantization_of(const TensorInfo& t, const Table* parameters) {
  namespace f = field::quantization;
  if (parameters == nullptr || !is_integer_type(t)) return std::nullopt;
  Quantization q;
  if (number_of<uint8_t>(parameters, f::details_type) == 2) {
    const Table* details = table_of(parameters, f::details);
    require(details != nullptr, "its block-wise quantization has no parameters");
    q.block = number_of<int32_t>(details, field::blockwise::block_size);
    q.block_scales = number_of<int32_t>(details, field::blockwise::scales);
    q.block_zeros = number_of<int32_t>(details, field::blockwise::zero_points, -1);
    require(q.block > 0, "its quantization has blocks of ", q.block, " elements");
    return q;
  }
  require(number_of<uint8_t>(parameters, f::details_type) != 3,
          "its quantization is one along several axes, which is not supported");
  q.scale = Elements<float>(parameters, f::scale).list<double>();
  if (std::all_of(q.scale.begin(), q.scale.end(), [](double s) { return s == 0; })) return std::nullopt;
  q.zero = Elements<int64_t>(parameters, f::zero_point).list<double>();
  if (q.zero.empty()) q.zero = {0};
  check_scales(q);
  if (q.scale.size() == 1) return q;
  q.axis = number_of<int32_t>(parameters, f::axis);
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

TensorInfo read_tensor(const Table* t) {
  namespace f = field::tensor;
  TensorInfo info;
  info.name = text_of(t, f::name);
  info.type_number = number_of<int8_t>(t, f::type);
  info.type = &tensor_type(info.type_number);
  const Elements<int32_t> dims(t, f::shape);
  require(dims.size() <= 64, "it has ", dims.size(), " dimensions");
  info.dims = dims.list<int64_t>();
  info.buffer = number_of<uint32_t>(t, f::buffer);
  info.external = number_of<uint32_t>(t, f::external_buffer);
  info.is_variable = number_of<uint8_t>(t, f::is_variable) != 0;
  info.sparsity = table_of(t, f::sparsity);
  for (const int64_t d : info.dims) require(d >= -1, "its shape is ", info.dims);
  info.shape = shape_of(t, info.dims);
  info.quantization = quantization_of(info, table_of(t, f::quantization));
  return info;
}

void Buffers::set_model(const Table* model) {
  model_ = model;
  count_ = Tables(model, field::model::buffers).size();
  const Tables external(model, field::model::external_buffers);
  for (size_t i = 0; i < external.size(); ++i) {
    const auto id = number_of<uint32_t>(external[i], field::external_buffer::id);
    require(external_.emplace(id, external[i]).second, "two external buffers have the id ", id);
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
  const Table* t = Tables(model_, field::model::buffers)[buffer];
  if (const Bytes inside = Elements<uint8_t>(t, field::buffer::data).bytes(); !inside.empty()) return inside;
  const auto offset = number_of<uint64_t>(t, field::buffer::offset);
  return offset <= 1 ? Bytes{} : outside(offset, number_of<uint64_t>(t, field::buffer::size), "its data");
}

// A file beside the model.
const File& Buffers::group(Context c, uint32_t number) const {
  const Tables groups(model_, field::model::external_groups);
  require(number < groups.size(), "its external buffer is in group ", number, ", but the model has ",
          groups.size());
  const std::string_view name = text_of(groups[number], field::external_group::name);
  if (const auto it = groups_.find(name); it != groups_.end()) return it->second;
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  return groups_.emplace(name, File::open_below(c, folder.empty() ? "." : folder, name)).first->second;
}

Buffers::Data Buffers::external(Context c, uint32_t id) const {
  namespace f = field::external_buffer;
  const auto it = external_.find(id);
  require(it != external_.end(), "it has the external buffer ", id, ", which the model does not have");
  const Table* t = it->second;
  const std::string_view packing = text_of(t, f::packing);
  require(packing.empty() || packing == "unpacked", "its external buffer is packed as '", packing,
          "', expected 'unpacked'");
  const File& file = group(c, number_of<uint32_t>(t, f::group));
  const auto offset = number_of<uint64_t>(t, f::offset), length = number_of<uint64_t>(t, f::length);
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
  if (t.type_number == types::string) return read_strings(c, data, t.dims);
  if (t.sparsity != nullptr) return make_dense(c, data, t);
  const uint64_t bits = element_count(t.dims) * static_cast<uint64_t>(t.type->bits);
  const uint64_t needed = (bits + 7) / 8;
  // What is outside may be padded.
  if (t.external != 0 && data.size() > needed) data = data.substr(0, static_cast<size_t>(needed));
  require(needed == data.size(), "its buffer has ", data.size(), " bytes, but shape ", t.dims, " of ",
          t.type->name, " takes ", needed);
  if (t.type_number == types::i2) return widened(c, data, t.dims);
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
