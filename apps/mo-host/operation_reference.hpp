// The reference of operations: what `list ops --format=md` shows.
#pragma once

#include "apps/mo-host/run.hpp"
#include "apps/mo-host/table.hpp"

namespace mo::app {

// One row per type of operation, with its versions, what its definitions can do, and which frameworks'
// operations become one.
Table operation_reference(Run&);

}  // namespace mo::app
