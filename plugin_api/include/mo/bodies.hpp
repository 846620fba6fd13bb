// mo/bodies.hpp: edits of operations with a body that keep their port map right; see port_map.hpp.
#pragma once

#include <mo/graph.hpp>
#include <mo/port_map.hpp>

#include <algorithm>
#include <vector>

namespace mo {

// Takes those Parameters out of the body "body" of n, a Loop or a TensorIterator, which `gone` names, one
// entry for each Parameter: with their entries of the port map, their back edges, and the in-ports that
// nothing of the body reads any more. Nothing in the body may read them. A Loop keeps the count and the
// condition, its in-ports 0 and 1. [session]
inline void remove_body_parameters(const Node& n, const std::vector<bool>& gone) {
  const Graph body(n.context(), n.attr<GraphHandle>("body").id);
  const auto parameters = body.parameters();
  require(gone.size() == parameters.size(), gone.size(), " entries for ", parameters.size(), " Parameters");
  const auto place = [&](int64_t parameter) { return static_cast<size_t>(parameter); };
  std::vector<PortMapEntry> entries;
  std::vector<bool> read(n.in_count(), false);
  for (size_t i = 0; i < read.size() && i < 2; ++i) read[i] = n.op() == "Loop";
  for (const std::string& line : n.attr<std::vector<std::string>>("port_map")) {
    PortMapEntry e = parse_port_map_entry(line);
    if (!e.output && gone.at(place(e.internal))) continue;
    if (!e.output && e.external >= 0) read.at(place(e.external)) = true;
    entries.push_back(e);
  }
  const auto moved = [&](int64_t parameter) {
    return parameter - std::count(gone.begin(), gone.begin() + parameter, true);
  };
  std::vector<std::string> lines;
  for (PortMapEntry& e : entries) {
    if (!e.output) {
      e.internal = moved(e.internal);
      if (e.external >= 0) e.external -= std::count(read.begin(), read.begin() + e.external, false);
    }
    append_text(lines.emplace_back(), e);
  }
  const auto edges = n.attr("back_edges", std::vector<int64_t>{});
  std::vector<int64_t> kept;
  for (size_t i = 1; i < edges.size(); i += 2)
    if (!gone.at(place(edges[i]))) kept.insert(kept.end(), {edges[i - 1], moved(edges[i])});
  n.set("port_map", lines);
  if (!edges.empty()) n.set("back_edges", kept);
  for (size_t i = 0; i < parameters.size(); ++i)
    if (gone[i]) parameters[i].remove();
  for (size_t i = read.size(); i-- != 0;)
    if (!read[i]) n.delete_input_port(i);
}

}  // namespace mo
