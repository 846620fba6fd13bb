// --input of the commands that compute: where the values of inputs come from.
#pragma once

#include <string_view>

#include "apps/run/inputs.hpp"

namespace mo::app {

// "a=x.npy,b[1,3]": a file, or random values of a shape; "x.npy" alone is for the only input. Failure
// (Exit::usage).
std::vector<GivenInput> parse_value_inputs(std::string_view text);

}  // namespace mo::app
