// Where the root of a MATCHER can be: found from the rarest op that its tree cannot do without.
#pragma once

#include "core/match/condition.hpp"

namespace mo::core {

class RootFinder {
 public:
  RootFinder(const Graph&, const Transformation&, const std::vector<NodeCondition>&);

  // Every node at which the tree can match now is among these; ascending.
  std::vector<NodeId> all();
  // Adds every root at which the tree can match since `n` has other inputs, or is another op, than before.
  void around(NodeId n, std::vector<NodeId>& roots);
  // A node that has changed makes no other one a root.
  bool looks_at_roots_alone() const { return path_.size() == 1; }

 private:
  bool add_root_ops(uint32_t pattern);
  void choose_path();
  bool accepts(size_t step, NodeId n) const;
  bool climb(NodeId n, size_t step, std::vector<NodeId>& roots, size_t& budget) const;
  bool is_root(NodeId n) const;
  void look_at_all_roots(std::vector<NodeId>&);

  const Graph& graph_;
  const Transformation& transformation_;
  const std::vector<NodeCondition>& conditions_;
  std::vector<OpFilter> root_ops_;  // what the root can be; empty: anything
  size_t root_count_ = 0;
  std::vector<uint32_t>
      path_;  // pattern nodes from the root down to the rarest one; the root alone: look at all roots
};

}  // namespace mo::core
