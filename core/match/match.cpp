#include "core/match/match.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/support/contains.hpp"

namespace mo::core {

namespace {

bool is_interior(const PatternNodeDef& d) { return d.kind == MO_PATTERN_OP || d.kind == MO_PATTERN_OPTIONAL; }

}  // namespace

bool Match::present(size_t i) const {
  if (!bound[i]) return false;
  const PatternNodeDef& d = transformation->nodes[i];
  return d.kind != MO_PATTERN_OPTIONAL || bound[d.inputs.front().node] != bound[i];
}

std::vector<NodeId> Match::nodes() const {
  if (configured) return configured->nodes;
  std::vector<NodeId> list;
  for (size_t i = 0; i < bound.size(); ++i)
    if (is_interior(transformation->nodes[i]) && present(i) && !contains(list, bound[i].node))
      list.push_back(bound[i].node);
  return list;
}

const Boundary& boundary_of(Match& m, NodeId first_new) {
  if (m.boundary) return *m.boundary;
  Boundary b;
  const auto nodes = m.nodes();
  const std::unordered_set<NodeId> inside(nodes.begin(), nodes.end());
  const Graph& g = *m.graph;
  for (NodeId n : nodes) {
    if (!g.alive(n)) continue;
    const NodeRecord& r = g.node(n);
    for (uint32_t i = 0; i < r.inputs.size(); ++i) {
      const PortRef source = r.inputs[i].source;
      if (!source || inside.contains(source.node)) continue;
      auto in =
          std::find_if(b.inputs.begin(), b.inputs.end(), [&](const auto& x) { return x.source == source; });
      if (in == b.inputs.end()) in = b.inputs.insert(in, {source, {}});
      in->ports.push_back({n, i});
    }
    for (uint32_t i = 0; i < r.outputs.size(); ++i) {
      const auto readers = g.destinations({n, i});
      if (std::any_of(readers.begin(), readers.end(),
                      [&](PortRef d) { return d.node < first_new && !inside.contains(d.node); }))
        b.outputs.push_back({n, i});
    }
  }
  return m.boundary.emplace(std::move(b));
}

}  // namespace mo::core
