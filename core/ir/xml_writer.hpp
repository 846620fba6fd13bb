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
  XmlWriter& number(int64_t n) {
    if (capacity - used_ < 24) flush();
    used_ = static_cast<size_t>(std::to_chars(buffer_.get() + used_, buffer_.get() + capacity, n).ptr -
                                buffer_.get());
    return *this;
  }
  // Escaped, for the value of an attribute. What XML cannot hold (control characters, what is not UTF-8)
  // becomes U+FFFD.
  XmlWriter& text(std::string_view s);
  // ` name="` and `"` around a value.
  XmlWriter& attribute(std::string_view name, std::string_view value) {
    return raw(" ").raw(name).raw("=\"").text(value).raw("\"");
  }
  XmlWriter& attribute(std::string_view name, int64_t value) {
    return raw(" ").raw(name).raw("=\"").number(value).raw("\"");
  }
  // A new line, indented.
  XmlWriter& line(int depth) {
    constexpr std::string_view tabs = "\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
    return raw(tabs.substr(0, 1 + static_cast<size_t>(depth)));
  }
  void flush();

 private:
  static constexpr size_t capacity = size_t{1} << 18;
  XmlWriter& raw_slowly(std::string_view s);

  Sink sink_;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;
};

}  // namespace mo::core
