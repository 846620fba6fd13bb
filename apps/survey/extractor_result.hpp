// What an extractor makes of its operation, found by letting it try.
#pragma once

#include "core/registry/session.hpp"

namespace mo::app {

// The type of operation that `e` turns a node into which has two inputs and no attributes in its source; ""
// when it cannot say without a model. Works in a graph of its own. No model may be open in the session.
std::string extractor_result(core::Session&, const core::Extractor&);

}  // namespace mo::app
