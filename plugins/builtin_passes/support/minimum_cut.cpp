#include "support/minimum_cut.hpp"

// gcc cannot see that the iterator over edges sets what it reads.
#ifndef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

namespace mo::builtin_passes {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct CutArc {
  int64_t capacity = 0, residual = 0;
  Traits::edge_descriptor reverse;
};
using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, CutArc>;

constexpr uint32_t not_reached = UINT32_MAX;

// What the source does not reach is on the sink's side anyway, and that is nearly everything as a rule.
std::vector<uint32_t> reached(uint32_t count, const std::vector<CutEdge>& edges, uint32_t& reached_count) {
  std::vector<uint32_t> first(count + 1), next(edges.size()), place(count, not_reached);
  std::fill(first.begin(), first.end(), not_reached);
  for (uint32_t i = 0; i < edges.size(); ++i) {
    next[i] = first[edges[i].from];
    first[edges[i].from] = i;
  }
  place[cut_sink] = cut_sink;
  place[cut_source] = cut_source;
  reached_count = 2;
  std::vector<uint32_t> open{cut_source};
  while (!open.empty()) {
    const uint32_t v = open.back();
    open.pop_back();
    for (uint32_t e = first[v]; e != not_reached; e = next[e]) {
      if (edges[e].capacity == 0 || place[edges[e].to] != not_reached) continue;
      place[edges[e].to] = reached_count++;
      open.push_back(edges[e].to);
    }
  }
  return place;
}

}  // namespace

std::vector<bool> minimum_cut(uint32_t count, const std::vector<CutEdge>& edges) {
  uint32_t size = 0;
  const auto place = reached(count, edges, size);
  std::vector<bool> side(count, false);
  side[cut_source] = true;
  if (size == 2) return side;
  Network net(size);
  for (const CutEdge& e : edges) {
    const uint32_t from = place[e.from], to = place[e.to];
    if (from == not_reached || to == not_reached || from == to || e.capacity == 0) continue;
    const auto there = add_edge(from, to, net).first, back = add_edge(to, from, net).first;
    net[there].capacity = e.capacity;
    net[there].reverse = back;
    net[back].reverse = there;
  }
  std::vector<Traits::edge_descriptor> predecessor(size);
  std::vector<boost::default_color_type> color(size);
  std::vector<long> distance(size);
  const auto index = get(boost::vertex_index, net);
  boykov_kolmogorov_max_flow(net, get(&CutArc::capacity, net), get(&CutArc::residual, net),
                             get(&CutArc::reverse, net), predecessor.data(), color.data(), distance.data(),
                             index, cut_source, cut_sink);
  // What the source still reaches; the trees of the search may hold less after the last augmentation.
  std::vector<bool> seen(size, false);
  std::vector<uint32_t> open{cut_source};
  seen[cut_source] = true;
  while (!open.empty()) {
    const uint32_t v = open.back();
    open.pop_back();
    for (auto [e, end] = out_edges(v, net); e != end; ++e) {
      const auto to = static_cast<uint32_t>(target(*e, net));
      if (net[*e].residual <= 0 || seen[to]) continue;
      seen[to] = true;
      open.push_back(to);
    }
  }
  for (uint32_t v = 0; v < count; ++v)
    if (place[v] != not_reached) side[v] = seen[place[v]];
  return side;
}

}  // namespace mo::builtin_passes
