#include "core/support/failure.hpp"

#include <algorithm>

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
  std::string out = "error " + code_ + ": " + message_;
  for (const auto& [label, text] : context_) {
    out += "\n  " + label + std::string(label.size() < 8 ? 8 - label.size() : 1, ' ');
    for (char c : text) {
      out += c;
      if (c == '\n') out += std::string(10, ' ');
    }
  }
  return out;
}

}  // namespace mo::core
