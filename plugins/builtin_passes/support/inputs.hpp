// The inputs of the model as users name and count them, and what is put behind them.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

struct InputValues {
  Node input;
  std::vector<double> values;
};

// What --mean_values or --scale_values says, by input. Fails when names or numbers do not fit.
std::vector<InputValues> input_values(const Graph&, std::string_view option);

// The dimension of an input's channels, in the order of the model.
size_t channel_axis(const Graph&, const Node& input, const Shape&);

// The words of --input for an input of the model, or for the place that it was cut at.
bool is_called(const Node& input, const std::string& name);
// In the order of --input when there is one.
std::vector<Node> ordered_inputs(const Graph&);

// Behind the input, `op` with it and a constant: one number, or one per channel. What only reads the shape
// keeps reading the input itself.
void combine_with_constant(const Graph&, const InputValues&, std::string_view option, std::string_view op,
                           std::string_view name);

// All that read the input, but for its shape, read `node` instead.
void move_readers(const Node& input, const Node& node);

// Once per model: a second run would change the input twice.
bool first_time(const Graph&, std::string_view what);

}  // namespace mo::builtin_passes
