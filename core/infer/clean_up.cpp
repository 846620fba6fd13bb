#include "core/infer/infer.hpp"

#include <unordered_map>

#include "core/support/contains.hpp"

namespace mo::core {

namespace {

// All values known, none of them to be kept computable.
bool foldable(const Session& session, const Graph& g, NodeId n) {
  const NodeRecord& r = g.node(n);
  if (r.op == g.space().constant || r.op == g.space().parameter || r.outputs.empty()) return false;
  const bool known = std::all_of(r.outputs.begin(), r.outputs.end(), [](const OutSlot& o) {
    return o.destinations == 0 || (o.tensor.value && !o.tensor.from_shape);
  });
  if (!known) return false;
  const Operation* op = operation_of(session, g, n);
  return op != nullptr && (op->flags & (MO_OP_NO_FOLD | MO_OP_SINK)) == 0;
}

uint64_t bytes_of(const Graph& g, NodeId n) {
  uint64_t bytes = 0;
  for (const OutSlot& o : g.node(n).outputs) bytes += o.tensor.value ? o.tensor.value->bytes : 0;
  return bytes;
}

// Which nodes are folded: those whose value takes no more than what it is computed from, but for a little.
class Folding {
 public:
  Folding(const Session& session, const Graph& g) : session_(session), g_(g) {}
  bool takes(NodeId n) {
    constexpr uint64_t little = uint64_t{1} << 20;
    if (!foldable(session_, g_, n)) return false;
    const uint64_t bytes = bytes_of(g_, n);
    return bytes <= little || bytes <= sources(n, 0);
  }

 private:
  uint64_t sources(NodeId n, int depth) {
    uint64_t sum = 0;
    for (const InSlot& in : g_.node(n).inputs)
      if (in.source) sum += least(in.source.node, depth + 1);
    return sum;
  }
  // What is stored for a value: itself, or what it is computed from.
  uint64_t least(NodeId n, int depth) {
    constexpr int deepest = 16;
    const uint64_t bytes = bytes_of(g_, n);
    if (depth > deepest || !foldable(session_, g_, n)) return bytes;
    const auto [known, fresh] = least_.try_emplace(n, bytes);
    if (fresh) least_[n] = std::min(bytes, sources(n, depth));
    return least_[n];
  }

  const Session& session_;
  const Graph& g_;
  std::unordered_map<NodeId, uint64_t> least_;
};

// Const nodes take over name, tensor names and destinations.
void fold(Graph& g, NodeId n) {
  const std::string name(g.name(n));
  g.rename(n, g.unique_name(name + "/folded"));
  const auto count = static_cast<uint32_t>(g.node(n).outputs.size());
  for (uint32_t i = 0; i < count; ++i) {
    const OutSlot& o = g.out({n, i});
    if (o.destinations == 0) continue;
    const NodeId c = g.add_const(i == 0 ? name : text(name, ".", i), o.tensor.value);
    g.set_source({n, i}, {c, 0}, NamesMode::merge);
  }
}

bool is_read(const Graph& g, NodeId n) {
  const auto& outputs = g.node(n).outputs;
  return std::any_of(outputs.begin(), outputs.end(), [](const OutSlot& o) { return o.destinations != 0; });
}

// What only foldable nodes read goes with them.
bool is_read_by_what_stays(Folding& folding, const Graph& g, NodeId n) {
  for (const OutSlot& o : g.node(n).outputs)
    for (PortRef d = o.first; d; d = g.node(d.node).inputs[d.port].next)
      if (!folding.takes(d.node)) return true;
  return false;
}

size_t clean_up_graph(const Session& session, Graph& g) {
  const std::vector<NodeId> kept = sinks_and_parameters(session, g);
  const size_t removed = remove_unneeded(g, kept);
  std::vector<NodeId> known;
  Folding folding(session, g);
  for (NodeId n = 0; n < g.end_id(); ++n)
    if (g.alive(n) && folding.takes(n) && is_read_by_what_stays(folding, g, n)) known.push_back(n);
  for (NodeId n : known) fold(g, n);
  return known.empty() ? removed : removed + remove_unneeded(g, kept);
}

}  // namespace

// Asks for the operations that the graph has, and no others: plugins that are opened on demand stay closed.
std::vector<NodeId> sinks(const Session& session, const Graph& g) {
  const auto is_sink = [&](NodeId n) {
    const Operation* op = operation_of(session, g, n);
    return op != nullptr && (op->flags & MO_OP_SINK) != 0;
  };
  std::vector<NodeId> list;
  for (const Symbol op : g.ops()) {
    const std::span<const NodeId> nodes = g.nodes_of(op);
    if (!g.has_one_opset(op))
      std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(list), is_sink);
    else if (is_sink(nodes.front()))
      list.insert(list.end(), nodes.begin(), nodes.end());
  }
  std::sort(list.begin(), list.end());
  list.insert(list.begin(), g.results().begin(), g.results().end());
  return list;
}

std::vector<NodeId> sinks_and_parameters(const Session& session, const Graph& g) {
  std::vector<NodeId> list = sinks(session, g);
  list.insert(list.end(), g.parameters().begin(), g.parameters().end());
  return list;
}

// There are no cycles: what is read leads to something that stays.
size_t remove_unneeded(Graph& g, std::span<const NodeId> kept) {
  std::vector<bool> stays(g.end_id());
  for (NodeId n : g.results()) stays[n] = true;
  for (NodeId n : kept) stays[n] = true;
  std::vector<NodeId> open;
  const auto look_at = [&](NodeId n) {
    if (!stays[n] && g.alive(n) && !is_read(g, n)) open.push_back(n);
  };
  for (NodeId n = 0; n < g.end_id(); ++n) look_at(n);
  size_t removed = 0;
  for (; !open.empty(); ++removed) {
    const NodeId n = open.back();
    open.pop_back();
    std::vector<NodeId> producers;
    for (const InSlot& in : g.node(n).inputs)
      if (in.source && !contains(producers, in.source.node)) producers.push_back(in.source.node);
    g.remove_node(n);
    for (NodeId p : producers) look_at(p);
  }
  return removed;
}

size_t clean_up(Session& session, Graph& g) {
  infer_marked(session, g);
  size_t removed = 0;
  if (!g.is_clean()) {
    removed = clean_up_graph(session, g);
    infer_marked(session, g);
    g.set_clean();
  }
  if (g.has_bodies())
    for (NodeId n : g.nodes())
      for (const GraphPtr& body : g.bodies(n)) removed += clean_up(session, *body);
  return removed;
}

}  // namespace mo::core
