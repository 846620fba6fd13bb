// Symbols of old releases as a present one writes them.
#pragma once

#include "loader/symbol.hpp"

namespace mo::mxnet {

// Attributes that are none of the operator's, auxiliary states that files before 0.9 leave out, and axes that
// had another meaning. Variables that are added come last.
void upgrade(Symbol& s);

}  // namespace mo::mxnet
