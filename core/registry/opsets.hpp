// The names of the runtime's operation sets.
#pragma once

#include "core/registry/registry.hpp"

namespace mo::core {

// 8 of "opset8"; 0 for a name that does not belong to the runtime.
int opset_number(std::string_view opset);

// Of OpenVINO's sets: the name of the release that has the operation first; "" when none that is known has it.
std::string_view first_release_of(const Registry&, const Operation&);

// The definition that a file means by `opset`: of "opsetN" the newest one up to N, of any other name that of
// the name. nullptr: nobody defines it.
const Operation* defining_operation(const Registry&, std::string_view op, std::string_view opset);

// "Type" of the newest of OpenVINO's sets that has it, or "set::Type".
const Operation* named_operation(const Registry&, std::string_view spelled);

}  // namespace mo::core
