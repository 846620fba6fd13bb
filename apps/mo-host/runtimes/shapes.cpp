#include "apps/mo-host/runtimes/shapes.hpp"

#include <charconv>

namespace mo::app {

std::string write_shapes(std::span<const std::vector<int64_t>> shapes) {
  std::string line;
  for (const std::vector<int64_t>& shape : shapes) {
    line += line.empty() ? "[" : " [";
    for (size_t i = 0; i < shape.size(); ++i) line += (i == 0 ? "" : ",") + std::to_string(shape[i]);
    line += "]";
  }
  return line;
}

std::vector<std::vector<int64_t>> read_shapes(std::string_view line) {
  std::vector<std::vector<int64_t>> shapes;
  const char *at = line.data(), *const end = at + line.size();
  while (at != end) {
    if (*at == '[') shapes.emplace_back();
    int64_t dim = 0;
    const auto [next, error] = std::from_chars(at, end, dim);
    if (error == std::errc() && !shapes.empty()) shapes.back().push_back(dim);
    at = error == std::errc() ? next : at + 1;
  }
  return shapes;
}

}  // namespace mo::app
