// JSON of a symbol, read without a tree of it: its files have a list of three numbers for each connection.
#pragma once

#include "loader/symbol.hpp"

namespace mo::mxnet {

// What the file says, unchecked. Errors: it is no JSON, or values are of another kind than a symbol has
// there.
Symbol symbol_of_json(std::string_view bytes);

}  // namespace mo::mxnet
