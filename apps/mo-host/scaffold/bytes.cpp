#include "apps/mo-host/scaffold/bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/support/failure.hpp"

namespace mo::app {

namespace {

class BytesReader {
 public:
  explicit BytesReader(std::string_view text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) step();
    if (blocks_.size() != 1) fail("a '{' or '[' is not closed");
    return blocks_.front();
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\n') {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '{' || c == '[') {
      blocks_.emplace_back();
      ++at_;
    } else if (c == '}' || c == ']') {
      close(c);
    } else if (c == '"' || c == '\'') {
      blocks_.back() += until(at_ + 1, c);
    } else if (text_.substr(at_, 4) == "f32(") {
      number(static_cast<float>(std::atof(until(at_ + 4, ')').c_str())));
    } else if (text_.substr(at_, 4) == "u16(") {
      number(static_cast<uint16_t>(std::atoi(until(at_ + 4, ')').c_str())));
    } else {
      blocks_.back() += static_cast<char>(16 * digit() + digit());
    }
  }

  std::string until(size_t from, char end) {
    const size_t to = text_.find(end, from);
    if (to == std::string_view::npos) fail(std::string("there is no ") + end);
    at_ = to + 1;
    return std::string(text_.substr(from, to - from));
  }
  template <class T>
  void number(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    blocks_.back().append(bytes, sizeof value);
  }
  int digit() {
    constexpr std::string_view digits = "0123456789abcdef";
    const size_t value = at_ < text_.size() ? digits.find(text_[at_]) : std::string_view::npos;
    if (value == std::string_view::npos) fail("two hexadecimal digits were expected");
    ++at_;
    return static_cast<int>(value);
  }
  void close(char end) {
    if (blocks_.size() == 1) fail(std::string("a '") + end + "' closes nothing");
    const std::string inside = std::move(blocks_.back());
    blocks_.pop_back();
    size_t rest = inside.size();
    if (end == ']') {
      number(static_cast<uint32_t>(rest));
    } else {
      for (; rest >= 0x80; rest >>= 7) blocks_.back() += static_cast<char>((rest & 0x7F) | 0x80);
      blocks_.back() += static_cast<char>(rest);
    }
    blocks_.back() += inside;
    ++at_;
  }
  [[noreturn]] void fail(const std::string& what) const {
    const auto line =
        std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw core::Failure(
        core::Exit::internal, "MO0130",
        "a template of a binary file is wrong in line " + std::to_string(line + 1) + ": " + what);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> blocks_{{}};
};

}  // namespace

std::string bytes_of(std::string_view text) { return BytesReader(text).read(); }

}  // namespace mo::app
