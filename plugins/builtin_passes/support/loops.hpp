// Loops are the operations whose body runs many times: Loop and TensorIterator.
#pragma once

#include <mo/bodies.hpp>
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

inline Graph body_of(const Node& loop) { return {loop.context(), loop.attr<GraphHandle>("body").id}; }

inline std::vector<PortMapEntry> port_map_of(const Node& loop) {
  std::vector<PortMapEntry> entries;
  for (const std::string& line : loop.attr<std::vector<std::string>>("port_map"))
    entries.push_back(parse_port_map_entry(line));
  return entries;
}

inline void set_port_map(const Node& loop, const std::vector<PortMapEntry>& entries) {
  std::vector<std::string> lines;
  for (const PortMapEntry& e : entries) append_text(lines.emplace_back(), e);
  loop.set("port_map", lines);
}

// Of each Parameter of the body, whether every turn sets it anew.
inline std::vector<bool> changing_parameters(const Node& loop, size_t parameters) {
  std::vector<bool> changes(parameters, false);
  const auto edges = loop.attr("back_edges", std::vector<int64_t>{});
  for (size_t i = 1; i < edges.size(); i += 2) changes.at(static_cast<size_t>(edges[i])) = true;
  return changes;
}

}  // namespace mo::builtin_passes
