// Values between two processes: their bytes lie in files of a folder, their shapes are in a line, "[2,3] [] [4]".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

std::string write_shapes(std::span<const std::vector<int64_t>>);
std::vector<std::vector<int64_t>> read_shapes(std::string_view);

std::string input_file(const std::string& folder, size_t i);
std::string output_file(const std::string& folder, size_t i);

}  // namespace mo::app
