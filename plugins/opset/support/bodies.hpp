// Operations with bodies: how their ports are connected with the Parameters and Results of a body, and what
// is known about tensors that pass these.
#pragma once

#include "support/inference.hpp"
#include "support/movement.hpp"

#include <mo/port_map.hpp>

#include <set>

namespace mo::opset {

struct Known {
  ElementType type = ElementType::unknown;
  Shape shape = Shape::unknown();
  std::optional<Tensor> value;                    // of small tensors of whole numbers only
  std::optional<std::vector<Interval>> elements;  // the same, or bounds
};
Known known_input(const InferContext& c, size_t i);
// A condition or a count, when there is one.
std::optional<int64_t> only_element(const Known& k);
bool same(const Known& a, const Known& b);
// What holds for both. Error where element types differ.
Known joined(const Known& a, const Known& b);
// `later`, which covers `before`; ends that moved are given up.
Known widened(const Known& before, const Known& later);
void output_known(const InferContext& c, uint32_t port, const Known& k);

// Bodies are inferred several times each, and those within them as often each time. Where that is too much for what is
// in them, the operations around are content with less than they could find out.
class BodyWork {
 public:
  BodyWork();  // of the operation that is inferred; those within it share the outermost
  ~BodyWork();
  BodyWork(const BodyWork&) = delete;
  BodyWork& operator=(const BodyWork&) = delete;
  static bool is_spent();
  static void add(const Graph& body);

 private:
  static thread_local BodyWork* outermost_;
  std::set<mo_graph> seen_;
  uint64_t nodes_ = 0, done_ = 0;  // of those that were seen, and inferred
  bool is_too_much_ = false;       // while loops are folded, for the host
};

// Loops whose values are computed, one in the other.
inline thread_local int64_t loops_at_work = 0;

class Body {
 public:
  // The body "<prefix>body" of the node at hand. Error unless its port map fits both.
  Body(const OpContext& c, std::string_view prefix);

  const Graph& graph() const { return graph_; }
  const std::vector<PortMapEntry>& inputs() const { return inputs_; }  // by Parameter; -1: of no port
  const PortMapEntry& output(size_t port) const { return outputs_[port]; }
  std::optional<size_t> condition() const { return condition_; }  // the Result that says whether to go on
  // Pairs of a Result and the Parameter that has its value next.
  const std::vector<std::pair<size_t, size_t>>& back_edges() const { return back_edges_; }

  // What a Parameter declares itself.
  Known declared(size_t parameter) const;
  // What is known about the Results when that is known about the Parameters. The body remembers it.
  std::vector<Known> infer(const std::vector<Known>& parameters) const;
  // Leaves only types and shapes behind: values of this node must not be folded in the body.
  void remember(std::vector<Known> parameters) const;
  // After an error: the body knows nothing of its Parameters but their types, so that what is wrong for these
  // inputs is no error of the body itself. middle.inline_known_if sees by it that the body was given up.
  void forget() const;
  Known result(size_t i) const;

  static void schema(OpSchema& s, const std::string& prefix, bool repeated);

 private:
  Graph graph_;
  std::vector<Node> parameters_, results_;
  std::vector<PortMapEntry> inputs_, outputs_;
  std::optional<size_t> condition_;
  std::vector<std::pair<size_t, size_t>> back_edges_;
  mutable std::vector<Known> inferred_;  // the Parameters when the body was inferred last
};

}  // namespace mo::opset
