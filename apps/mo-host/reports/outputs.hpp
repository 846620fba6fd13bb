// What `run` shows and writes.
#pragma once

#include "apps/run/runnable.hpp"

namespace mo::app {

// One line per output: name, type, shape, smallest, largest and mean element.
std::string outputs_text(std::span<const Output>);
// DIR/NAME.npy for each output and DIR/outputs.json, a list of {"name", "result", "file", "type", "shape"}.
// The folder is made when it is not there. Failure (Exit::output).
void write_outputs(const std::string& folder, std::span<const Output>);

}  // namespace mo::app
