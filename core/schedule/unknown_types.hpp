// Types in patterns that no node can have.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// A warning for each type that the transformation, which has found nothing, looks for, that no operation has,
// and for which something comes near: what an extractor has made of the model's operations of this name, or a
// registered type that looks like it. Names of other frameworks' operations are no mistake.
void warn_of_unknown_types(const Session&, const Graph&, const Transformation&);

}  // namespace mo::core
