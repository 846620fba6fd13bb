// What the file of the model says of a node, asked of the front-end that read it.
#pragma once

#include "core/registry/session.hpp"

namespace mo::app {

// A JSON object: {"op": "…", "domain": "…", "version": 13, "attributes": {"…": "…"}}; "" for a node that no
// front-end made. Attributes that cannot be told are left out. Before the model is closed.
std::string source_facts(core::Session&, const core::Graph&, core::NodeId);

}  // namespace mo::app
