// What a callback of a transformation asks for besides its own edits.
#pragma once

#include "core/match/match.hpp"

#include <unordered_set>

namespace mo::core {

class Runner;

class Rewrite {
 public:
  // `first_new`: nodes of the graph at hand made by the callback start here. `depth`: how many
  // transformations run one another.
  Rewrite(const Journal& journal, NodeId first_new, size_t depth, size_t most_edits)
      : journal_(journal),
        start_(journal.size()),
        looked_at_(start_),
        first_new_(first_new),
        depth_(depth),
        most_edits_(most_edits) {}

  NodeId first_new() const { return first_new_; }
  size_t depth() const { return depth_; }
  // Before each edit. Failure when the callback does not come to an end.
  void check_length() const;

  // Port i of `old` gives its destinations and names to ports[i], at once; the rest happens when the callback
  // ends. Errors (mo::Error): what makes no sense, or would change an element type or a shape.
  void replace_outputs(Graph&, NodeId old, const std::vector<PortRef>& ports);

  std::vector<NodeId> new_nodes;   // register_new_node
  const Runner* runner = nullptr;  // that called

  // After the callback: inputs and outputs of the match are connected as asked, replaced nodes are removed
  // and their names given on.
  void apply(Session&, Match*);

 private:
  using Place = uint64_t;  // graph and node
  struct Replaced {
    Graph* graph;
    NodeId old;
    NodeId heir;  // of the name; no_node: none
    std::string name;
  };
  static Place place(const Graph& g, NodeId n) { return (uint64_t{g.serial()} << 32) | n; }
  void look_at_edits();
  bool made_here(const Graph&, NodeId);
  void give_rt_info(Graph&, NodeId from, NodeId to);
  void connect_match(Session&, Match&);
  void remove(const Replaced&);

  const Journal& journal_;
  size_t start_, looked_at_;
  NodeId first_new_;
  size_t depth_, most_edits_;
  std::vector<Replaced> replaced_;
  std::unordered_set<Place> made_, renamed_, named_;
};

}  // namespace mo::core
