// The parts of a graph that a configuration entry names.
#pragma once

#include "core/config/config_entry.hpp"
#include "core/match/match.hpp"

namespace mo::core {

// One instance of an entry, in this graph as it is now.
struct InstanceMatch {
  std::string instance;  // as messages call it
  std::optional<Match> match;
  std::string why_not;  // what was expected and what was found
};

size_t instance_count(const ConfigEntry&);  // points: 1
// Inputs and outputs that the entry does not name are where connections cross the border.
// Failure (Exit::usage): a name that fits several nodes, an end that no start leads to, a Parameter inside.
InstanceMatch match_instance(Graph&, const ConfigEntry&, size_t instance);

// What "op" of an entry means: "Type", or "opset::Type" where several have the name; otherwise the newest one.
const Operation* operation_meant(const Registry&, const ConfigEntry&);
// Failure where the part is not one of this operation: it has other numbers of inputs or outputs, or reads what
// depends on inputs of the model and the entry does not name.
void check_one_operation(const Operation&, Match&);

// The one node of a configured match whose name is the scope and a name that begins with `pattern`; no_node.
// Failure when it is several.
NodeId node_by_pattern(const Graph&, const ConfiguredMatch&, std::string_view pattern);

}  // namespace mo::core
