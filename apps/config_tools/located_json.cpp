#include "apps/config_tools/located_json.hpp"

#include <algorithm>
#include <iterator>

#include <mo/text.hpp>
#include <nlohmann/json.hpp>

#include "core/support/failure.hpp"

namespace mo::app {

namespace {

using json = nlohmann::json;

constexpr size_t deepest = 64;

// The parser reads nothing behind a bracket or the end of a string before it tells of it; behind a number
// it has read one character more.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  size_t* count = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    if (count != nullptr) ++*count;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  [[maybe_unused]] friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at == b.at;
  }
  [[maybe_unused]] friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at != b.at;
  }
};

class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }
  // From 1.
  size_t line(size_t offset) const {
    return static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
  }
  size_t column(size_t offset) const { return offset - starts_[line(offset) - 1] + 1; }

 private:
  std::vector<size_t> starts_{0};
};

class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(const std::string& path, const Lines& lines, const size_t& count)
      : path_(path), lines_(lines), count_(count) {}

  bool null() override { return scalar(LocatedJson::Kind::null), true; }
  bool boolean(bool v) override { return scalar(LocatedJson::Kind::boolean).boolean = v, true; }
  bool number_integer(json::number_integer_t v) override { return number(static_cast<double>(v)); }
  bool number_unsigned(json::number_unsigned_t v) override { return number(static_cast<double>(v)); }
  bool number_float(json::number_float_t v, const json::string_t&) override { return number(v); }
  bool string(json::string_t& v) override {
    return scalar(LocatedJson::Kind::string).string = std::move(v), true;
  }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(size_t) override { return open(LocatedJson::Kind::object); }
  bool start_array(size_t) override { return open(LocatedJson::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(json::string_t& k) override {
    LocatedJson& object = *open_.back();
    if (object.find(k) != nullptr) fail(count_, text("the key \"", k, "\" is there twice"));
    LocatedJson::Member m;
    m.begin = count_ - std::min(count_, k.size() + 2);  // where no escapes are in it
    m.line = lines_.line(count_ - 1);
    m.key = std::move(k);
    object.members.push_back(std::move(m));
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    std::string what = core::reason_of(e);  // "parse error at line 1, column 2: …"
    if (const size_t colon = what.find(": "); colon != std::string::npos) what.erase(0, colon + 2);
    fail(position == 0 ? 0 : position - 1, what);
  }

  LocatedJson root;

 private:
  LocatedJson& scalar(LocatedJson::Kind kind) {
    LocatedJson& v = open_.empty()                                    ? root
                     : open_.back()->kind == LocatedJson::Kind::array ? open_.back()->items.emplace_back()
                                                                      : open_.back()->members.back().value;
    v.kind = kind;
    v.begin = count_ == 0 ? 0 : count_ - 1;
    v.line = lines_.line(v.begin);
    return v;
  }
  bool number(double v) {
    scalar(LocatedJson::Kind::number).number = v;
    return true;
  }
  // Pointers stay valid: only the innermost open value grows.
  bool open(LocatedJson::Kind kind) {
    if (open_.size() == deepest) fail(count_, text("it is nested deeper than ", deepest, " levels"));
    open_.push_back(&scalar(kind));
    return true;
  }
  bool close() {
    open_.back()->end = count_;
    open_.pop_back();
    return true;
  }
  [[noreturn]] void fail(size_t offset, const std::string& what) const {
    throw core::Failure(core::Exit::usage, "MO0611",
                        text("the file '", path_, "' is not a configuration: line ", lines_.line(offset),
                             ", column ", lines_.column(offset), ": ", what));
  }

  const std::string& path_;
  const Lines& lines_;
  const size_t& count_;
  std::vector<LocatedJson*> open_;
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view key) const {
  for (const Member& m : members)
    if (m.key == key) return &m.value;
  return nullptr;
}

std::string_view name(LocatedJson::Kind kind) {
  switch (kind) {
    case LocatedJson::Kind::boolean:
      return "true or false";
    case LocatedJson::Kind::number:
      return "a number";
    case LocatedJson::Kind::string:
      return "a string";
    case LocatedJson::Kind::array:
      return "an array";
    case LocatedJson::Kind::object:
      return "an object";
    default:
      return "null";
  }
}

LocatedJson parse_located_json(const std::string& path, std::string_view text) {
  const Lines lines(text);
  size_t count = 0;
  Builder builder(path, lines, count);
  const CountingIterator first{text.data(), &count}, last{text.data() + text.size(), nullptr};
  json::sax_parse(first, last, &builder);
  return std::move(builder.root);
}

}  // namespace mo::app
