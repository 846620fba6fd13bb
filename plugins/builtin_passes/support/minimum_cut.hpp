// The cheapest way to part a directed graph between a source and a sink.
#pragma once

#include <cstdint>
#include <vector>

namespace mo::builtin_passes {

// Costs `capacity` when `from` is on the side of the source and `to` on that of the sink.
struct CutEdge {
  uint32_t from, to;
  int64_t capacity;
};

inline constexpr uint32_t cut_sink = 0, cut_source = 1;

// Whether each of `count` vertices is on the side of the source: as few as there can be at the least cost.
std::vector<bool> minimum_cut(uint32_t count, const std::vector<CutEdge>&);

}  // namespace mo::builtin_passes
