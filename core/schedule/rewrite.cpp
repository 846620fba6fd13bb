#include "core/schedule/rewrite.hpp"

#include "core/config/keep_replaced.hpp"

#include <algorithm>
#include <unordered_set>

namespace mo::core {

namespace {

std::string port_text(const Graph& g, PortRef p) {
  return text("output ", p.port, " of ", describe(g, p.node));
}

// A replacement says the same: what is known of both may not contradict.
void check_same_tensor(const Graph& g, PortRef from, PortRef to) {
  const TensorState &old = g.out(from).tensor, &now = g.out(to).tensor;
  const bool types_fit =
      old.type == now.type || old.type == ElementType::unknown || now.type == ElementType::unknown;
  if (types_fit && merge(old.shape, now.shape)) return;
  throw Error(text(port_text(g, to), " is ", name(now.type), " ", now.shape, " and cannot replace ",
                   port_text(g, from), ", which is ", name(old.type), " ", old.shape,
                   "; if that is meant, connect the readers one by one"),
              MO_INVALID_ARGUMENT, node_handle(g, to.node));
}

void check_does_not_read(const Graph& g, PortRef from, PortRef to) {
  for (PortRef d : g.destinations(from))
    if (d.node == to.node)
      throw Error(text(describe(g, to.node), " reads ", port_text(g, from),
                       ", which it would replace; use insert_node to put a node after another"),
                  MO_INVALID_ARGUMENT, node_handle(g, to.node));
}

}  // namespace

void Rewrite::check_length() const {
  if (journal_.size() < start_ + most_edits_) return;
  throw Failure(Exit::plugin, "MO0604",
                text("endless loop: one callback has made ", journal_.size() - start_, " edits"))
      .with("hint", "nodes that the callback makes may match again what it looks for");
}

void Rewrite::look_at_edits() {
  const auto& edits = journal_.edits();
  if (looked_at_ > edits.size()) looked_at_ = start_;  // something was taken back
  for (; looked_at_ < edits.size(); ++looked_at_) {
    const Journal::Edit& e = edits[looked_at_];
    if (e.what == "add node") made_.insert(place(*e.graph, e.node));
    if (e.what == "rename node") renamed_.insert(place(*e.graph, e.node));
  }
}

bool Rewrite::made_here(const Graph& g, NodeId n) { return made_.contains(place(g, n)); }

void Rewrite::replace_outputs(Graph& g, NodeId old, const std::vector<PortRef>& ports) {
  const size_t outputs = g.node(old).outputs.size();
  if (ports.size() > outputs)
    throw Error(text(ports.size(), " replacements for the ", outputs, " outputs of ", describe(g, old)),
                MO_INVALID_ARGUMENT, node_handle(g, old));
  if (std::any_of(replaced_.begin(), replaced_.end(),
                  [&](const Replaced& r) { return r.graph == &g && r.old == old; }))
    throw Error(text(describe(g, old), " has been replaced already"), MO_INVALID_ARGUMENT,
                node_handle(g, old));
  for (uint32_t i = 0; i < ports.size(); ++i) {
    if (!ports[i]) continue;
    if (ports[i].node == old)
      throw Error(text(describe(g, old), " cannot replace itself"), MO_INVALID_ARGUMENT, node_handle(g, old));
    check_does_not_read(g, {old, i}, ports[i]);
    check_same_tensor(g, {old, i}, ports[i]);
  }
  look_at_edits();
  std::vector<NodeId> heirs;
  for (uint32_t i = 0; i < ports.size(); ++i) {
    if (!ports[i]) continue;
    g.set_source({old, i}, ports[i], NamesMode::merge);
    if (made_here(g, ports[i].node) && std::find(heirs.begin(), heirs.end(), ports[i].node) == heirs.end())
      heirs.push_back(ports[i].node);
  }
  for (NodeId n : heirs) give_rt_info(g, old, n);
  const bool named = !ports.empty() && ports[0] && made_here(g, ports[0].node);
  const NodeId heir = named ? ports[0].node : no_node;
  for (Replaced& r : replaced_)  // what it has replaced itself gives its name on
    if (r.graph == &g && r.heir == old) r.heir = heir;
  replaced_.push_back({&g, old, heir, std::string(g.name(old))});
}

// What the new node has of its own stays.
void Rewrite::give_rt_info(Graph& g, NodeId from, NodeId to) {
  const auto items = g.rt_info(from).items();
  for (const auto& [key, value] : items)
    if (g.rt_info(to).find(key) == nullptr) g.set_rt_info(to, g.symbols().text(key), value);
}

namespace {

// One new node that gives every output stands for the whole: without inference of its own it takes that of
// what it replaces.
void keep_replaced_with(Session& session, Match& m) {
  if (m.mapped_outputs.empty()) return;
  const NodeId node = m.mapped_outputs.front().second.node;
  std::vector<std::pair<uint32_t, uint32_t>> inputs, outputs;
  for (const auto& [i, in] : m.mapped_inputs)
    if (in.node == node) inputs.emplace_back(i, in.port);
  for (const auto& [i, out] : m.mapped_outputs) {
    if (out.node != node) return;
    outputs.emplace_back(i, out.port);
  }
  keep_replaced(session, m, node, inputs, outputs);
}

// A configuration may name nodes that others use, too, like a shared constant: they stay, with what they
// need.
void keep_what_is_read(const Graph& g, std::vector<NodeId>& going) {
  const std::unordered_set<NodeId> all(going.begin(), going.end());
  std::unordered_set<NodeId> goes = all;
  std::vector<NodeId> open;
  const auto stay = [&](NodeId n) {
    if (goes.erase(n) != 0) open.push_back(n);
  };
  for (NodeId n : going)
    for (uint32_t i = 0; g.alive(n) && i < g.node(n).outputs.size(); ++i)
      for (PortRef d : g.destinations({n, i}))
        if (!all.contains(d.node)) stay(n);
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const InSlot& in : g.node(n).inputs)
      if (in.source) stay(in.source.node);
  }
  std::erase_if(going, [&](NodeId n) { return !goes.contains(n); });
}

}  // namespace

void Rewrite::connect_match(Session& session, Match& m) {
  Graph& g = *m.graph;
  const Boundary b = boundary_of(m, first_new_);
  std::vector<NodeId> going = m.nodes();
  std::erase_if(going, [&](NodeId n) { return std::find(m.kept.begin(), m.kept.end(), n) != m.kept.end(); });
  const std::unordered_set<NodeId> all_going(going.begin(), going.end());
  const auto goes = [&](NodeId n) { return all_going.contains(n); };
  look_at_edits();
  for (const auto& [i, in] : m.mapped_inputs)
    if (g.alive(in.node) && g.alive(b.inputs[i].source.node)) g.connect(b.inputs[i].source, in);
  std::map<NodeId, std::pair<uint32_t, NodeId>>
      namesakes;  // of new nodes: by their first output that is used
  for (const auto& [i, out] : m.mapped_outputs) {
    const PortRef from = b.outputs[i];
    if (!g.alive(out.node) || !g.alive(from.node)) continue;
    check_same_tensor(g, from, out);
    for (PortRef d : g.destinations(from))
      if (!goes(d.node) && d.node < first_new_) g.connect(out, d);
    g.move_tensor_names(from, out);
    if (!made_here(g, out.node)) continue;
    give_rt_info(g, from.node, out.node);
    const auto [it, is_first] = namesakes.try_emplace(out.node, out.port, from.node);
    if (!is_first) it->second = std::min(it->second, std::pair(out.port, from.node));
  }
  if (m.configured) {
    keep_replaced_with(session, m);
    keep_what_is_read(g, going);
  }
  std::map<NodeId, NodeId> heirs;
  for (const auto& [heir, namesake] : namesakes) heirs.emplace(namesake.second, heir);
  for (NodeId n : going) {
    if (!g.alive(n)) continue;
    const auto heir = heirs.find(n);
    replaced_.push_back({&g, n, heir == heirs.end() ? no_node : heir->second, std::string(g.name(n))});
  }
}

void Rewrite::remove(const Replaced& r) {
  Graph& g = *r.graph;
  if (g.alive(r.old)) {
    if (r.heir == no_node || renamed_.contains(place(g, r.old))) return g.remove_node(r.old);
    g.remove_node(r.old);
  }
  if (r.heir == no_node || !g.alive(r.heir) || renamed_.contains(place(g, r.heir))) return;
  if (g.find(r.name) == no_node && named_.insert(place(g, r.heir)).second) g.rename(r.heir, r.name);
}

void Rewrite::apply(Session& session, Match* match) {
  if (match != nullptr && !(match->mapped_inputs.empty() && match->mapped_outputs.empty()))
    connect_match(session, *match);
  if (replaced_.empty()) return;
  look_at_edits();  // names the callback gave stay
  for (const Replaced& r : replaced_) remove(r);
  replaced_.clear();
}

}  // namespace mo::core
