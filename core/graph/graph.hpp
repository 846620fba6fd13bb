// The graph: one structure from load to emit. Nodes are operations; tensors belong to their out-ports.
//
// Node ids are indices that are never used again; a node that was removed, or whose making was taken back,
// stays as a tombstone. Every change goes through one of the functions below, so that the op index, the name
// index and the journal are always right.
#pragma once

#include <mo/conventions.h>

#include "core/graph/attribute.hpp"
#include "core/support/blocks.hpp"

#include <boost/container/small_vector.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace mo::core {

using NodeId = uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

// An out-port, or an in-port, depending on where it stands.
struct PortRef {
  NodeId node = no_node;
  uint32_t port = 0;
  explicit operator bool() const { return node != no_node; }
  friend bool operator==(const PortRef&, const PortRef&) = default;
};

enum class NamesMode : int32_t { merge = MO_NAMES_MERGE, source = MO_NAMES_SOURCE, dest = MO_NAMES_DEST };

// What is known about the tensor of an out-port.
struct TensorState {
  TensorRef value;
  ElementType type = ElementType::unknown;
  bool from_shape = false;  // the value follows from the shape of something: known, but not to be folded
  Shape shape = Shape::unknown();
  std::vector<Bound> bounds;  // element-wise, for small integer tensors
};

struct InSlot {
  PortRef source;
  PortRef previous, next;  // neighbours among the destinations of the source
};

using TensorNames = boost::container::small_vector<Symbol, 2>;

struct OutSlot {
  uint32_t destinations = 0;
  PortRef first, last;  // of the destinations, in order of connection
  TensorState tensor;
  TensorNames names;
  AttributeMap attributes;
};

// Most nodes have two inputs and one output, and keep them with themselves.
using InSlots = boost::container::small_vector<InSlot, 2>;
using OutSlots = boost::container::small_vector<OutSlot, 1>;

// Of a large graph nothing is in a processor's cache, and most walks need one line of 64 bytes of each node.
// So they are: who reads it and which value it has; its shape; what else is known of the tensor; what it is;
// what it reads.
struct NodeRecord {
  OutSlots outputs;
  Symbol op = 0, opset = 0, name = 0;
  uint64_t native = 0;  // the front-end's tag; 0: not from a front-end
  AttributeMap attributes;
  uint32_t level = 0;  // see core/graph/levels.hpp
  InSlots inputs;
  AttributeMap rt_info;
};

// Names the graph itself knows.
namespace words {
inline constexpr std::string_view parameter = "Parameter", result = "Result", constant = "Const";
// Of a Parameter, strings: what the model calls its dimensions; "" where it has no name for one.
inline constexpr std::string_view dim_names = MO_ATTR_DIM_NAMES;
// Of a Result: what the file says of an output before anything is inferred.
inline constexpr std::string_view declared_type = MO_ATTR_DECLARED_TYPE,
                                  declared_shape = MO_ATTR_DECLARED_SHAPE;
}  // namespace words

class Graph;

// All graphs of a session: interned strings and handles.
class GraphSpace {
 public:
  SymbolTable symbols;
  Symbol parameter = symbols.intern(words::parameter);
  Symbol result = symbols.intern(words::result);
  Symbol constant = symbols.intern(words::constant);

  // nullptr when that graph is gone.
  Graph* find(uint32_t serial) const { return serial < graphs_.size() ? graphs_[serial] : nullptr; }
  uint32_t end_serial() const { return static_cast<uint32_t>(graphs_.size()); }
  // Counts edits of all graphs. Two equal values: nothing was changed in between.
  uint64_t edits() const { return edits_; }

 private:
  friend class Graph;
  uint64_t edits_ = 0;
  std::vector<Graph*> graphs_{nullptr};  // by serial; 0 is none
};

// The edits of one transformation: taken back in reverse order, or forgotten.
class Journal {
 public:
  struct Edit {
    Graph* graph;  // may be gone: then there is none of this serial
    uint32_t serial;
    NodeId node;
    std::string_view what;  // a literal: "connect", "set attribute", …
    std::function<void()> undo;
  };
  void record(Graph* g, NodeId node, std::string_view what, std::function<void()> undo);
  const std::vector<Edit>& edits() const { return edits_; }
  size_t size() const { return edits_.size(); }
  // Undoes everything after the first `keep` edits.
  void roll_back(size_t keep = 0);
  void clear() { edits_.clear(); }

 private:
  std::vector<Edit> edits_;
};

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static GraphPtr create(std::shared_ptr<GraphSpace> space, std::string_view name);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  GraphSpace& space() const { return *space_; }
  const std::shared_ptr<GraphSpace>& space_ptr() const { return space_; }
  SymbolTable& symbols() const { return space_->symbols; }
  uint32_t serial() const { return serial_; }
  const std::string& name() const { return name_; }
  void set_name(std::string_view name);
  // A copy of what lives in it, bodies and rt_info included; no node holds it. Tensors are shared.
  GraphPtr clone() const;
  const AttributeMap& attributes() const { return attributes_; }
  const Attribute* attribute(std::string_view key) const;     // nullptr: there is none
  void set_attribute(std::string_view key, Attribute value);  // monostate erases

  // The graph and node that hold this graph as a body; nullptr for the main graph, and while nobody holds it.
  Graph* parent() const { return parent_; }
  NodeId parent_node() const { return parent_node_; }
  Graph& main();
  // Made for a node to hold it, or held by one before.
  bool may_be_body() const { return may_be_body_; }
  void set_may_be_body() { may_be_body_ = true; }

  // Nodes.

  // `name` is made unique; empty: derived from op.
  NodeId add_node(std::string_view op, std::string_view opset, std::string_view name, uint32_t inputs,
                  uint32_t outputs);
  NodeId add_const(std::string_view name, TensorRef value);
  void remove_node(NodeId);
  bool alive(NodeId n) const { return n < flags_.size() && (flags_[n] & is_alive) != 0; }
  const NodeRecord& node(NodeId n) const { return nodes_[n]; }
  size_t size() const { return alive_count_; }  // living nodes
  NodeId end_id() const { return static_cast<NodeId>(nodes_.size()); }
  std::string_view op(NodeId n) const { return symbols().text(ops_[n]); }
  std::string_view opset(NodeId n) const { return symbols().text(nodes_[n].opset); }
  std::string_view name(NodeId n) const { return symbols().text(nodes_[n].name); }
  bool is_const(NodeId n) const { return ops_[n] == space_->constant; }
  void set_op(NodeId, std::string_view op, std::string_view opset);
  // Error when another node has the name.
  void rename(NodeId, std::string_view name);
  std::string unique_name(std::string_view prefix) const;
  NodeId find(std::string_view name) const;  // no_node
  void set_native(NodeId n, uint64_t tag) { nodes_[n].native = tag; }
  // Living nodes in order of creation.
  std::vector<NodeId> nodes() const;
  // Living nodes of one op, by index, in order of creation.
  std::span<const NodeId> nodes_of(std::string_view op) const { return nodes_of(symbols().find(op)); }
  std::span<const NodeId> nodes_of(Symbol op) const;
  // True: all nodes of it are of one opset.
  bool has_one_opset(Symbol op) const { return by_op_.at(op).opsets.size() == 1; }
  // Every op that living nodes have.
  std::vector<Symbol> ops() const;
  std::span<const NodeId> parameters() const { return nodes_of(space_->parameter); }
  std::span<const NodeId> results() const { return nodes_of(space_->result); }

  // Ports.
  uint32_t add_input(NodeId);
  uint32_t add_output(NodeId);
  void delete_input(NodeId, uint32_t port);
  void delete_output(NodeId, uint32_t port);
  PortRef source(PortRef in) const { return nodes_[in.node].inputs[in.port].source; }
  std::vector<PortRef> destinations(PortRef out) const;
  void connect(PortRef out, PortRef in);
  void disconnect_input(PortRef in);
  void disconnect_output(PortRef out);

  // Connections, named by their source.
  void set_source(PortRef from, PortRef to, NamesMode names);
  void set_destination(PortRef out, PortRef in, NamesMode names);
  void insert_node(PortRef out, NodeId node, NamesMode names);

  // Tensors.
  const OutSlot& out(PortRef p) const { return nodes_[p.node].outputs[p.port]; }
  // True when it differs from what was known; the destinations are marked then.
  bool set_tensor(PortRef out, TensorState state);
  void set_tensor_names(PortRef out, TensorNames names);
  // `to` has those of `from`, too. Costs what the port with fewer names has of them: where many nodes in a
  // row are taken out one by one, the names of all of them travel.
  void move_tensor_names(PortRef from, PortRef to);
  void set_port_attribute(PortRef out, std::string_view key, Attribute value);

  // Attributes.
  const Attribute* attribute(NodeId n, std::string_view key) const;
  void set_attribute(NodeId, std::string_view key, Attribute value);  // monostate erases
  const AttributeMap& rt_info(NodeId n) const { return nodes_[n].rt_info; }
  void set_rt_info(NodeId, std::string_view key, Attribute value);
  // Graphs held by attributes of a node.
  std::vector<GraphPtr> bodies(NodeId) const;
  // Graphs that any living node holds, in order of creation.
  std::vector<Graph*> bodies() const;

  // Inference bookkeeping.

  // Of a body: whoever holds it is marked, too, once somebody looks for marks there.
  void mark(NodeId);
  bool marked(NodeId n) const { return (flags_[n] & is_marked) != 0; }
  void unmark(NodeId);
  std::vector<NodeId> take_marked();
  bool has_marked() const { return marked_count_ != 0 || !changed_holders_.empty(); }
  // Nodes whose bodies were edited: marks them.
  void mark_changed_holders();
  // The bodies of this node have just been inferred with it.
  void forget_changes_of_bodies(NodeId);
  // Everything was inferred once, and marks say what is not as edits left it.
  bool is_inferred() const { return is_inferred_; }
  void set_inferred() { is_inferred_ = true; }
  // Nodes that depend on marked ones, these included. Known after spread_marks().
  bool stale(NodeId n) const { return (flags_[n] & is_stale) != 0; }
  void set_fresh(NodeId n) { flags_[n] &= ~is_stale; }
  void spread_marks();
  void set_all_fresh();
  // Its mark was followed without a note in the journal: whoever takes back an edit of it marks it again.
  void set_followed(NodeId n) { flags_[n] |= is_followed; }
  void mark_if_followed(NodeId);
  void set_level(NodeId n, uint32_t level) { nodes_[n].level = level; }
  // Every node has got a level; what was connected since may have to be raised.
  bool has_levels() const { return has_levels_; }
  void set_has_levels() { has_levels_ = true; }

  // Counts edits. Two equal values: nothing was changed in between.
  uint64_t edits() const { return edits_; }
  // Clean-up notes up to where it looked.
  bool is_clean() const { return clean_at_ == edits_; }
  void set_clean() { clean_at_ = edits_; }
  bool has_bodies() const { return (bodies_dirty_ ? bodies().size() : bodies_.size()) != 0; }

  // Journal; sub-graphs share that of their main graph.
  void set_journal(Journal* j) { journal_ = j; }
  Journal* journal() const { return parent_ != nullptr ? parent_->journal() : journal_; }

  // Producers first, nodes without a path between them in order of creation as far as possible. Failure names
  // the nodes of a cycle.
  std::vector<NodeId> topological() const;

 private:
  Graph(std::shared_ptr<GraphSpace> space, std::string_view name);
  template <class Undo>
  void journal_edit(NodeId node, std::string_view what, Undo undo);
  template <class Map>
  void edit_attribute(NodeId node, std::string_view what, Map map, std::string_view key, Attribute value);
  NodeRecord& mut(NodeId n) { return nodes_[n]; }
  void link(PortRef out, PortRef in, PortRef before);
  PortRef unlink(PortRef in);  // the neighbour it stood before
  void cut(PortRef in);        // unlinks, and notes it
  void relink_moved_input(NodeId, uint32_t from, uint32_t to);
  NodeId named(Symbol name) const;  // no_node
  void name_add(NodeId n);
  void name_remove(NodeId n);
  void index_add(NodeId);
  void index_remove(NodeId);
  void bury(NodeId);
  NodeId add_copy(const NodeRecord&);
  void note_mark(NodeId);
  void compact_marked();
  void adopt_bodies(NodeId, const Attribute&, bool adopt);
  void transfer_names(PortRef from, PortRef to, NamesMode names);
  std::unordered_set<Symbol>& known_names(PortRef);

  // First what is asked of each of thousands of bodies.
  std::shared_ptr<GraphSpace> space_;
  uint32_t serial_ = 0;
  NodeId parent_node_ = no_node;
  Graph* parent_ = nullptr;
  Journal* journal_ = nullptr;
  size_t alive_count_ = 0;
  // Graphs that attributes of living nodes hold, by serial.
  mutable std::vector<uint32_t> bodies_;
  mutable bool bodies_dirty_ = false;  // some are held no more, or not in order
  bool may_be_body_ = false;
  bool has_levels_ = false, is_inferred_ = false;
  // The node that holds this graph is among its graph's changed_holders_.
  bool is_in_changed_holders_ = false;
  std::string name_;
  AttributeMap attributes_;

  Blocks<NodeRecord> nodes_;
  // Beside the records: most walks ask for nothing else.
  enum : uint8_t { is_alive = 1, is_marked = 2, is_stale = 4, is_followed = 8 };
  std::vector<uint8_t> flags_;
  std::vector<Symbol> ops_;
  void count_edit() {
    ++edits_;
    ++space_->edits_;
  }
  uint64_t edits_ = 0, clean_at_ = ~uint64_t{0};
  struct OpBucket {
    std::vector<NodeId> ids;
    bool dirty = false;  // holds removed or unsorted ids
    // How many nodes there are of each opset; of none without nodes.
    std::map<Symbol, size_t> opsets;
    void remove(Symbol opset);
  };
  mutable std::unordered_map<Symbol, OpBucket> by_op_;
  FlatIndex by_name_;  // living nodes, by name
  mutable std::unordered_map<std::string, uint32_t> next_suffix_;
  std::vector<NodeId> marked_;  // and some that are marked no more
  size_t marked_count_ = 0;
  std::vector<NodeId> suspects_;  // where spread_marks() begins
  std::vector<NodeId> stale_;     // and some that are fresh again
  std::vector<NodeId> changed_holders_;
  // Of nodes one of whose ports has many names: these once more, so that one is found among them.
  struct KnownNames {
    uint32_t port = 0;
    std::unordered_set<Symbol> names;
  };
  std::unordered_map<NodeId, KnownNames> known_names_;
};

// Undo functions capture `this`: a journal never outlives the graphs whose edits it holds, because the
// session that runs a transformation owns both.
template <class Undo>
void Graph::journal_edit(NodeId node, std::string_view what, Undo undo) {
  count_edit();
  if (Journal* j = journal()) j->record(this, node, what, std::move(undo));
}

// The same value for another node: a graph has one holder, so graphs in it are copied.
Attribute clone_of(const Attribute&);

// "'name' (op)" for messages.
std::string describe(const Graph&, NodeId);

}  // namespace mo::core
