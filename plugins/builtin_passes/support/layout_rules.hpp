// How operations behave when the dimensions of their tensors change from the model's order to channels first:
// 0, last, 1, 2, …. "Turned" is what is stored channels first.
#pragma once

#include "support/dimension_order.hpp"

#include <map>

namespace mo::builtin_passes {

// An operation as it was before anything was moved.
struct OpView {
  explicit OpView(const Node&);
  Node node;
  std::string op, opset;  // the op of a vendor's set is qualified: "org.acme::Reshape" is no Reshape
  Definition definition;
  std::vector<OutPort> in;  // an empty port where nothing is connected
  std::vector<Shape> in_shapes, out_shapes;

  bool has(size_t i) const { return i < in.size() && static_cast<bool>(in[i]); }
  size_t in_rank(size_t i) const { return has(i) ? in_shapes[i].size() : 0; }
  size_t out_rank() const { return out_shapes.empty() ? 0 : out_shapes[0].size(); }
  // Elements of an input that are known.
  std::optional<std::vector<int64_t>> ints(size_t i) const;
  bool is_constant(size_t i) const { return has(i) && in[i].node().is("Const"); }
  // A list of this many elements.
  bool is_list(size_t i, size_t length) const {
    return has(i) && in_shapes[i].rank() == 1 && in_shapes[i][0] == Dim(static_cast<int64_t>(length));
  }
};

// How an input is read.
enum class Read : uint8_t {
  model,   // in the model's order
  node,    // in the order of the operation
  any,     // whatever its order is
  spread,  // has fewer dimensions than the result and is spread over it
  list,    // one element for each dimension
  axes,    // numbers of dimensions
};

struct Behaviour {
  enum class Out : uint8_t {
    model,  // results are in the model's order, whatever the operation's is
    node,   // in the order of the operation
    own,    // as is wanted, whatever the operation's is
  };
  bool turns = false;  // the operation may read turned inputs
  Out out = Out::model;
  size_t rank = 0;  // of what is turned
  std::vector<Read> inputs;
  bool undeclared = false;  // nobody has said how the operation behaves
  bool declared = false;    // its own definition has, not a rule about it
};

// Lists that follow the dimensions, in another order; nodes are made only where a list is computed.
class ListOrders {
 public:
  explicit ListOrders(const Graph& g) : graph_(g) {}
  Graph graph() const { return graph_; }
  OutPort permuted(const OutPort& list, const Order&);
  // A node that does it.
  OutPort gathered(const OutPort& list, const Order&) const;
  // What permuted() would make of `list`; its elements stand in that order from the start.
  void is_permuted(const OutPort& list, const OutPort& of, const Order&);

 private:
  struct Origin {
    OutPort list;
    Order order;
  };
  Graph graph_;
  std::map<std::pair<mo_node, uint32_t>, Origin> origins_;
};

// What the order of inputs and outputs is from now on.
struct Turn {
  const OpView& view;
  const Behaviour& behaviour;
  bool in = false, out = false;
  ListOrders& lists;
};

// Of an operation that its definition cannot describe.
struct LayoutRule {
  Behaviour (*look)(const OpView&) = nullptr;
  void (*turn)(const Turn&) = nullptr;
};

Behaviour behaviour_of(const OpView&);
void turn_operation(const Turn&);
// What the definition of an operation says of its layout is wrong.
[[noreturn]] void fail_layout(const OpView&, const std::string& what);

// For files of rules.
using LayoutRules = std::map<std::string_view, LayoutRule, std::less<>>;
void add_rules_of_views(LayoutRules&);  // Reshape, Squeeze, Unsqueeze, Transpose
void add_rules_of_slices(
    LayoutRules&);  // StridedSlice, Slice, Gather, Interpolate, Broadcast, Reverse, blocks

// As the roles of its inputs and attributes say (mo/plugin.h, MO_ROLE_).
Behaviour look_declared(const OpView&);
void turn_declared(const Turn&);
Behaviour stays(const OpView&);
// With one part of the work done: `rank`, and all inputs read in any order.
Behaviour turning(const OpView&, size_t rank, Behaviour::Out);
// The dimensions that are left of `rank` ones without `gone`: how a result of them may be turned.
std::optional<Behaviour::Out> out_without(size_t rank, const std::vector<size_t>& gone);

void set_ints(const Turn&, size_t input, const std::vector<int64_t>& values);
void turn_axes_input(const Turn&, size_t input, size_t rank);
// Attributes of numbers of dimensions, and of a list with one entry for each.
void turn_axes_attribute(const Turn&, std::string_view name);
void turn_list_attribute(const Turn&, std::string_view name);
// Axes in 0…rank-1; nothing when one is out of it.
std::optional<std::vector<size_t>> axes_in(const std::vector<int64_t>&, size_t rank);

}  // namespace mo::builtin_passes
