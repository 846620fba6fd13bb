#pragma once

#include "apps/options/place_in_text.hpp"

#include <mo/shape.hpp>

namespace mo::app {

// What stands between the brackets of a shape: dimensions separated by commas or blanks, each a number, "?",
// -1, or an interval "a..b", "a..", "..b"; "..." for an unknown rank; nothing for a scalar.
Shape parse_shape(const OptionText&, Letters inside);

// One of them.
Dim parse_dim(const OptionText&, Letters word);

}  // namespace mo::app
