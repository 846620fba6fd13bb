// The reference of operations: what `list ops --format=md` shows.
#pragma once

#include "apps/mo-host/output/table.hpp"
#include "apps/mo-host/program/program.hpp"

namespace mo::app {

// One row per type of operation, with its versions, what its definitions can do, and which frameworks'
// operations become one.
Table operation_reference(Program&);

}  // namespace mo::app
