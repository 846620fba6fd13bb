// The rules of rules.hpp in words, as packaging/docs/abi_rules.md has them.
#pragma once

#include "core/registry/rules.hpp"

#include <span>
#include <string_view>

namespace mo::app {

struct HostRule {
  core::Rule rule;
  std::string_view text;  // what holds of a plugin that is right
};

std::span<const HostRule> host_rules();
// What its users meet when a plugin breaks it.
std::string_view consequence_of(core::Rule);

}  // namespace mo::app
