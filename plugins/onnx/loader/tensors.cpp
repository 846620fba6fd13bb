#include "loader/tensors.hpp"

#include "loader/held_types.hpp"

namespace mo::onnx {

namespace {

struct TensorMessage {
  std::vector<int64_t> dims;
  int64_t data_type = 0;
  bool external = false, segmented = false;
  bool has_raw = false;
  Bytes raw;
  std::vector<Bytes> typed;  // payloads of *_data, packed
  std::vector<uint64_t> unpacked;
  std::vector<Bytes> strings;
  std::vector<Bytes> entries;  // external_data
};

TensorMessage parse_tensor(Bytes bytes) {
  TensorMessage t;
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::tensor::dims:
        wire::append_integers(f, t.dims);
        require(t.dims.size() <= 1024, "it has more than 1024 dimensions");
        break;
      case field::tensor::data_type:
        t.data_type = f.signed_integer();
        break;
      case field::tensor::segment:
        t.segmented = true;
        break;
      case field::tensor::float_data:
      case field::tensor::int32_data:
      case field::tensor::int64_data:
      case field::tensor::double_data:
      case field::tensor::uint64_data:
        if (f.type == wire::length)
          t.typed.push_back(f.payload);
        else
          t.unpacked.push_back(f.raw);
        break;
      case field::tensor::string_data:
        t.strings.push_back(f.bytes());
        break;
      case field::tensor::raw_data:
        t.raw = f.bytes();
        t.has_raw = true;
        break;
      case field::tensor::external_data:
        t.entries.push_back(f.bytes());
        break;
      case field::tensor::data_location:
        t.external = f.integer() == 1;
        break;
      default:
        break;
    }
  }
  return t;
}

// Elements and bytes of a dense tensor, checked for overflow.
uint64_t element_count(const std::vector<int64_t>& dims) {
  uint64_t n = 1;
  bool empty = false;
  for (const int64_t d : dims) {
    require(d >= 0, "its shape ", dims, " has a negative dimension");
    empty = empty || d == 0;
  }
  if (empty) return 0;
  for (const int64_t d : dims)
    require(!__builtin_mul_overflow(n, static_cast<uint64_t>(d), &n) && n <= UINT64_MAX / 64, "its shape ",
            dims, " has too many elements");
  return n;
}
uint64_t bytes_for(ElementType type, uint64_t elements) {
  return (elements * static_cast<uint64_t>(bits(type)) + 7) / 8;
}

uint64_t parse_number(std::string_view text, std::string_view key) {
  uint64_t n = 0;
  const auto end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, n);
  require(error == std::errc{} && at == end, "its external_data has ", key, " '", text,
          "', expected a number");
  return n;
}

Tensor read_external(Context c, Files& files, const TensorMessage& t, ElementType type, uint64_t needed) {
  std::string_view location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const Bytes entry : t.entries) {
    std::string_view key, value;
    for (const wire::Field& f : wire::Message(entry)) {
      if (f.number == field::entry::key) key = f.bytes();
      if (f.number == field::entry::value) value = f.bytes();
    }
    if (key == "location") location = value;
    if (key == "offset") offset = parse_number(value, key);
    if (key == "length") length = parse_number(value, key);
  }
  require(!location.empty(), "its data is in another file, but external_data has no location");
  require(!length || *length == needed, "its external_data has length ", length.value_or(0), ", but shape ",
          t.dims, " of ", name(type), " takes ", needed, " bytes");
  const File& file = files.external(c, location);
  const uint64_t size = file.bytes().size();
  require(offset <= size && needed <= size - offset, "its data is at ", offset, " to ", offset, " + ", needed,
          " of '", location, "', which has only ", size, " bytes");
  return file.tensor(c, offset, needed, type, t.dims);
}

// What one number of a typed field stands for.
template <class T>
void put(void* data, size_t i, uint64_t v) {
  const auto narrow = static_cast<T>(v);
  std::memcpy(static_cast<char*>(data) + i * sizeof narrow, &narrow, sizeof narrow);
}

// Varints of int32_data, int64_data and uint64_data; `width` bytes are stored of each.
Tensor decode_integers(Context c, const TensorMessage& t, ElementType type, size_t width, uint64_t needed) {
  std::vector<uint64_t> numbers = t.unpacked;
  for (const Bytes chunk : t.typed) {
    wire::Reader r(chunk);
    while (!r.done()) numbers.push_back(r.read_varint());
  }
  require(numbers.size() == needed / width, "it holds ", numbers.size(), " numbers, but shape ", t.dims,
          " of ", name(type), " takes ", needed / width);
  auto [tensor, data] = Tensor::create_bytes(c, type, t.dims);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (width == 1)
      put<uint8_t>(data, i, type == ElementType::boolean ? (numbers[i] != 0 ? 1 : 0) : numbers[i]);
    else if (width == 2)
      put<uint16_t>(data, i, numbers[i]);
    else if (width == 4)
      put<uint32_t>(data, i, numbers[i]);
    else
      put<uint64_t>(data, i, numbers[i]);
  }
  return tensor;
}

// float_data and double_data have the bytes the IR has.
Tensor read_floats(Context c, Files& files, const TensorMessage& t, ElementType type, size_t width,
                   uint64_t needed) {
  uint64_t held = t.unpacked.size() * width;
  for (const Bytes chunk : t.typed) held += chunk.size();
  require(held == needed, "it holds ", held / width, " numbers, but shape ", t.dims, " of ", name(type),
          " takes ", needed / width);
  if (t.unpacked.empty() && t.typed.size() == 1) return files.view(c, t.typed[0], type, t.dims);
  auto [tensor, data] = Tensor::create_bytes(c, type, t.dims);
  auto* out = static_cast<char*>(data);
  for (const uint64_t v : t.unpacked) {
    std::memcpy(out, &v, width);
    out += width;
  }
  for (const Bytes chunk : t.typed) {
    std::memcpy(out, chunk.data(), chunk.size());
    out += chunk.size();
  }
  return tensor;
}

}  // namespace

Files::Files(Context c, std::string_view path) : path_(path), file_(File::open(c, path)) {
  const size_t slash = path_.rfind('/');
  folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : path_.substr(0, slash);
}

Tensor Files::view(Context c, Bytes payload, ElementType type, const std::vector<int64_t>& dims) const {
  const auto offset = payload.empty() ? 0 : static_cast<uint64_t>(payload.data() - file_.bytes().data());
  return file_.tensor(c, offset, payload.size(), type, dims);
}

void Files::passed(Context c, Bytes field) const {
  constexpr size_t large = size_t{1} << 18;
  if (field.size() > large) (void)view(c, field.substr(0, 1), ElementType::u8, {1});
}

const File& Files::external(Context c, std::string_view location) {
  const auto known = external_.find(location);
  if (known != external_.end()) return known->second;
  return external_.emplace(location, File::open_below(c, folder_, location)).first->second;
}

static Tensor read_numbers(Context c, Files& files, const TensorMessage& t, ElementType type) {
  require(!t.segmented, "its data is split into segments, which is not supported");
  const uint64_t elements = element_count(t.dims);
  if (type == ElementType::string) {
    require(!t.external && !t.has_raw, "strings must be in string_data");
    require(t.strings.size() == elements, "it holds ", t.strings.size(), " strings, but shape ", t.dims,
            " takes ", elements);
    return Tensor::strings(c, {t.strings.begin(), t.strings.end()}, t.dims);
  }
  const uint64_t needed = bytes_for(type, elements);
  if (t.external) return read_external(c, files, t, type, needed);
  if (t.has_raw || elements == 0) {
    require(t.raw.size() == needed, "its raw_data has ", t.raw.size(), " bytes, but shape ", t.dims, " of ",
            name(type), " takes ", needed);
    return files.view(c, t.raw, type, t.dims);
  }
  if (type == ElementType::f32) return read_floats(c, files, t, type, 4, needed);
  if (type == ElementType::f64) return read_floats(c, files, t, type, 8, needed);
  return decode_integers(c, t, type, bits(type) < 8 ? 1 : static_cast<size_t>(bits(type)) / 8, needed);
}

Tensor read_tensor(Context c, Files& files, Bytes tensor_proto) {
  const TensorMessage t = parse_tensor(tensor_proto);
  const ValueType type = value_type_of_onnx(t.data_type);
  require(type.type != ElementType::unknown, "its element type is ", data_type_name(t.data_type), " (",
          t.data_type, "), which the IR does not have");
  if (type.held == Held::none) return read_numbers(c, files, t, type.type);
  const bool is_int2 = type.held == Held::int2;
  return held_numbers(c, read_numbers(c, files, t, is_int2 ? ElementType::u2 : ElementType::u8), type.held);
}

Held held_type_of_tensor(Bytes tensor_proto) {
  for (const wire::Field& f : wire::Message(tensor_proto))
    if (f.number == field::tensor::data_type) return value_type_of_onnx(f.signed_integer()).held;
  return Held::none;
}

std::string_view name_of_tensor(Bytes tensor_proto) {
  std::string_view name;
  for (const wire::Field& f : wire::Message(tensor_proto))
    if (f.number == field::tensor::name) name = f.bytes();
  return name;
}

std::string_view name_of_sparse_tensor(Bytes sparse_tensor_proto) {
  for (const wire::Field& f : wire::Message(sparse_tensor_proto))
    if (f.number == field::sparse_tensor::values) return name_of_tensor(f.bytes());
  return {};
}

Tensor read_sparse_tensor(Context c, Files& files, Bytes sparse_tensor_proto) {
  std::vector<int64_t> dims;
  Tensor values, indices;
  for (const wire::Field& f : wire::Message(sparse_tensor_proto)) {
    if (f.number == field::sparse_tensor::values) values = read_tensor(c, files, f.bytes());
    if (f.number == field::sparse_tensor::indices) indices = read_tensor(c, files, f.bytes());
    if (f.number == field::sparse_tensor::dims) wire::append_integers(f, dims);
  }
  require(values && indices && values.rank() == 1 && indices.type() == ElementType::i64,
          "a sparse tensor needs values of rank 1 and indices of type i64");
  const int width = bits(values.type());
  require(width >= 8, "a sparse tensor of ", name(values.type()), " is not supported");
  const uint64_t elements = element_count(dims);
  // The dense form may be huge although the file is small.
  require(bytes_for(values.type(), elements) <= uint64_t{1} << 28, "a sparse tensor of shape ", dims,
          " is too big to be made dense");
  const bool linear = indices.rank() == 1;
  require((linear && indices.dim(0) == values.dim(0)) ||
              (indices.rank() == 2 && indices.dim(0) == values.dim(0) &&
               indices.dim(1) == static_cast<int64_t>(dims.size())),
          "a sparse tensor of shape ", dims, " has ", values.dim(0), " values, but indices of shape ",
          indices.shape());
  auto [dense, data] = Tensor::create_bytes(c, values.type(), dims);
  const size_t bytes = static_cast<size_t>(width) / 8;
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t at = 0;
    if (linear) at = static_cast<uint64_t>(indices.integer(i));
    for (size_t d = 0; !linear && d < dims.size(); ++d) {
      const int64_t k = indices.integer(i * dims.size() + d);
      require(k >= 0 && k < dims[d], "index ", k, " of a sparse tensor is outside of its shape ", dims);
      at = at * static_cast<uint64_t>(dims[d]) + static_cast<uint64_t>(k);
    }
    require(at < elements, "an index of a sparse tensor is outside of its shape ", dims);
    std::memcpy(static_cast<char*>(data) + at * bytes, static_cast<const char*>(values.data()) + i * bytes,
                bytes);
  }
  return dense;
}

}  // namespace mo::onnx
