// The options of the program, as data: the parser, the help and the manual are made from it.
#pragma once

#include "apps/session/option_row.hpp"

namespace mo::app {

std::span<const OptionRow> host_options();
// Those of one command, and for commands that read models those of plugins and old ones.
std::vector<OptionRow> options_of(unsigned command, const core::Registry&);

// "-m, -w, --input_model FILE"
std::string signature(const OptionRow&);

}  // namespace mo::app
