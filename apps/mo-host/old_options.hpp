// Options of the Model Optimizer 2021.4 that mo-host does not have: those that old scripts pass and that
// change nothing here are accepted with a warning, the others are refused with what to use instead.
#pragma once

#include "apps/mo-host/options.hpp"

namespace mo::app {

std::span<const OptionRow> old_options();

// The long name of "-s" or "-ms", which belong to options of a plugin; empty for any other word.
std::string_view old_short_name(std::string_view word);

}  // namespace mo::app
