// Entries with "op": the sub-graph becomes one operation, without code.
#pragma once

#include "core/config/config_entry.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::core {

// Every entry is one that something serves: a registered transformation of its kind and id, or a registered
// operation. Failure (Exit::usage) otherwise, with what comes close.
void check_configuration(const Session&);

// Runs the entries with "op", in order.
void replace_by_operations(Session&, Graph&, std::vector<RunStatistics>* statistics, Watch* watch = nullptr);

}  // namespace mo::core
