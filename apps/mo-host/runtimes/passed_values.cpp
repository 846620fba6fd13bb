#include "apps/mo-host/runtimes/passed_values.hpp"

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

std::string input_file(const std::string& folder, size_t i) { return folder + "/in" + std::to_string(i); }
std::string output_file(const std::string& folder, size_t i) { return folder + "/out" + std::to_string(i); }

}  // namespace mo::app
