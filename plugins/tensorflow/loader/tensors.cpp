#include "loader/tensors.hpp"

#include "loader/attributes.hpp"

namespace mo::tensorflow {

namespace {

struct TensorMessage {
  DataType type = DataType::invalid;
  std::vector<int64_t> dims;
  Bytes content;
  std::vector<Bytes> strings;
  std::vector<Bytes> packed;     // floating-point numbers, as they are in memory
  std::vector<uint64_t> single;  // numbers, or those that came one by one
};

TensorMessage parse_tensor(Bytes bytes) {
  TensorMessage t;
  const auto floats = [&t](const wire::Field& f) {
    if (f.type == wire::length)
      t.packed.push_back(f.payload);
    else
      t.single.push_back(f.raw);
  };
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::tensor::dtype:
        t.type = data_type(f.integer());
        break;
      case field::tensor::shape:
        t.dims = parse_dims(f.bytes());
        break;
      case field::tensor::content:
        t.content = f.bytes();
        break;
      case field::tensor::string_val:
        t.strings.push_back(f.bytes());
        break;
      case field::tensor::float8_val:
        t.packed.push_back(f.bytes());
        break;
      case field::tensor::float_val:
      case field::tensor::double_val:
      case field::tensor::scomplex_val:
      case field::tensor::dcomplex_val:
        floats(f);
        break;
      case field::tensor::half_val:
      case field::tensor::int_val:
      case field::tensor::int64_val:
      case field::tensor::bool_val:
      case field::tensor::uint32_val:
      case field::tensor::uint64_val:
        wire::append_integers(f, t.single);
        break;
      default:
        break;
    }
  }
  return t;
}

uint64_t count_of(const std::vector<int64_t>& dims) {
  uint64_t n = 1;
  bool fits = true;
  for (const int64_t d : dims) fits = !__builtin_mul_overflow(n, static_cast<uint64_t>(d), &n) && fits;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  require(fits && n <= INT64_MAX / 16, "its shape ", Shape(dims), " has more elements than memory");
  return n;
}

// All elements when only the first ones are stated: the last one of them is repeated.
void fill(char* out, size_t held, size_t width, size_t needed) {
  if (held == 0) return;  // zeros
  const char* const last = out + held - width;
  for (size_t end = held; end < needed;) {
    const size_t n = std::min(static_cast<size_t>(out + end - last), needed - end);  // what is there doubles
    std::memcpy(out + end, last, n);
    end += n;
  }
}

}  // namespace

bool has_elements(Bytes tensor_proto) {
  for (const wire::Field& f : wire::Message(tensor_proto))
    if (f.number == field::tensor::dtype) {
      const DataType type = data_type(f.integer());
      return type != DataType::resource && type != DataType::variant;
    }
  return true;
}

Bytes TensorReader::keep(std::string bytes) {
  kept_.push_back(std::make_shared<const std::string>(std::move(bytes)));
  return *kept_.back();
}

Tensor TensorReader::view(Context c, Bytes payload, ElementType type,
                          const std::vector<int64_t>& dims) const {
  const auto within = [payload](Bytes all) {
    const std::less_equal<const char*> before;
    return before(all.data(), payload.data()) &&
           before(payload.data() + payload.size(), all.data() + all.size());
  };
  if (payload.empty()) return Tensor::create_bytes(c, type, dims).first;
  if (within(file_.bytes()))
    return file_.tensor(c, static_cast<uint64_t>(payload.data() - file_.bytes().data()), payload.size(), type,
                        dims);
  for (const auto& k : kept_)
    if (within(*k)) return Tensor::wrap(c, type, dims, payload.data(), payload.size(), k);
  fail("the bytes of a tensor are not in the file");
}

Tensor TensorReader::read(Context c, Bytes tensor_proto) {
  TensorMessage t = parse_tensor(tensor_proto);
  const bool complex = t.type == DataType::complex64 || t.type == DataType::complex128;
  if (complex) {
    t.dims.push_back(2);
    t.type = t.type == DataType::complex64 ? DataType::f32 : DataType::f64;
  }
  const ElementType type = element_type_of(t.type);
  require(type != ElementType::unknown, "its type is ", data_type_name(t.type),
          ", which the IR does not have");
  const uint64_t count = count_of(t.dims);
  if (type == ElementType::string) {
    require(t.strings.size() <= count, "it has ", t.strings.size(), " strings, and shape ", Shape(t.dims),
            " takes ", count);
    if (t.strings.size() < count) {
      // As much as the list takes: it is refused before it is made.
      (void)Tensor::create_bytes(c, ElementType::u8, {static_cast<int64_t>(count * sizeof(Bytes))});
      t.strings.resize(count, t.strings.empty() ? Bytes() : t.strings.back());
    }
    return Tensor::strings(c, t.strings, t.dims);
  }
  const size_t width = static_cast<size_t>(bits(type)) / 8, group = complex ? 2 * width : width;
  const uint64_t needed = count * width;
  if (!t.content.empty()) {
    require(t.content.size() == needed, "its tensor_content has ", t.content.size(), " bytes, and shape ",
            Shape(t.dims), " of ", name(type), " takes ", needed);
    return view(c, t.content, type, t.dims);
  }
  uint64_t held = t.single.size() * width;
  for (const Bytes chunk : t.packed) held += chunk.size();
  require(held <= needed && held % group == 0, "it has ", held / width, " values, and shape ", Shape(t.dims),
          " of ", name(type), " takes ", needed / width);
  if (t.single.empty() && t.packed.size() == 1 && held == needed) return view(c, t.packed[0], type, t.dims);
  auto [tensor, data] = Tensor::create_bytes(c, type, t.dims);
  auto* const first = static_cast<char*>(data);
  auto* out = first;
  for (const uint64_t v : t.single) {
    std::memcpy(out, &v, width);
    out += width;
  }
  for (const Bytes chunk : t.packed) {
    std::memcpy(out, chunk.data(), chunk.size());
    out += chunk.size();
  }
  fill(first, held, group, needed);
  return tensor;
}

}  // namespace mo::tensorflow
