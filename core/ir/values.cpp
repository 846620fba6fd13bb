#include "core/ir/values.hpp"

namespace mo::core {

namespace {

struct ValueWriter {
  XmlWriter& xml;

  bool operator()(int64_t v) const { return xml.number(v), true; }
  // The shortest text that reads back as the same number.
  bool operator()(double v) const { return xml.raw(text(v)), true; }
  bool operator()(bool v) const { return xml.raw(v ? "true" : "false"), true; }
  bool operator()(const std::string& v) const { return xml.text(v), true; }
  bool operator()(ElementType v) const { return xml.raw(name(v)), true; }
  bool operator()(const std::shared_ptr<const Shape>& v) const { return xml.raw(shape_text(*v)), true; }
  bool operator()(const std::vector<uint8_t>& v) const {
    return list(v, [this](uint8_t b) { return (*this)(b != 0); });
  }
  template <class T>
  bool operator()(const std::vector<T>& v) const {
    return list(v, *this);
  }
  template <class T>
  bool operator()(const T&) const {
    return false;
  }

 private:
  template <class List, class Write>
  bool list(const List& items, Write write) const {
    for (size_t i = 0; i < items.size(); ++i) {
      if (i != 0) xml.raw(",");
      if (!write(items[i])) return false;
    }
    return true;
  }
};

}  // namespace

bool write_value(XmlWriter& xml, const Attribute& value) { return std::visit(ValueWriter{xml}, value); }

std::string shape_text(const Shape& shape) {
  const std::string s = text(shape);
  return s.substr(1, s.size() - 2);
}

}  // namespace mo::core
