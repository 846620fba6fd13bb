/* mo/conventions.h: the attributes that plugins and host agree on. Part of the contract of mo/plugin.h: the
 * names and what they mean do not change within a major, and more are added at the end. */
/* clang-format off */
/*
 * BODIES
 *   A body is an attribute of kind MO_VALUE_GRAPH whose name is "body" or ends in "_body": "then_body".
 *   What belongs to it has the same beginning:
 *   [then_]port_map    MO_VALUE_STRINGS, one for each connection, as words between single spaces:
 *                        "in 0 -> 2"    in-port 0 of the node is Parameter 2 of the body
 *                        "out 1 <- 0"   out-port 1 of the node is Result 0 of the body
 *                      Parameters and Results are counted in the order of the body. A sliced input and a
 *                      concatenated output add axis=N, and start=, end=, stride=, part_size= where they are
 *                      not 0, -1, 1 and 1. A connection inside the operation has port -1 and a purpose:
 *                        "in -1 -> 0 purpose=current_iteration"
 *                        "out -1 <- 1 purpose=execution_condition"
 *   [then_]back_edges  MO_VALUE_INTS, in pairs: number of a Result, number of the Parameter that has its
 *                      value in the next iteration.
 *   They are attributes of the operation's schema that are not written to the IR (ir_name "-"); the host
 *   writes them as the IR has them. An attribute that is a graph belongs to one node: see
 *   mo_graph_api.set_node_attr.
 *
 * NAMES OF OPERATIONS
 *   A Parameter, a Const and a Result are of "opset1" and known to the host. A Parameter's attributes
 *   "shape" (MO_VALUE_SHAPE) and "element_type" (MO_VALUE_TYPE) are what it declares; a Const's value is
 *   that of its out-port.
 *
 * WHOSE A RETURNED VALUE IS
 *   mo_host.return_value copies numbers, texts, shapes and lists before it returns: what they lay in is the
 *   plugin's as before. Of a tensor, alone or in a list, the host takes a reference of its own: a plugin that
 *   has made one releases its own as always. A graph (mo_graph_api.create_graph) is lent: it lives until the
 *   callback that asked for the value returns, longer where that sets it as an attribute. Of several calls in
 *   one callback the last counts; a callback that returns MO_OK without one has returned a value of kind
 *   MO_VALUE_NONE.
 */
/* clang-format on */
#ifndef MO_CONVENTIONS_H
#define MO_CONVENTIONS_H

#include <mo/plugin.h>

/* Of a Parameter or Result */

/* MO_VALUE_STRINGS, one for each dimension, "" for one without a name; absent when none has one. Users set
 * dimensions by these names. Set by front-ends. */
#define MO_ATTR_DIM_NAMES "dim_names"
/* MO_VALUE_TYPE and MO_VALUE_SHAPE of a Result: what the model says of it, which may be more than what is
 * inferred. Set by front-ends; shown, and not believed. */
#define MO_ATTR_DECLARED_TYPE "declared_type"
#define MO_ATTR_DECLARED_SHAPE "declared_shape"
/* MO_VALUE_INTS: dimension i is dimension order[i] of the model. Whoever changes the order of dimensions of
 * an input or output of the model says so with it, after what was said before. */
#define MO_ATTR_DIMENSION_ORDER "dimension_order"

/* MO_VALUE_BOOL: the dimensions are not an image's, and stay in their order although there are as many. */
#define MO_ATTR_KEEPS_DIMENSION_ORDER "keeps_dimension_order"

/* Of any node */

/* MO_VALUE_BOOL: the node is not replaced by a constant although its value is known, so that weights stay
 * packed. */
#define MO_ATTR_STOP_VALUE "stop_value_propagation"

/* Of the graph of a model */

/* MO_VALUE_STRING: the front-end's name; set by the host where the front-end does not. */
#define MO_GRAPH_FRAMEWORK "framework"
/* MO_VALUE_STRING, set by front-ends: the order of dimensions of the framework's images, "NCHW" or "NHWC". */
#define MO_GRAPH_LAYOUT "layout"
/* MO_VALUE_STRINGS, set by front-ends: the operation sets that the model names, with their versions, as shown
 * to users. */
#define MO_GRAPH_OPSET_IMPORTS "opset_imports"
/* MO_VALUE_STRINGS, set by the host: the Parameters in the order of --input, and those whose type the user
 * chose. */
#define MO_GRAPH_INPUT_ORDER "input_order"
#define MO_GRAPH_TYPED_INPUTS "typed_inputs"
/* MO_VALUE_STRINGS, set by front-ends: inputs and outputs of the model that are a cache, by turns the name of
 * an input and that of the output that becomes it at the next step. Without it they are told by their names.
 */
#define MO_GRAPH_CACHE_PAIRS "cache_pairs"
/* MO_VALUE_STRINGS, set by a front-end that reads IRs: what the model says of its own making, which is
 * written again. Each is a path of names in the IR, every name followed by the character 0x1f, and then the
 * value. */
#define MO_GRAPH_IR_METADATA "ir_metadata"

#endif
