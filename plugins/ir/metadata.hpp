// What an IR says about its own making: <meta_data> of version 10, <rt_info> of version 11.
#pragma once

#include "elements.hpp"

namespace mo::ir {

// One string for each value: the keys on the way to it and the value, separated by the character U+001F; the
// form of the graph's attribute "ir_metadata".
std::vector<std::string> read_metadata(pugi::xml_node net, int version);

}  // namespace mo::ir
