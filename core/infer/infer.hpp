// Shape, type and value propagation.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Options of the session that inference obeys; set through Session::set_option.
namespace infer_options {
inline constexpr std::string_view static_shape =
    "static_shape";  // bool: what follows from shapes is folded, too
inline constexpr std::string_view fold_limit =
    "fold_limit";  // int: bytes above which only shrinking results are folded
}  // namespace infer_options

// Attributes of nodes that inference obeys, whatever their operation.
namespace infer_attributes {
inline constexpr std::string_view stop_value_propagation =
    MO_ATTR_STOP_VALUE;  // bool: the outputs get no values and the node stays: weights stay packed
}  // namespace infer_attributes

// The registered definition of a node's operation; nullptr for source operations and for what the graph
// itself knows.
const Operation* operation_of(const Session&, const Graph&, NodeId);

// Infers every node, producers first. Throws Failure naming node, operation and plugin.
void infer_all(Session&, Graph&);
// Infers marked nodes and, where something changed, what depends on them. Cost follows what changes.
void infer_marked(Session&, Graph&);
// For a transformation that asks what is known about the outputs of a node: infers what edits have marked
// among the nodes that it depends on, and nothing else. The journal does not see it. What cannot be inferred
// as it stands is unknown for now, and stays marked. Without effect before the model was inferred for the
// first time.
void bring_up_to_date(Session&, Graph&, NodeId);
// One node from what is known about its inputs. True when something about its outputs changed.
bool infer_node(Session&, Graph&, NodeId);
// The values of all outputs of a node whose inputs have these; nullptr: not connected. The graph stays as it
// is. Throws Failure, MO0504 when its operation has no values for them.
std::vector<TensorState> evaluate_node(Session&, Graph&, NodeId, std::span<const TensorState* const> inputs);
// Results, and what operations declare to be needed for its own sake.
std::vector<NodeId> sinks(const Session&, const Graph&);
// These, and Parameters: an input that nothing reads stays one.
std::vector<NodeId> sinks_and_parameters(const Session&, const Graph&);
// Removes what neither a Result needs nor a node that is kept; returns the number of removed nodes. Works on
// graphs without cycles.
size_t remove_unneeded(Graph&, std::span<const NodeId> kept = {});
// Removes what no result and no sink needs, and turns nodes whose value is known and may be folded into
// Const. Infers what is marked first; returns the number of removed nodes.
size_t clean_up(Session&, Graph&);

// What a node's operation says about its ports and attributes; one sentence per problem.
std::vector<std::string> schema_problems(const Session&, const Graph&, NodeId);
// Every node. Throws Failure with all problems.
void check_schema(Session&, const Graph&);

}  // namespace mo::core
