// The files that a model was read from, while it is written as IR.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Failure MO0715 when one of these paths is a file that the session has read.
void check_not_read_from(const Session&, const std::vector<std::string>& outputs);

// Failure MO0212 when a file that the session has read was written to since: what came of it is of both.
void check_source_unchanged(const Session&);

}  // namespace mo::core
