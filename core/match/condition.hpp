// What a pattern node asks of a node, ports and connections aside.
#pragma once

#include "core/match/ops.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

class NodeCondition {
 public:
  NodeCondition(SymbolTable&, const PatternNodeDef&, const Plugin*);

  const OpFilter& ops() const { return ops_; }
  // Ops, attributes and number of consumers; not the predicate. An element type is inferred when it has to
  // be.
  bool holds(Session&, Graph&, PortRef at) const;
  // For a data node: the attributes are those of the port.
  bool holds_for_data(Session&, Graph&, PortRef at) const;

 private:
  enum class What : uint8_t { op, opset, name, type, attribute };
  struct Wanted {
    What what;
    Symbol key;
    const Attribute* value;
  };
  const Attribute* find(const Session&, const Graph&, NodeId, Symbol key) const;

  OpFilter ops_;
  boost::container::small_vector<Wanted, 2> wanted_;
  bool one_consumer_;
};

std::vector<NodeCondition> conditions_of(SymbolTable&, const Transformation&);

// Asks the predicate of a pattern node, if it has one. It cannot edit.
bool predicate_holds(Session&, Graph&, const Transformation&, size_t pattern_node, PortRef at,
                     std::string* why = nullptr);

}  // namespace mo::core
