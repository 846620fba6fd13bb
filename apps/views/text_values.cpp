#include "apps/views/text_values.hpp"

#include "apps/elements/elements.hpp"
#include "apps/views/text_lexer.hpp"
#include "core/support/utf8.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace mo::app {

namespace {

void append_hex(std::string& out, const std::byte* bytes, uint64_t count) {
  constexpr char digits[] = "0123456789abcdef";
  for (uint64_t i = 0; i < count; ++i) {
    out += digits[std::to_integer<size_t>(bytes[i]) >> 4];
    out += digits[std::to_integer<size_t>(bytes[i]) & 15];
  }
}

bool all_alike(const mo_tensor& t, uint64_t element_bytes) {
  return std::memcmp(t.data(), t.data() + element_bytes, t.bytes - element_bytes) == 0;
}

constexpr uint64_t shortest_run = 9;  // from so many equal elements on, "{0...}" is written

}  // namespace

TextWriter::~TextWriter() {
  if (side_file_ >= 0) close(side_file_);
}

void TextWriter::string(std::string_view s) {
  out_ += '"';
  for (size_t i = 0; i < s.size();) {
    const char c = s[i];
    const size_t length = core::utf8_length(s, i);
    if (c == '"' || c == '\\')
      out_.append(1, '\\').append(1, c);
    else if (c == '\n')
      out_ += "\\n";
    else if (c == '\r')
      out_ += "\\r";
    else if (c == '\t')
      out_ += "\\t";
    else if (length == 0 || static_cast<uint8_t>(c) < 0x20 || c == 0x7f) {
      out_ += "\\x";
      append_hex(out_, reinterpret_cast<const std::byte*>(&s[i]), 1);
    } else {
      out_.append(s, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  out_ += '"';
}

void TextWriter::word(std::string_view s) {
  if (is_word(s))
    out_ += s;
  else
    string(s);
}

void TextWriter::number(double value) { append_double(out_, value); }

void TextWriter::tensor(const mo_tensor& t) {
  append_text(out_, name(t.type));
  append_text(out_, core::shape_of(t));
  out_ += ' ';
  literal(t);
}

void TextWriter::literal(const mo_tensor& t) {
  const auto file_reference = [&](std::string_view path, uint64_t offset) {
    out_ += "file(";
    string(path);
    append_text(out_, ", ");
    append_text(out_, offset);
    append_text(out_, ", ");
    append_text(out_, t.bytes);
    out_ += ')';
  };
  if (t.bytes > options_.literal_bytes) {
    if (t.file != nullptr)
      return file_reference(std::filesystem::absolute(t.file->path).string(), t.file_offset);
    if (!options_.side_file.empty())
      return file_reference(std::filesystem::path(options_.side_file).filename().string(),
                            append_to_side_file(t));
  }
  const size_t start = out_.size();
  out_ += '{';
  bool good = true;
  if (t.type == ElementType::string) {
    std::vector<std::string_view> strings;
    good = unpack_strings({reinterpret_cast<const char*>(t.data()), t.bytes}, strings) &&
           core::shape_of(t).elements() == Dim(static_cast<int64_t>(strings.size()));
    for (size_t i = 0; i < strings.size(); ++i) {
      if (i != 0) out_ += ',';
      string(strings[i]);
    }
  } else if (has_element_text(t.type)) {
    const auto size = static_cast<uint64_t>(bits(t.type) / 8);
    const bool run = t.bytes >= shortest_run * size && all_alike(t, size);
    for (uint64_t at = 0; at < t.bytes && good; at += size) {
      if (at != 0) out_ += ',';
      good = append_element(out_, t.type, t.data() + at);
      if (run) {
        out_ += "...";
        break;
      }
    }
  } else {
    good = false;
  }
  out_ += '}';
  if (good) return;
  out_.resize(start);
  out_ += "hex \"";
  append_hex(out_, t.data(), t.bytes);
  out_ += '"';
}

uint64_t TextWriter::append_to_side_file(const mo_tensor& t) {
  const auto check = [&](bool good) {
    if (!good) fail("cannot write '", options_.side_file, "': ", std::strerror(errno));
  };
  if (side_file_ < 0) {
    side_file_ = open(options_.side_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    check(side_file_ >= 0);
    const off_t end = lseek(side_file_, 0, SEEK_END);
    check(end >= 0);
    side_bytes_ = static_cast<uint64_t>(end);
  }
  const uint64_t offset = (side_bytes_ + 63) / 64 * 64;
  std::vector<std::byte> piece(std::min<uint64_t>(t.bytes, uint64_t{1} << 18));
  for (uint64_t at = 0; at < t.bytes; at += piece.size()) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(piece.size(), t.bytes - at));
    core::read_bytes(t, at, count, piece.data());
    for (size_t done = 0; done < count;) {
      const ssize_t n =
          pwrite(side_file_, piece.data() + done, count - done, static_cast<off_t>(offset + at + done));
      if (n < 0 && errno == EINTR) continue;
      check(n > 0);
      done += static_cast<size_t>(n);
    }
  }
  side_bytes_ = offset + t.bytes;
  return offset;
}

void TextWriter::attribute(const core::Attribute& value) {
  // The first item of a list says what the list is of; an empty one needs a word.
  const auto list = [&](std::string_view what, const auto& items, auto write) {
    if (items.empty()) out_ += what;
    out_ += '[';
    for (size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ',';
      write(items[i]);
    }
    out_ += ']';
  };
  struct Writer {
    TextWriter& w;
    decltype(list)& list_;
    void operator()(std::monostate) const { fail("an attribute without a value has no text"); }
    void operator()(int64_t v) const { append_text(w.out_, v); }
    void operator()(double v) const { w.number(v); }
    void operator()(bool v) const { append_text(w.out_, v); }
    void operator()(const std::string& v) const { w.string(v); }
    void operator()(ElementType v) const { append_text(w.out_, name(v)); }
    void operator()(const std::shared_ptr<const Shape>& v) const { (*this)(*v); }
    void operator()(const Shape& v) const { append_text(w.out_ += "shape", v); }
    void operator()(const core::TensorRef& v) const {
      require(static_cast<bool>(v), "an attribute holds no tensor");
      w.tensor(*v);
    }
    void operator()(const core::GraphPtr& v) const {
      require(v != nullptr, "an attribute holds no graph");
      write_graph(w, *v);
    }
    void operator()(const core::Bytes& v) const {
      w.out_ += "bytes ";
      w.string(v.data);
    }
    void operator()(const std::vector<int64_t>& v) const { list_("ints", v, *this); }
    void operator()(const std::vector<double>& v) const { list_("floats", v, *this); }
    void operator()(const std::vector<uint8_t>& v) const {
      list_("bools", v, [this](uint8_t b) { (*this)(b != 0); });
    }
    void operator()(const std::vector<std::string>& v) const { list_("strings", v, *this); }
    void operator()(const std::vector<ElementType>& v) const { list_("types", v, *this); }
    void operator()(const std::vector<Shape>& v) const { list_("shapes", v, *this); }
    void operator()(const std::vector<core::TensorRef>& v) const { list_("tensors", v, *this); }
    void operator()(const std::vector<core::GraphPtr>& v) const { list_("graphs", v, *this); }
  };
  std::visit(Writer{*this, list}, value);
}

void TextWriter::attributes(const core::SymbolTable& symbols, const core::AttributeMap& map) {
  out_ += '{';
  const char* separator = "";
  for (const auto& [key, value] : map.items()) {
    out_ += separator;
    word(symbols.text(key));
    out_ += '=';
    attribute(value);
    separator = ", ";
  }
  out_ += '}';
}

}  // namespace mo::app
