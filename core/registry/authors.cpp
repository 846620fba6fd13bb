#include "core/registry/authors.hpp"

#include <algorithm>

namespace mo::core {

std::string full_name(const Plugin& p) {
  return text(p.id, " ", p.version, p.path.empty() ? "" : text(" (", p.path, ")"));
}

namespace {

std::string who(const Authors::Deed& d) {
  const std::string of = d.plugin == nullptr ? std::string() : text(" of plugin ", full_name(*d.plugin));
  if (d.transformation.empty()) return text("an extractor", of);
  return d.plugin == nullptr ? text("the entry of ", d.entry) : text("transformation ", d.transformation, of);
}

}  // namespace

uint32_t Authors::add(Deed d) {
  deeds_.push_back(std::move(d));
  return static_cast<uint32_t>(deeds_.size());
}

// Whom a vendor's edit led astray is not known to what is built in, so its edits hide none of a vendor.
void Authors::note(const Graph& g, NodeId n, uint32_t number, bool made) {
  std::vector<Hands>& nodes = graphs_[g.serial()];
  if (nodes.size() <= n) nodes.resize(g.end_id());
  uint32_t& hand = made ? nodes[n].made : nodes[n].changed;
  if (hand == 0 || deed(hand).is_ours() || !deed(number).is_ours()) hand = number;
}

void Authors::note_origin(const Graph& g, NodeId first, uint64_t native) {
  if (native != 0 && first != g.end_id()) origins_[g.serial()].push_back({first, g.end_id(), native});
}

uint64_t Authors::origin(const Graph& g, NodeId n) const {
  if (const uint64_t native = g.node(n).native; native != 0 || origins_.empty()) return native;
  const auto all = origins_.find(g.serial());
  if (all == origins_.end()) return 0;
  const auto after = std::upper_bound(all->second.begin(), all->second.end(), n,
                                      [](NodeId node, const Origin& o) { return node < o.end; });
  return after != all->second.end() && after->first <= n ? after->native : 0;
}

Authors::Hands Authors::hands(const Graph& g, NodeId n) const {
  const auto nodes = graphs_.find(g.serial());
  return nodes == graphs_.end() || nodes->second.size() <= n ? Hands() : nodes->second[n];
}

uint32_t Authors::foreign(const Hands& h) const {
  uint32_t last = 0;
  for (const uint32_t number : {h.made, h.changed})
    if (number > last && !deed(number).is_ours()) last = number;
  return last;
}

std::string Authors::blame(const Graph& g, NodeId n) const {
  const Hands h = hands(g, n);
  const uint32_t number = foreign(h);
  if (number == 0) return {};
  return text(number == h.made ? " made by " : " changed by ", who(deed(number)));
}

// Before the node, in the direction of the inputs, whoever edited something since all was inferred.
void Authors::blame_nearest(Failure& f, const Graph& g, NodeId failed) const {
  std::vector<NodeId> open{failed};
  std::vector<bool> seen(g.end_id());
  for (size_t i = 0; i < open.size(); ++i) {
    const NodeId n = open[i];
    const Hands h = hands(g, n);
    if (const uint32_t last = std::max(h.made, h.changed); last > inferred_) {
      const Deed& d = deed(last);
      if (d.transformation != f.context_of("pass"))
        f.with("changed", text(describe(g, n), ", last by ", who(d), ": ", d.what));
      return;
    }
    for (const InSlot& in : g.node(n).inputs)
      if (in.source && !seen[in.source.node]) {
        seen[in.source.node] = true;
        open.push_back(in.source.node);
      }
  }
}

void Authors::blame(Failure& f, const GraphSpace& space) const {
  const Graph* g = space.find(static_cast<uint32_t>(f.node() >> 32));
  const auto n = static_cast<NodeId>((f.node() & 0xffffffffU) - 1);
  if (g == nullptr || !g->alive(n) || f.has("made by") || f.has("changed by")) return;
  const Hands h = hands(*g, n);
  const uint32_t number = foreign(h);
  if (number == 0) return blame_nearest(f, *g, n);
  const Deed& d = deed(number);
  f.with("entry", d.entry);
  if (f.context_of("pass") == d.transformation) {
    const bool is_named = d.plugin != nullptr && f.context_of("plugin").starts_with(full_name(*d.plugin));
    if (!d.transformation.empty() || is_named) return;
  }
  const std::string pass = f.take("pass"), plugin = f.take("plugin");
  (void)f.take("edit");
  f.with(number == h.made ? "made by" : "changed by",
         text(who(d), number == h.made ? "" : text(": ", d.what)));
  f.with("met by", pass.empty() || plugin.empty() ? pass + plugin : text(pass, "; ", plugin));
}

}  // namespace mo::core
