#include "core/support/failure.hpp"

#include <algorithm>
#include <new>

#include "core/support/printable.hpp"

namespace mo::core {

Failure::Failure(Exit exit, std::string code, std::string_view message)
    : exit_(exit), code_(std::move(code)), message_(printable(message, 0, longest_message)) {}

bool Failure::has(std::string_view label) const {
  return std::any_of(context_.begin(), context_.end(), [&](const auto& line) { return line.first == label; });
}

std::string Failure::context_of(std::string_view label) const {
  for (const auto& [known, text] : context_)
    if (known == label) return text;
  return {};
}

Failure& Failure::with(std::string_view label, std::string_view text) {
  if (!text.empty() && !has(label)) context_.emplace_back(label, printable(text, 0, longest_message));
  return *this;
}

std::string in_lines(const ContextLines& context) {
  constexpr size_t indent = 10;
  std::string out;
  for (const auto& [label, text] : context)
    out +=
        "\n  " + label + std::string(label.size() < 8 ? 8 - label.size() : 1, ' ') + printable(text, indent);
  return out;
}

std::string Failure::render() const {
  return "error " + code_ + ": " + printable(message_, 2) + in_lines(context_);
}

std::string reason_of(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e) != nullptr) return "there is not enough memory";
  const std::string_view what = e.what();
  const size_t end = what.starts_with("[json.exception.") ? what.find("] ") : what.npos;
  return std::string(end == what.npos ? what : what.substr(end + 2));
}

}  // namespace mo::core
