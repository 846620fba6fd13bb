// One plugin that cannot be used, as its user is told: rule, file, who made it, what to do.
#pragma once

#include "core/registry/registry.hpp"
#include "core/registry/rules.hpp"
#include "core/support/failure.hpp"

namespace mo::core {

Failure refusal(Rule, std::string message);
// From a text that may start with the rule it is about ("MOX-049 …"); `otherwise` when it does not.
Failure refusal_from_text(std::string_view text, Rule otherwise);
// What to do, by the rule that was broken; nothing that is there already is changed.
Failure with_advice(Failure, const Plugin*);
// In one line, for lists and the log.
std::string in_one_line(const Failure&);

}  // namespace mo::core
