// --target: the oldest release of the runtime that has to read the files.
#pragma once

#include "apps/session/arguments.hpp"

#include "core/support/releases.hpp"

namespace mo::app {

// The release that was named, of those that are later than all that are known the newest known one; without
// one the newest, and for IR version 10, which nothing newer needs, the only one that reads no other. Failure
// (Exit::usage) for a name that is none, and where it does not go with
// --ir_version.
const core::Release& target_of(const Arguments&);

}  // namespace mo::app
