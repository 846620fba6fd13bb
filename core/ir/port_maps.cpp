#include "core/ir/checks.hpp"

#include <set>

namespace mo::core {

namespace {

template <class T>
const T* attribute(const Graph& g, NodeId n, const std::string& key) {
  const Attribute* a = g.attribute(n, key);
  return a == nullptr ? nullptr : std::get_if<T>(a);
}

}  // namespace

void read_port_map(const Graph& g, const Layer& layer, Body& body, Problems& problems) {
  const Graph& inner = *body.plan->graph;
  const auto add = [&](std::string what) { problems.add("MO0704", std::move(what), path_of(g, layer.node)); };
  const std::string map_key = body.prefix + "port_map", back_key = body.prefix + "back_edges";
  const auto* entries = attribute<std::vector<std::string>>(g, layer.node, map_key);
  if (entries == nullptr) return add(text("attribute '", map_key, "', a list of strings, is missing"));
  const auto parameters = static_cast<int64_t>(inner.parameters().size());
  const auto results = static_cast<int64_t>(inner.results().size());
  std::set<std::pair<bool, int64_t>> used;
  for (const std::string& entry : *entries) try {
      const PortMapEntry e = parse_port_map_entry(entry);
      const auto ports =
          e.output ? static_cast<int64_t>(g.node(layer.node).outputs.size()) : int64_t{layer.inputs};
      const char* what = e.output ? "Result" : "Parameter";
      require(e.external >= -1 && e.external < ports, "'", entry, "' of '", map_key, "': the node has ",
              ports, e.output ? " outputs" : " inputs");
      require(e.internal >= 0 && e.internal < (e.output ? results : parameters), "'", entry, "' of '",
              map_key, "': the body has no ", what, " ", e.internal);
      // A reader keeps the first of two.
      require(used.emplace(e.output, e.external).second, "'", entry, "' of '", map_key,
              "': that port of the node is mapped twice");
      body.port_map.push_back(e);
    } catch (const Error& e) {
      add(e.what());
    }
  if (const auto* edges = attribute<std::vector<int64_t>>(g, layer.node, back_key)) {
    body.back_edges = *edges;
    bool good = edges->size() % 2 == 0;
    for (size_t i = 0; good && i < edges->size(); i += 2)
      good =
          (*edges)[i] >= 0 && (*edges)[i] < results && (*edges)[i + 1] >= 0 && (*edges)[i + 1] < parameters;
    if (!good) add(text("attribute '", back_key, "' is not a list of pairs of a Result and a Parameter"));
  }
}

}  // namespace mo::core
