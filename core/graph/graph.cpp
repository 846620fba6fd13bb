#include "core/graph/graph.hpp"

#include <algorithm>

namespace mo::core {

Graph::Graph(std::shared_ptr<GraphSpace> space, std::string_view name)
    : space_(std::move(space)), name_(name) {
  serial_ = static_cast<uint32_t>(space_->graphs_.size());
  space_->graphs_.push_back(this);
}

GraphPtr Graph::create(std::shared_ptr<GraphSpace> space, std::string_view name) {
  return GraphPtr(new Graph(std::move(space), name));
}

Graph::~Graph() {
  if (has_bodies())
    for (NodeId n = 0; n < nodes_.size(); ++n)
      for (const auto& [key, value] : nodes_[n].attributes.items()) adopt_bodies(n, value, false);
  space_->graphs_[serial_] = nullptr;
}

Graph& Graph::main() {
  Graph* at = this;
  while (at->parent_ != nullptr) at = at->parent_;
  return *at;
}

void Graph::set_name(std::string_view name) {
  journal_edit(no_node, "rename graph", [this, old = name_] { name_ = old; });
  name_ = name;
}

// Other attributes are not copied, and when it is undone their order is as it was.
template <class Map>
void Graph::edit_attribute(NodeId node, std::string_view what, Map map, std::string_view key,
                           Attribute value) {
  const Symbol k = symbols().intern(key);
  AttributeMap::Before before = map().set(k, std::move(value));
  count_edit();
  if (Journal* j = journal())
    j->record(this, node, what,
              [map, k, before = std::move(before)]() mutable { map().put_back(k, std::move(before)); });
}

void Graph::set_attribute(std::string_view key, Attribute value) {
  edit_attribute(
      no_node, "set graph attribute", [this]() -> AttributeMap& { return attributes_; }, key,
      std::move(value));
}

// Nodes.

NodeId Graph::add_node(std::string_view op, std::string_view opset, std::string_view name, uint32_t inputs,
                       uint32_t outputs) {
  const auto id = static_cast<NodeId>(nodes_.size());
  NodeRecord& n = nodes_.emplace_back();
  flags_.push_back(is_alive);
  ops_.push_back(n.op = symbols().intern(op));
  n.opset = symbols().intern(opset);
  const std::string_view wanted = !name.empty() ? name : !op.empty() ? op : "node";
  n.name = symbols().intern(wanted);
  if (named(n.name) != no_node) n.name = symbols().intern(unique_name(wanted));
  n.inputs.resize(inputs);
  n.outputs.resize(outputs);
  name_add(id);
  index_add(id);
  ++alive_count_;
  journal_edit(id, "add node", [this, id] {
    index_remove(id);
    name_remove(id);
    bury(id);
  });
  mark(id);
  return id;
}

// Its id is not given to another node: who still knows it is told so.
void Graph::bury(NodeId id) {
  unmark(id);
  mut(id) = NodeRecord();
  flags_[id] = 0;
  known_names_.erase(id);
  --alive_count_;
}

NodeId Graph::add_const(std::string_view name, TensorRef value) {
  const NodeId id = add_node(words::constant, "opset1", name, 0, 1);
  TensorState s;
  s.shape = shape_of(*value);
  s.type = value->type;
  s.value = std::move(value);
  set_tensor({id, 0}, std::move(s));
  return id;
}

void Graph::remove_node(NodeId id) {
  for (uint32_t i = 0; i < nodes_[id].inputs.size(); ++i) disconnect_input({id, i});
  for (uint32_t i = 0; i < nodes_[id].outputs.size(); ++i) disconnect_output({id, i});
  NodeRecord& n = mut(id);
  for (const auto& [key, value] : n.attributes.items()) adopt_bodies(id, value, false);
  index_remove(id);
  name_remove(id);
  count_edit();
  if (journal() != nullptr) {
    auto kept = std::make_shared<NodeRecord>(std::move(n));
    journal_edit(id, "remove node", [this, id, kept, flags = flags_[id]] {
      NodeRecord& back = mut(id) = std::move(*kept);
      flags_[id] = flags & (is_alive | is_followed);
      name_add(id);
      index_add(id);
      ++alive_count_;
      for (const auto& [key, value] : back.attributes.items()) adopt_bodies(id, value, true);
      if ((flags & is_marked) != 0) note_mark(id);
    });
  }
  bury(id);
}

void Graph::set_op(NodeId id, std::string_view op, std::string_view opset) {
  NodeRecord& n = mut(id);
  const Symbol new_op = symbols().intern(op), new_opset = symbols().intern(opset);
  if (n.op == new_op && n.opset == new_opset) return;
  const auto change = [this, id](Symbol o, Symbol os) {
    NodeRecord& r = mut(id);
    if (o == r.op) {  // its place among them stays
      OpBucket& b = by_op_[o];
      b.remove(std::exchange(r.opset, os));
      ++b.opsets[os];
      return;
    }
    index_remove(id);
    r.op = ops_[id] = o;
    r.opset = os;
    index_add(id);
  };
  journal_edit(id, "set op", [change, old_op = n.op, old_opset = n.opset] { change(old_op, old_opset); });
  change(new_op, new_opset);
  mark(id);
}

void Graph::rename(NodeId id, std::string_view name) {
  const Symbol fresh = symbols().intern(name);
  if (fresh == nodes_[id].name) return;
  demand(fresh != 0, "a node needs a name");
  demand(named(fresh) == no_node, "the name '", name, "' is already that of another node");
  const auto change = [this, id](Symbol s) {
    name_remove(id);
    mut(id).name = s;
    name_add(id);
  };
  journal_edit(id, "rename node", [change, old = nodes_[id].name] { change(old); });
  change(fresh);
}

std::string Graph::unique_name(std::string_view prefix) const {
  if (const Symbol s = symbols().find(prefix); s == 0 || named(s) == no_node) return std::string(prefix);
  uint32_t& next = next_suffix_[std::string(prefix)];
  for (;;) {
    std::string candidate = text(prefix, "_", ++next);
    if (const Symbol s = symbols().find(candidate); s == 0 || named(s) == no_node) return candidate;
  }
}

NodeId Graph::find(std::string_view name) const { return named(symbols().find(name)); }

std::vector<NodeId> Graph::nodes() const {
  std::vector<NodeId> list;
  list.reserve(alive_count_);
  for (NodeId n = 0; n < nodes_.size(); ++n)
    if (alive(n)) list.push_back(n);
  return list;
}

// Symbols are dense. An odd factor keeps each of them in a slot of its own, but not side by side: in a run of
// slots a name that has gone is looked for up to the end of the run. No two names become the same.
static uint32_t spread(Symbol name) { return name * 0x9e3779b1U; }

NodeId Graph::named(Symbol name) const {
  return by_name_.find(spread(name), [](NodeId) { return true; });
}
void Graph::name_add(NodeId n) { by_name_.insert(spread(nodes_[n].name), n); }
void Graph::name_remove(NodeId n) { by_name_.erase(spread(nodes_[n].name), n); }

void Graph::OpBucket::remove(Symbol opset) {
  if (--opsets[opset] == 0) opsets.erase(opset);
}

void Graph::index_add(NodeId id) {
  OpBucket& b = by_op_[nodes_[id].op];
  ++b.opsets[nodes_[id].opset];
  b.dirty = !b.ids.empty() && (b.dirty || b.ids.back() >= id);
  b.ids.push_back(id);
}

void Graph::index_remove(NodeId id) {
  OpBucket& b = by_op_[nodes_[id].op];
  b.remove(nodes_[id].opset);
  if (!b.dirty && b.ids.back() == id)
    b.ids.pop_back();
  else
    b.dirty = true;  // sorted out by the next reader
}

std::span<const NodeId> Graph::nodes_of(Symbol op) const {
  const auto it = by_op_.find(op);
  if (it == by_op_.end()) return {};
  OpBucket& b = it->second;
  if (b.dirty) {
    std::erase_if(b.ids, [&](NodeId n) { return !alive(n) || ops_[n] != op; });
    if (!std::is_sorted(b.ids.begin(), b.ids.end())) std::sort(b.ids.begin(), b.ids.end());
    b.ids.erase(std::unique(b.ids.begin(), b.ids.end()), b.ids.end());
    b.dirty = false;
  }
  return b.ids;
}

std::vector<Symbol> Graph::ops() const {
  std::vector<Symbol> list;
  for (const auto& [op, bucket] : by_op_)
    if (!nodes_of(op).empty()) list.push_back(op);
  std::sort(list.begin(), list.end());
  return list;
}

// Ports.

uint32_t Graph::add_input(NodeId id) {
  mut(id).inputs.emplace_back();
  journal_edit(id, "add input port", [this, id] { mut(id).inputs.pop_back(); });
  return static_cast<uint32_t>(nodes_[id].inputs.size() - 1);
}

uint32_t Graph::add_output(NodeId id) {
  mut(id).outputs.emplace_back();
  journal_edit(id, "add output port", [this, id] { mut(id).outputs.pop_back(); });
  return static_cast<uint32_t>(nodes_[id].outputs.size() - 1);
}

void Graph::relink_moved_input(NodeId id, uint32_t from, uint32_t to) {
  const PortRef out = nodes_[id].inputs[from].source;
  if (!out) return;
  const PortRef before = unlink({id, from});
  link(out, {id, to}, before);
}

void Graph::delete_input(NodeId id, uint32_t port) {
  disconnect_input({id, port});
  const auto last = static_cast<uint32_t>(nodes_[id].inputs.size() - 1);
  for (uint32_t i = port; i < last; ++i) relink_moved_input(id, i + 1, i);
  mut(id).inputs.pop_back();
  journal_edit(id, "delete input port", [this, id, port, last] {
    mut(id).inputs.emplace_back();
    for (uint32_t i = last; i > port; --i) relink_moved_input(id, i - 1, i);
  });
  mark(id);
}

void Graph::delete_output(NodeId id, uint32_t port) {
  disconnect_output({id, port});
  const auto renumber = [this, id](size_t first, auto change) {
    for (size_t i = first; i < nodes_[id].outputs.size(); ++i)
      for (PortRef d = nodes_[id].outputs[i].first; d; d = nodes_[d.node].inputs[d.port].next)
        change(mut(d.node).inputs[d.port].source.port);
  };
  renumber(port + size_t{1}, [](uint32_t& p) { --p; });
  auto& outputs = mut(id).outputs;
  known_names_.erase(id);
  auto kept = std::make_shared<OutSlot>(std::move(outputs[port]));
  outputs.erase(outputs.begin() + port);
  journal_edit(id, "delete output port", [this, id, port, kept, renumber] {
    known_names_.erase(id);
    auto& slots = mut(id).outputs;
    slots.insert(slots.begin() + port, std::move(*kept));
    renumber(port + size_t{1}, [](uint32_t& p) { ++p; });
  });
  mark(id);
}

void Graph::link(PortRef out, PortRef in, PortRef before) {
  OutSlot& o = mut(out.node).outputs[out.port];
  InSlot& i = mut(in.node).inputs[in.port];
  i.source = out;
  i.next = before;
  i.previous = before ? nodes_[before.node].inputs[before.port].previous : o.last;
  (i.previous ? mut(i.previous.node).inputs[i.previous.port].next : o.first) = in;
  (before ? mut(before.node).inputs[before.port].previous : o.last) = in;
  ++o.destinations;
  if (stale(out.node)) suspects_.push_back(in.node);
}

PortRef Graph::unlink(PortRef in) {
  InSlot& i = mut(in.node).inputs[in.port];
  OutSlot& o = mut(i.source.node).outputs[i.source.port];
  (i.previous ? mut(i.previous.node).inputs[i.previous.port].next : o.first) = i.next;
  (i.next ? mut(i.next.node).inputs[i.next.port].previous : o.last) = i.previous;
  --o.destinations;
  const PortRef before = i.next;
  i = InSlot();
  return before;
}

std::vector<PortRef> Graph::destinations(PortRef out) const {
  std::vector<PortRef> list;
  const OutSlot& o = nodes_[out.node].outputs[out.port];
  list.reserve(o.destinations);
  for (PortRef d = o.first; d; d = nodes_[d.node].inputs[d.port].next) list.push_back(d);
  return list;
}

// Nothing but types and shapes is known, and they are the same.
static bool are_alike(const TensorState& a, const TensorState& b) {
  const auto is_plain = [](const TensorState& s) { return !s.value && s.bounds.empty() && !s.from_shape; };
  return a.type != ElementType::unknown && a.type == b.type && a.shape == b.shape && is_plain(a) &&
         is_plain(b);
}

// What reads a tensor like the one it read before need not be inferred again; when another inference changes
// that tensor, its readers are marked.
void Graph::connect(PortRef out, PortRef in) {
  const PortRef before = source(in);
  if (before == out) return;
  const bool alike = before && are_alike(this->out(before).tensor, this->out(out).tensor);
  if (before) cut(in);
  link(out, in, {});
  journal_edit(in.node, "connect", [this, in] { unlink(in); });
  if (!alike) mark(in.node);
}

void Graph::disconnect_input(PortRef in) {
  if (!source(in)) return;
  cut(in);
  mark(in.node);
}

void Graph::cut(PortRef in) {
  const PortRef out = source(in), before = unlink(in);
  journal_edit(in.node, "disconnect", [this, out, in, before] { link(out, in, before); });
}

void Graph::disconnect_output(PortRef out) {
  while (const PortRef d = nodes_[out.node].outputs[out.port].first) disconnect_input(d);
}

// Connections.

void Graph::transfer_names(PortRef from, PortRef to, NamesMode mode) {
  if (mode == NamesMode::source || from == to) return;
  if (mode == NamesMode::dest) set_tensor_names(to, {});
  move_tensor_names(from, to);
}

void Graph::set_source(PortRef from, PortRef to, NamesMode names) {
  if (from == to) return;
  while (const PortRef d = nodes_[from.node].outputs[from.port].first) connect(to, d);
  transfer_names(from, to, names);
}

void Graph::set_destination(PortRef out_port, PortRef in, NamesMode names) {
  demand(out(out_port).destinations <= 1, "set_destination on a connection with ", out(out_port).destinations,
         " destinations");
  if (const PortRef old = source(in); old && old != out_port) transfer_names(old, out_port, names);
  if (const PortRef d = out(out_port).first; d && d != in) disconnect_input(d);
  connect(out_port, in);
}

void Graph::insert_node(PortRef out_port, NodeId id, NamesMode names) {
  demand(nodes_[id].outputs.size() == 1, "insert_node needs a node with one output; ", describe(*this, id),
         " has ", nodes_[id].outputs.size());
  demand(!nodes_[id].inputs.empty(), "insert_node needs a node with an input; ", describe(*this, id),
         " has none");
  set_source(out_port, {id, 0}, names);
  connect(out_port, {id, 0});
}

// Tensors.

// Large values that nobody has computed yet count as another one: computing both to learn that nothing
// changed costs more than what follows from a change.
static bool is_same_value(const TensorRef& a, const TensorRef& b) {
  constexpr uint64_t large = uint64_t{1} << 20;
  if (a == b || !a || !b) return a == b;
  const bool at_hand = a->bytes < large || (depth_of(*a) == 0 && depth_of(*b) == 0);
  return at_hand && equal_contents(*a, *b);
}

bool Graph::set_tensor(PortRef p, TensorState state) {
  TensorState& now = mut(p.node).outputs[p.port].tensor;
  if (now.shape == state.shape && now.type == state.type && now.from_shape == state.from_shape &&
      is_same_value(now.value, state.value) && now.bounds == state.bounds)
    return false;
  count_edit();
  if (journal() != nullptr)
    journal_edit(p.node, "set tensor", [this, p, old = std::make_shared<TensorState>(now)] {
      mut(p.node).outputs[p.port].tensor = std::move(*old);
      for (PortRef d = out(p).first; d; d = nodes_[d.node].inputs[d.port].next) mark_if_followed(d.node);
    });
  now = std::move(state);
  for (PortRef d = nodes_[p.node].outputs[p.port].first; d; d = nodes_[d.node].inputs[d.port].next)
    mark(d.node);
  return true;
}

void Graph::set_port_attribute(PortRef p, std::string_view key, Attribute value) {
  edit_attribute(
      p.node, "set port attribute",
      [this, p]() -> AttributeMap& { return mut(p.node).outputs[p.port].attributes; }, key, std::move(value));
}

// Attributes.

const Attribute* Graph::attribute(std::string_view key) const {
  const Symbol k = symbols().find(key);
  return k == 0 ? nullptr : attributes_.find(k);
}

const Attribute* Graph::attribute(NodeId n, std::string_view key) const {
  const Symbol k = symbols().find(key);
  return k == 0 ? nullptr : nodes_[n].attributes.find(k);
}

void Graph::adopt_bodies(NodeId id, const Attribute& value, bool adopt) {
  const auto one = [&](const GraphPtr& g) {
    if (g == nullptr) return;
    if (adopt) {
      if (!bodies_.empty() && bodies_.back() >= g->serial_) bodies_dirty_ = true;
      bodies_.push_back(g->serial_);
      g->parent_ = this;
      g->parent_node_ = id;
      g->may_be_body_ = true;
    } else if (bodies_dirty_ = true; g->parent_ == this && g->parent_node_ == id) {
      g->parent_ = nullptr;
      g->parent_node_ = no_node;
    }
    g->is_in_changed_holders_ = false;
  };
  if (const auto* g = std::get_if<GraphPtr>(&value)) one(*g);
  if (const auto* list = std::get_if<std::vector<GraphPtr>>(&value))
    std::for_each(list->begin(), list->end(), one);
}

void Graph::set_attribute(NodeId id, std::string_view key, Attribute value) {
  const Symbol k = symbols().intern(key);
  AttributeMap& map = mut(id).attributes;
  if (const Attribute* old = map.find(k)) adopt_bodies(id, *old, false);
  adopt_bodies(id, value, true);
  AttributeMap::Before before = map.set(k, std::move(value));
  journal_edit(id, "set attribute", [this, id, k, before = std::move(before)]() mutable {
    AttributeMap& now = mut(id).attributes;
    if (const Attribute* set = now.find(k)) adopt_bodies(id, *set, false);
    adopt_bodies(id, before.value, true);
    now.put_back(k, std::move(before));
  });
  mark(id);
}

void Graph::set_rt_info(NodeId id, std::string_view key, Attribute value) {
  edit_attribute(
      id, "set rt_info", [this, id]() -> AttributeMap& { return mut(id).rt_info; }, key, std::move(value));
}

std::vector<GraphPtr> Graph::bodies(NodeId n) const {
  std::vector<GraphPtr> list;
  for (const auto& [key, value] : nodes_[n].attributes.items()) {
    if (const auto* g = std::get_if<GraphPtr>(&value)) list.push_back(*g);
    if (const auto* many = std::get_if<std::vector<GraphPtr>>(&value))
      list.insert(list.end(), many->begin(), many->end());
  }
  std::erase(list, nullptr);
  return list;
}

std::vector<Graph*> Graph::bodies() const {
  if (std::exchange(bodies_dirty_, false)) {
    std::erase_if(bodies_, [&](uint32_t serial) {
      const Graph* g = space_->find(serial);
      return g == nullptr || g->parent_ != this;
    });
    std::sort(bodies_.begin(), bodies_.end());
    bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  }
  std::vector<Graph*> list;
  list.reserve(bodies_.size());
  for (const uint32_t serial : bodies_) list.push_back(space_->find(serial));
  return list;
}

std::string describe(const Graph& g, NodeId n) { return text("'", g.name(n), "' (", g.op(n), ")"); }

}  // namespace mo::core
