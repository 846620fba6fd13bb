// Options of the command line.
#pragma once

#include <mo/sdk.hpp>

namespace mo::pytorch {

void register_options(Registry& r);
// Buffers that the program changes are state; else inputs and outputs.
bool keeps_state(Context c);

}  // namespace mo::pytorch
