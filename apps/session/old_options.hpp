// Options of the Model Optimizer 2021.4 that mo-host does not have: those that old scripts pass and that
// change nothing here are accepted with a warning, the others are refused with what to use instead.
#pragma once

#include "apps/session/option_row.hpp"

namespace mo::app {

std::span<const OptionRow> old_options();

// A plugin cannot give its options short names, so those of old are kept here.
struct ShortName {
  std::string_view word;  // "-ms"
  std::string_view name;  // of the long one
};
std::span<const ShortName> short_names();

}  // namespace mo::app
