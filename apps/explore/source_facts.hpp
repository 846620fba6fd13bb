// What the file of the model says of a node, asked of the front-end that read it.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// A JSON object: {"op": "…", "domain": "…", "version": 13, "attributes": {"…": "…"}}; "" for a node that no
// front-end made. Attributes that cannot be told are left out. Before the model is closed.
std::string source_facts(Session&, const Graph&, NodeId);

}  // namespace mo::core
