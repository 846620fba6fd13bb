// Shapes in a line between two processes: "[2,3] [] [4]".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

std::string write_shapes(std::span<const std::vector<int64_t>>);
std::vector<std::vector<int64_t>> read_shapes(std::string_view);

}  // namespace mo::app
