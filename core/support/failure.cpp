#include "core/support/failure.hpp"

#include <algorithm>

#include "core/support/printable.hpp"

namespace mo::core {

bool Failure::has(std::string_view label) const {
  return std::any_of(context_.begin(), context_.end(), [&](const auto& line) { return line.first == label; });
}

std::string Failure::context_of(std::string_view label) const {
  for (const auto& [known, text] : context_)
    if (known == label) return text;
  return {};
}

Failure& Failure::with(std::string_view label, std::string text) {
  if (!text.empty() && !has(label)) context_.emplace_back(label, std::move(text));
  return *this;
}

std::string Failure::render() const {
  constexpr size_t indent = 10, most = 16 * 1024;
  std::string out = "error " + code_ + ": " + printable(message_, 0, most);
  for (const auto& [label, text] : context_)
    out += "\n  " + label + std::string(label.size() < 8 ? 8 - label.size() : 1, ' ') +
           printable(text, indent, most);
  return out;
}

}  // namespace mo::core
