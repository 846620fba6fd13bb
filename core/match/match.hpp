// Finding patterns in graphs: typed trees (MATCHER) and sub-graph isomorphism (PATTERN).
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// What a match reads from outside, and what of it is read outside.
struct Boundary {
  struct Input {
    PortRef source;              // an out-port outside
    std::vector<PortRef> ports;  // in-ports of matched nodes that read it
  };
  std::vector<Input> inputs;     // by first reader: order of pattern nodes, then of in-ports
  std::vector<PortRef> outputs;  // by order of pattern nodes, then of out-ports
};

// What a Match of a configuration knows besides.
struct ConfiguredMatch {
  const ConfigEntry* entry = nullptr;
  std::string scope;          // the instance's expression; empty for points
  std::vector<NodeId> nodes;  // scope: in order of the graph; points: as they were reached
};

struct Match {
  Graph* graph = nullptr;
  const Transformation* transformation = nullptr;
  NodeId root = no_node;
  // Per pattern node: the out-port reached; node == no_node where nothing was bound. An optional node that is
  // absent has the port of its input.
  std::vector<PortRef> bound;
  std::optional<Boundary> boundary;  // see boundary_of
  // Found by a configuration file: nothing is bound then.
  std::shared_ptr<const ConfiguredMatch> configured;
  // Asked for by the callback.
  std::vector<std::pair<uint32_t, PortRef>> mapped_inputs, mapped_outputs;
  std::vector<NodeId> kept;

  // Is there a node for this pattern node? Not for an absent optional one.
  bool present(size_t pattern_node) const;
  // The matched operations, each once, in order of the pattern's nodes. What any-nodes and data nodes of the
  // pattern stand for lies around a match, not in it.
  std::vector<NodeId> nodes() const;
};

// Computed at the first call; nodes from `first_new` on, made by the callback, do not count as readers.
const Boundary& boundary_of(Match&, NodeId first_new);

// Does `candidate` fit one entry of `ops`: "Type", "opset::Type", "::Type"? An empty list fits every node.
bool op_matches(const Graph&, NodeId candidate, const std::vector<std::string>& ops);

// Same value; numbers compare across kinds, shapes and tensors by contents.
bool attribute_equal(const Attribute&, const Attribute&);

// MATCHER: the tree rooted at transformation.nodes[0], at this node. Calls predicates.
std::optional<Match> match_tree(Session&, Graph&, const Transformation&, NodeId root);

// PATTERN: all matches, in order of the nodes bound to nodes[0], nodes[1], …; matches may overlap, and a
// symmetric pattern matches the same nodes in several ways. Induced: connections between matched nodes that
// the pattern does not have prevent a match (in a pattern with data nodes: only those through matched data).
// Cost follows the rarest op of the pattern.
std::vector<Match> match_subgraphs(Session&, Graph&, const Transformation&);

// Candidates for the root of a MATCHER or OP transformation, by the op index, in order of creation; all nodes
// when the root is untyped.
std::vector<NodeId> root_candidates(const Graph&, const Transformation&);

}  // namespace mo::core
