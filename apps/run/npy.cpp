#include "apps/run/npy.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "apps/elements/elements.hpp"
#include "apps/run/with_type.hpp"
#include "core/support/failure.hpp"

#include <mo/error.hpp>

namespace mo::app {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Spelling {
  ElementType type;
  std::string_view descr;
};
constexpr Spelling spellings[] = {
    {ElementType::boolean, "|b1"}, {ElementType::f16, "<f2"}, {ElementType::f32, "<f4"},
    {ElementType::f64, "<f8"},     {ElementType::i8, "|i1"},  {ElementType::i16, "<i2"},
    {ElementType::i32, "<i4"},     {ElementType::i64, "<i8"}, {ElementType::u8, "|u1"},
    {ElementType::u16, "<u2"},     {ElementType::u32, "<u4"}, {ElementType::u64, "<u8"},
};

// Reading.

struct Header {
  std::string_view descr;
  bool fortran_order = false;
  std::vector<int64_t> dims;
  size_t data_at = 0;
};

// The value of a key in the dictionary at the head, up to what ends it.
std::string_view entry(std::string_view dictionary, std::string_view key, char open, char close) {
  size_t at = dictionary.find(key);
  if (at != std::string_view::npos) at = dictionary.find(open, at + key.size());
  const size_t end = at == std::string_view::npos ? at : dictionary.find(close, at + 1);
  if (end == std::string_view::npos) fail("its header has no ", key);
  return dictionary.substr(at + 1, end - at - 1);
}

std::vector<int64_t> dims_of(std::string_view list) {
  std::vector<int64_t> dims;
  const char* p = list.data();
  const char* const end = p + list.size();
  while (p != end) {
    if (*p == ' ' || *p == ',') {
      ++p;
      continue;
    }
    int64_t d = -1;
    const auto [next, error] = std::from_chars(p, end, d);
    if (error != std::errc() || d < 0) fail("its shape is (", list, ")");
    dims.push_back(d);
    p = next;
    if (p != end && *p == 'L') ++p;  // Python 2
  }
  return dims;
}

Header header_of(std::string_view file) {
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(file[i])); };
  if (file.size() < 12 || file.substr(0, magic.size()) != magic)
    fail("it does not begin as a file of NumPy does");
  const bool long_form = byte(6) >= 2;
  const size_t start = long_form ? 12 : 10;
  const size_t length = byte(8) | byte(9) << 8 | (long_form ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > file.size() - start) fail("it ends inside its header");
  const std::string_view dictionary = file.substr(start, length);
  Header h;
  h.descr = entry(dictionary, "'descr':", '\'', '\'');
  h.fortran_order = entry(dictionary, "'fortran_order'", ':', ',').find("True") != std::string_view::npos;
  h.dims = dims_of(entry(dictionary, "'shape':", '(', ')'));
  h.data_at = start + length;
  return h;
}

void append_utf8(std::string& out, uint32_t c) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
  } else {
    put(0xf0 | (c >> 18 & 7));
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

// "S5": bytes; "U5": code points of four bytes. Both filled up with zeros.
core::TensorRef strings_of(const Header& h, std::string_view content) {
  const bool wide = h.descr[1] == 'U';
  uint32_t length = 0;
  const char* const end = h.descr.data() + h.descr.size();
  if (const auto [at, error] = std::from_chars(h.descr.data() + 2, end, length);
      error != std::errc() || at != end)
    fail("its elements are '", h.descr, "'; a string has a length");
  const size_t width = size_t{length} * (wide ? 4 : 1);
  const uint64_t count =
      core::dense_bytes(ElementType::u8, h.dims.data(), static_cast<int64_t>(h.dims.size()));
  if (width != 0 && count > content.size() / width) fail("it is shorter than its shape says");
  constexpr uint64_t most_empty = 1U << 20U;  // they take no bytes of the file
  if (width == 0 && count > most_empty)
    fail("it has ", count, " strings without a character; at most ", most_empty, " are read");
  std::vector<std::string> list;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view item = content.substr(i * width, width);
    std::string s;
    for (size_t k = 0; wide && k + 4 <= item.size(); k += 4) {
      uint32_t c = 0;
      std::memcpy(&c, item.data() + k, 4);
      if (c != 0) append_utf8(s, c);
    }
    if (!wide) s = item.substr(0, std::min(item.find('\0'), item.size()));
    list.push_back(std::move(s));
  }
  return core::make_tensor_from_bytes(ElementType::string, h.dims, pack_strings(list));
}

core::TensorRef tensor_of(const core::FileRef& file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file->data), file->bytes);
  const Header h = header_of(bytes);
  if (h.fortran_order && h.dims.size() > 1)
    fail("its elements are in Fortran order; save np.ascontiguousarray(x)");
  if (h.descr.size() > 2 && (h.descr[1] == 'S' || h.descr[1] == 'U'))
    return strings_of(h, bytes.substr(h.data_at));
  if (h.descr.empty()) fail("its header does not say what its elements are");
  for (const Spelling& s : spellings) {
    const bool one_byte = s.descr.front() == '|';
    if (h.descr.substr(1) != s.descr.substr(1) || (!one_byte && h.descr.front() == '>')) continue;
    const uint64_t size = core::dense_bytes(s.type, h.dims.data(), static_cast<int64_t>(h.dims.size()));
    if (size > bytes.size() - h.data_at)
      fail("it has ", bytes.size() - h.data_at, " bytes of elements; shape ", Shape(h.dims), " needs ", size);
    return file_tensor(file, h.data_at, size, s.type, h.dims);
  }
  fail("its elements are '", h.descr, "'; expected little-endian numbers, booleans or strings");
}

// Writing.

std::string with_header(std::string_view descr, const std::vector<int64_t>& dims, std::string_view content) {
  std::string shape;
  for (const int64_t d : dims) shape += std::to_string(d) + (dims.size() == 1 ? "," : ", ");
  if (dims.size() > 1) shape.resize(shape.size() - 2);
  std::string dictionary = text("{'descr': '", descr, "', 'fortran_order': False, 'shape': (", shape, "), }");
  constexpr size_t fixed = 10, alignment = 64;
  dictionary.append(alignment - (fixed + dictionary.size() + 1) % alignment, ' ');
  dictionary += '\n';
  std::string out(magic);
  out += std::string_view("\x01\x00", 2);
  out += static_cast<char>(dictionary.size() & 0xff);
  out += static_cast<char>(dictionary.size() >> 8);
  return out.append(dictionary).append(content);
}

std::string strings_to_npy(const mo_tensor& t) {
  std::vector<std::string_view> list;
  if (!unpack_strings({reinterpret_cast<const char*>(t.data()), t.bytes}, list))
    fail("its strings cannot be read");
  size_t width = 1;
  for (const std::string_view s : list) width = std::max(width, s.size());
  std::string content;
  for (const std::string_view s : list) content.append(s).append(width - s.size(), '\0');
  return with_header(text("|S", width), t.dims, content);
}

ElementType counterpart(ElementType t) {
  if (t == ElementType::bf16 || (is_float(t) && bits(t) < 16)) return ElementType::f32;
  if (bits(t) != 0 && bits(t) < 8 && is_integer(t)) return is_signed(t) ? ElementType::i8 : ElementType::u8;
  return t;
}

}  // namespace

core::TensorRef read_npy(const std::string& path) {
  try {
    return tensor_of(core::map_file(path));
  } catch (const Error& e) {
    throw core::Failure(core::Exit::usage, "MO0506",
                        text("'", path, "' cannot be read as a tensor: ", e.what()))
        .with("hint", "numpy.save writes such files");
  }
}

std::string to_npy(const core::TensorRef& tensor) {
  if (tensor->type == ElementType::string) return strings_to_npy(*tensor);
  const core::TensorRef t = with_type(tensor, counterpart(tensor->type));
  for (const Spelling& s : spellings)
    if (s.type == t->type)
      return with_header(s.descr, t->dims, {reinterpret_cast<const char*>(t->data()), t->bytes});
  fail("NumPy has no counterpart of element type ", name(t->type));
}

}  // namespace mo::app
