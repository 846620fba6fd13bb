// A small reader of JSON (RFC 8259), for custom_attributes of configuration files and for files of a plugin's
// own.
#pragma once

#include <mo/graph.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <memory>

namespace mo {

class Json {
 public:
  enum class Kind { null, boolean, integer, number, string, list, object };

  Json() = default;
  // The value that the whole text is. `of` names the text in all errors of the value and of what is in it,
  // like "genai_config.json"; without it the text is taken for the custom attributes of a configuration file.
  // Throws Error with the place of what is wrong; values more than 100 deep are. Reads nothing but `text`,
  // which may go afterwards. Any thread.
  static Json parse(std::string_view text, std::string_view of = {});

  Kind kind() const { return kind_; }
  bool is_object() const { return kind_ == Kind::object; }
  // Elements of a list, values of an object in the order of the file.
  const std::vector<Json>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }
  const Json* find(std::string_view key) const {
    for (size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] == key) return &items_[i];
    return nullptr;
  }

  // As an integer, a floating-point number, bool, std::string, or a vector of one of these. An Error that
  // names `what`, the key, when it is something else or does not fit.
  template <class T>
  T as(std::string_view what) const;
  // The value of a key; an error when it is missing, or the fallback.
  template <class T>
  T get(std::string_view key) const {
    if (const Json* value = find(key)) return value->as<T>(key);
    fail(called(key), " is missing; add it",
         of_ == nullptr ? " to \"custom_attributes\" of the configuration file" : "");
  }
  template <class T>
  canonical_t<T> get(std::string_view key, const T& fallback) const {
    const Json* value = find(key);
    return value != nullptr ? value->as<canonical_t<T>>(key) : canonical_t<T>(fallback);
  }

  // Every key becomes an attribute of `node`.
  void set_attributes(const Node& node) const {
    for (size_t i = 0; i < keys_.size(); ++i) items_[i].set_attribute(node, keys_[i]);
  }

 private:
  class Reader;
  static std::string_view kind_name(Kind k) {
    constexpr std::string_view names[] = {"null",     "true or false", "an integer", "a number",
                                          "a string", "a list",        "an object"};
    return names[static_cast<size_t>(k)];
  }
  template <class T>
  struct IsList : std::false_type {};
  template <class T>
  struct IsList<std::vector<T>> : std::true_type {};
  bool all_are(Kind k) const {
    return std::all_of(items_.begin(), items_.end(), [k](const Json& j) { return j.kind_ == k; });
  }
  void set_attribute(const Node& node, std::string_view key) const;
  std::string called(std::string_view key) const {
    return of_ == nullptr ? text("custom attribute '", key, "'") : text(*of_, ": '", key, "'");
  }
  [[noreturn]] void wrong_kind(std::string_view key, std::string_view expected) const {
    fail(called(key), " is ", kind_name(kind_), ", expected ", expected);
  }

  std::shared_ptr<const std::string> of_;  // the text's name; none: custom attributes
  Kind kind_ = Kind::null;
  bool boolean_ = false;
  int64_t integer_ = 0;
  double number_ = 0;
  std::string string_;
  std::vector<Json> items_;
  std::vector<std::string> keys_;
};

template <class T>
T Json::as(std::string_view what) const {
  if constexpr (IsList<T>::value) {
    if (kind_ == Kind::list) {
      T list;
      for (const Json& j : items_) list.push_back(j.as<typename T::value_type>(what));
      return list;
    }
    wrong_kind(what, "a list");
  } else if constexpr (std::is_same_v<T, bool>) {
    if (kind_ == Kind::boolean) return boolean_;
    if (kind_ == Kind::integer && (integer_ == 0 || integer_ == 1))
      return integer_ == 1;  // as older files write it
    wrong_kind(what, "true or false");
  } else if constexpr (std::is_integral_v<T>) {
    if (kind_ == Kind::integer) {
      const auto value = static_cast<T>(integer_);
      if (static_cast<int64_t>(value) != integer_ || (std::is_unsigned_v<T> && integer_ < 0))
        fail(called(what), " is ", integer_, ", which is not within ", +std::numeric_limits<T>::min(), "..",
             +std::numeric_limits<T>::max());
      return value;
    }
    wrong_kind(what, "an integer");
  } else if constexpr (std::is_floating_point_v<T>) {
    if (kind_ == Kind::number || kind_ == Kind::integer) return static_cast<T>(number_);
    wrong_kind(what, "a number");
  } else {
    static_assert(std::is_same_v<T, std::string>);
    if (kind_ == Kind::string) return string_;
    wrong_kind(what, "a string");
  }
}

inline void Json::set_attribute(const Node& node, std::string_view key) const {
  switch (kind_) {
    case Kind::boolean:
      node.set(key, boolean_);
      return;
    case Kind::integer:
      node.set(key, integer_);
      return;
    case Kind::number:
      node.set(key, number_);
      return;
    case Kind::string:
      node.set(key, string_);
      return;
    case Kind::list:
      if (all_are(Kind::integer))
        node.set(key, as<std::vector<int64_t>>(key));
      else if (all_are(Kind::string))
        node.set(key, as<std::vector<std::string>>(key));
      else if (all_are(Kind::boolean))
        node.set(key, as<std::vector<bool>>(key));
      else
        node.set(key, as<std::vector<double>>(key));
      return;
    default:
      fail(called(key), " is ", kind_name(kind_), ", which no attribute of a node can hold");
  }
}

class Json::Reader {
 public:
  Reader(std::string_view text, std::string_view of)
      : text_(text), of_(of.empty() ? nullptr : std::make_shared<const std::string>(of)) {}
  Json document() {
    Json j = value(0);
    skip_space();
    if (at_ != text_.size()) wrong("the end");
    return j;
  }

 private:
  static constexpr int most_nested = 100;

  [[noreturn]] void wrong(std::string_view expected) const {
    fail(of_ == nullptr ? "JSON" : *of_, ": expected ", expected, " at character ", at_ + 1);
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json value(int depth) {
    if (depth > most_nested) wrong("fewer nested lists and objects");
    skip_space();
    if (at_ >= text_.size()) wrong("a value");
    Json j;
    j.of_ = of_;
    if (take('{')) {
      j.kind_ = Kind::object;
      object(j, depth);
    } else if (take('[')) {
      j.kind_ = Kind::list;
      if (take(']')) return j;
      do j.items_.push_back(value(depth + 1));
      while (take(','));
      if (!take(']')) wrong("',' or ']'");
    } else if (text_[at_] == '"') {
      j.kind_ = Kind::string;
      j.string_ = string();
    } else if (take_word("true")) {
      j.kind_ = Kind::boolean;
      j.boolean_ = true;
    } else if (take_word("false")) {
      j.kind_ = Kind::boolean;
    } else if (!take_word("null")) {
      number(j);
    }
    return j;
  }
  void object(Json& j, int depth) {
    if (take('}')) return;
    do {
      skip_space();
      if (at_ >= text_.size() || text_[at_] != '"') wrong("a key in quotes");
      j.keys_.push_back(string());
      if (!take(':')) wrong("':'");
      j.items_.push_back(value(depth + 1));
    } while (take(','));
    if (!take('}')) wrong("',' or '}'");
  }
  void number(Json& j) {
    const size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string digits(text_.substr(at_, end - at_));
    char* last = nullptr;
    j.number_ = std::strtod(digits.c_str(), &last);
    if (digits.empty() || *last != '\0') wrong("a value");
    j.kind_ = Kind::number;
    if (digits.find_first_of(".eE") == std::string::npos) {
      errno = 0;
      j.integer_ = std::strtoll(digits.c_str(), nullptr, 10);
      if (errno == 0) j.kind_ = Kind::integer;
    }
    at_ = end;
  }
  std::string string() {
    std::string s;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\')
        s += text_[at_];
      else
        escape(s);
    }
    if (at_ >= text_.size()) wrong("'\"'");
    ++at_;
    return s;
  }
  void escape(std::string& s) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (++at_ >= text_.size()) wrong("an escape");
    const size_t i = letters.find(text_[at_]);
    if (i != std::string_view::npos) {
      s += meant[i];
      return;
    }
    if (text_[at_] != 'u') wrong("an escape");
    uint32_t code = hex();
    // Above 0xffff two make one; either alone is no character.
    if (code >= 0xd800 && code < 0xe000) {
      uint32_t low = 0;
      if (code < 0xdc00 && text_.substr(at_ + 1, 2) == "\\u") {
        at_ += 2;
        low = hex();
      }
      if (low < 0xdc00 || low > 0xdfff) wrong("the other half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(s, code);
  }
  uint32_t hex() {  // leaves at_ on the last digit
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      constexpr std::string_view digits = "0123456789abcdef";
      const char c = ++at_ < text_.size() ? text_[at_] : '\0';
      const size_t d = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (d == std::string_view::npos) wrong("four hexadecimal digits");
      code = code * 16 + static_cast<uint32_t>(d);
    }
    return code;
  }
  static void append_utf8(std::string& s, uint32_t code) {
    const auto put = [&s](uint32_t byte) { s += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xc0 | (code >> 6));
    } else if (code < 0x10000) {
      put(0xe0 | (code >> 12));
      put(0x80 | ((code >> 6) & 0x3f));
    } else {
      put(0xf0 | ((code >> 18) & 7));
      put(0x80 | ((code >> 12) & 0x3f));
      put(0x80 | ((code >> 6) & 0x3f));
    }
    put(0x80 | (code & 0x3f));
  }

  std::string_view text_;
  std::shared_ptr<const std::string> of_;
  size_t at_ = 0;
};

inline Json Json::parse(std::string_view text, std::string_view of) { return Reader(text, of).document(); }

}  // namespace mo
