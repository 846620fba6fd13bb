// What a command line says about a model's inputs and outputs.
#pragma once

#include "core/convert/convert.hpp"

namespace mo::app {

// The grammars of --input, --input_shape and --output. Failure (Exit::usage) shows the place.
std::vector<core::InputSpec> parse_inputs(std::string_view text);
std::vector<Shape> parse_shapes(std::string_view text);
// The items NAME=SIZE of --input_shape; parse_shapes gives the others.
std::vector<core::NamedDim> parse_dimensions(std::string_view text);
std::vector<std::string> parse_outputs(std::string_view text);
// That of --freeze_placeholder_with_value: inputs that are not listed.
std::vector<core::InputSpec> parse_frozen_inputs(std::string_view text);
// What stands after "->": a number, a truth value, a string, or a list of them in brackets.
core::FrozenValue frozen_value(std::string text);
// Gives each input its shape, or the only input its only shape. Failure when the numbers do not fit.
void add_shapes(std::vector<core::InputSpec>& inputs, const std::vector<Shape>& shapes);

}  // namespace mo::app
