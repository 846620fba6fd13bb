// Whether a graph can be written, without writing it.
#pragma once

#include "core/ir/emitter.hpp"

namespace mo::core {

// The failures of emit_ir for what cannot be expressed; no weights are read.
void check_ir(Session&, const Graph&, const EmitOptions&);

}  // namespace mo::core
