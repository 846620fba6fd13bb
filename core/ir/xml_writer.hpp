// Streams XML through a buffer. A document tree (pugixml) of 100 000 layers would take some hundred megabytes
// and most of the time of a conversion; nothing here needs to be changed once it is written.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

namespace mo::core {

// Whether `s` can be the name of an element or attribute: of ASCII letters, digits, "_", "-" and ".".
bool is_xml_name(std::string_view s);

class XmlWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit XmlWriter(Sink sink) : sink_(std::move(sink)), buffer_(new char[capacity]) {}

  // As it stands.
  XmlWriter& raw(std::string_view s) {
    if (s.size() > capacity - used_) return raw_slowly(s);
    if (!s.empty()) std::memcpy(buffer_.get() + used_, s.data(), s.size());
    used_ += s.size();
    return *this;
  }
  // A literal, which is copied by a few instructions.
  template <size_t size>
  XmlWriter& raw(const char (&literal)[size]) {
    char* at = room(size);
    std::memcpy(at, literal, size - 1);
    return written_to(at + size - 1);
  }
  XmlWriter& number(int64_t n) {
    char* at = room(digits);
    return written_to(std::to_chars(at, at + digits, n).ptr);
  }
  // Escaped, for the value of an attribute. What XML cannot hold (control characters, what is not UTF-8)
  // becomes U+FFFD.
  XmlWriter& text(std::string_view s);
  // ` name="` and `"` around a value.
  template <size_t size>
  XmlWriter& attribute(const char (&name)[size], std::string_view value) {
    return begin_attribute(name).text(value).raw("\"");
  }
  template <size_t size>
  XmlWriter& attribute(const char (&name)[size], int64_t value) {
    return begin_attribute(name).number(value).raw("\"");
  }
  // A new line, indented.
  XmlWriter& line(int depth) {
    constexpr std::string_view tabs = "\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
    return raw(tabs.substr(0, 1 + static_cast<size_t>(depth)));
  }
  void flush();

 private:
  static constexpr size_t capacity = size_t{1} << 18;
  static constexpr size_t digits = 24;  // of any number
  XmlWriter& raw_slowly(std::string_view s);

  // Where so many bytes can be put.
  char* room(size_t bytes) {
    if (bytes > capacity - used_) flush();
    return buffer_.get() + used_;
  }
  XmlWriter& written_to(const char* end) {
    used_ = static_cast<size_t>(end - buffer_.get());
    return *this;
  }
  template <size_t size>
  XmlWriter& begin_attribute(const char (&name)[size]) {
    char* at = room(size + 2);
    *at++ = ' ';
    std::memcpy(at, name, size - 1);
    std::memcpy(at + size - 1, "=\"", 2);
    return written_to(at + size + 1);
  }

  Sink sink_;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;
};

}  // namespace mo::core
