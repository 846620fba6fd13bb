#include "loader/document.hpp"

#include <mo/json.hpp>

#include <charconv>
#include <limits>
#include <unordered_map>

namespace mo::pytorch {

struct Document::Unescaped {
  std::unordered_map<uint32_t, std::string> texts;
};

class Document::Reader {
 public:
  Reader(std::string_view text, const std::string& name, std::vector<Item>& items)
      : text_(text), name_(name), items_(items) {}
  void read() {
    value(0);
    skip();
    if (at_ != text_.size()) wrong("the end");
  }

 private:
  static constexpr int most_nested = 400;

  [[noreturn]] void wrong(std::string_view expected) const {
    fail(name_, " is damaged: expected ", expected, " at byte ", at_);
  }
  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  size_t begin(Value::Kind kind) {
    items_.push_back({static_cast<uint32_t>(at_), 0, 0, kind});
    return items_.size() - 1;
  }
  void end(size_t item) {
    items_[item].size = static_cast<uint32_t>(at_) - items_[item].at;
    items_[item].end = static_cast<uint32_t>(items_.size());
  }

  void value(int depth) {
    if (depth > most_nested) wrong("fewer nested lists and objects");
    skip();
    if (at_ >= text_.size()) wrong("a value");
    const char c = text_[at_];
    if (c == '"') return string();
    if (c == '{' || c == '[') {
      const size_t item = begin(c == '{' ? Value::Kind::object : Value::Kind::list);
      ++at_;
      c == '{' ? members(depth) : elements(depth);
      return end(item);
    }
    word();
  }
  void elements(int depth) {
    if (take(']')) return;
    do value(depth + 1);
    while (take(','));
    if (!take(']')) wrong("',' or ']'");
  }
  void members(int depth) {
    if (take('}')) return;
    do {
      skip();
      if (at_ >= text_.size() || text_[at_] != '"') wrong("a key in quotes");
      string();
      if (!take(':')) wrong("':'");
      value(depth + 1);
    } while (take(','));
    if (!take('}')) wrong("',' or '}'");
  }
  void string() {
    ++at_;
    const size_t item = begin(Value::Kind::string);
    for (;; ++at_) {
      at_ = std::min(text_.find_first_of("\"\\", at_), text_.size());
      if (at_ + 1 > text_.size()) wrong("'\"'");
      if (text_[at_] == '"') break;
      items_[item].escaped = true;
      if (++at_ >= text_.size()) wrong("an escape");
    }
    end(item);
    ++at_;
  }
  // Numbers, and words, those of Python for what is no number among them.
  void word() {
    const size_t end_at = std::min(text_.find_first_of(" \n\t\r,]}", at_), text_.size());
    const std::string_view w = text_.substr(at_, end_at - at_);
    Value::Kind kind = Value::Kind::number;
    if (w == "null") kind = Value::Kind::null;
    if (w == "true" || w == "false") kind = Value::Kind::boolean;
    const bool digits = w.find_first_not_of("+-.0123456789eE") == std::string_view::npos && !w.empty();
    if (kind == Value::Kind::number && !digits && w != "NaN" && w != "Infinity" && w != "-Infinity")
      wrong("a value");
    const size_t item = begin(kind);
    at_ = end_at;
    end(item);
  }

  std::string_view text_;
  const std::string& name_;
  std::vector<Item>& items_;
  size_t at_ = 0;
};

Document::Document(std::string_view text, std::string name)
    : text_(text), name_(std::move(name)), unescaped_(std::make_unique<Unescaped>()) {
  require(text.size() < UINT32_MAX, name_, " has ", text.size(), " bytes; up to 4 GiB are read");
  Reader(text_, name_, items_).read();
  items_.shrink_to_fit();
}

Document::~Document() = default;

Value::Kind Value::kind() const { return document_->items_[index_].kind; }
uint32_t Value::behind(uint32_t index) const { return document_->items_[index].end; }
std::string_view Value::raw() const {
  const auto& item = document_->items_[index_];
  return document_->text_.substr(item.at, item.size);
}

void Value::wrong(std::string_view expected) const {
  if (document_ == nullptr) fail("the program is damaged: ", expected, " is missing");
  std::string shown(raw().substr(0, 60));
  fail(document_->name_, " is damaged: expected ", expected, " at byte ", document_->items_[index_].at,
       ", found '", shown, "'");
}

Value Value::operator[](std::string_view key) const {
  Value found;
  if (!is(Kind::object)) return found;
  for (uint32_t i = index_ + 1, end = behind(index_); i < end;) {
    const uint32_t value = behind(i);
    if (Value(document_, i).word() == key) return {document_, value};
    i = behind(value);
  }
  return found;
}

Value Value::at(std::string_view key) const {
  const Value v = (*this)[key];
  if (!v) wrong(text("an object with '", key, "'"));
  return v;
}

size_t Value::size() const {
  size_t n = 0;
  if (is(Kind::list)) each([&](const Value&) { ++n; });
  if (is(Kind::object)) members([&](std::string_view, const Value&) { ++n; });
  return n;
}

Value::Member Value::only() const {
  if (!is(Kind::object) || behind(index_) == index_ + 1) wrong("an object with one member");
  const uint32_t value = behind(index_ + 1);
  return {Value(document_, index_ + 1).word(), Value(document_, value)};
}

std::string_view Value::word() const {
  if (!is(Kind::string)) wrong("a text");
  if (!document_->items_[index_].escaped) return raw();
  auto& texts = document_->unescaped_->texts;
  const auto found = texts.find(index_);
  if (found != texts.end()) return found->second;
  const auto& item = document_->items_[index_];
  const std::string_view quoted = document_->text_.substr(item.at - 1, item.size + 2);
  return texts.emplace(index_, Json::parse(quoted, document_->name_).as<std::string>("text")).first->second;
}

bool Value::is_integer() const {
  return is(Kind::number) && raw().find_first_not_of("-0123456789") == std::string_view::npos;
}

int64_t Value::integer() const {
  int64_t v = 0;
  if (!is(Kind::number)) wrong("an integer");
  const std::string_view s = raw();
  const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (error != std::errc() || at != s.data() + s.size()) wrong("an integer");
  return v;
}

double Value::number() const {
  if (!is(Kind::number) && !is(Kind::string)) wrong("a number");
  const std::string_view s = is(Kind::string) ? word() : raw();
  if (s == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (s == "Infinity") return std::numeric_limits<double>::infinity();
  if (s == "-Infinity") return -std::numeric_limits<double>::infinity();
  const std::string digits(s);
  char* last = nullptr;
  const double v = std::strtod(digits.c_str(), &last);
  if (digits.empty() || *last != '\0') wrong("a number");
  return v;
}

bool Value::truth() const {
  if (!is(Kind::boolean)) wrong("true or false");
  return raw() == "true";
}

}  // namespace mo::pytorch
