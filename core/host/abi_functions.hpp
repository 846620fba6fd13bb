// What implements the functions of mo/plugin.h: table_member, for each of the list.
#pragma once

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

namespace mo::core {

// Inference, conditions and predicates only read the graph at hand. Error(MO_WRONG_PHASE) otherwise.
Graph& editable(mo_context*, Graph&);

}  // namespace mo::core

namespace mo::core::abi {

#define MO_HOST_FUNCTION(table, member) \
  std::remove_pointer_t<decltype(mo_##table##_api::member)> table##_##member;
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION

}  // namespace mo::core::abi
