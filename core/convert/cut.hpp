// --output, --input, --input_shape: the part of the model that is converted, and what is known of its inputs.
#pragma once

#include "core/convert/convert.hpp"
#include "core/convert/places.hpp"

namespace mo::core {

// The Results become those asked for, in their order. Nothing to do for an empty list.
void cut_outputs(Graph&, const std::vector<std::string>& outputs);

// Parameters get their shapes and types, other places become Parameters, frozen ones Consts. A cut without a
// shape, where none is known yet, is returned for a second call after inference; `final` makes the most of
// what is known then.
//
// For plugins, the graph gets the attributes "input_order", strings: the Parameters in the order of --input,
// and "typed_inputs", strings: those whose type the user chose.
std::vector<InputSpec> cut_inputs(Graph&, const std::vector<InputSpec>& inputs, bool final);

// Every Parameter that is left must be one of `inputs` or come from a cut. Failure names the others.
void check_inputs_suffice(const Graph&, const std::vector<NodeId>& original_parameters,
                          const std::vector<InputSpec>&);

// The first dimension of every Parameter, where it may be a batch: 0, 1, or not known.
void set_batch(Graph&, int64_t batch);

// What the model calls the dimensions of a Parameter or Result of this shape; nullptr: it names none, or the
// shape has another rank by now.
const std::vector<std::string>* dim_names(const Graph&, NodeId, const Shape&);
// Dimensions of Parameters that have these names in their attribute "dim_names", strings, "" for none:
// front-ends set it. Failure when no input has such a dimension, or it has another size.
void set_dimensions(Graph&, const std::vector<NamedDim>&);

// What a Parameter is.
void set_parameter(Graph&, NodeId, ElementType, const Shape&);

}  // namespace mo::core
