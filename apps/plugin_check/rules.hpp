// The rules that `mo-host plugin check` tries out on a plugin. packaging/docs/abi_rules.md has the same
// table; a number is never given to another rule. Rules below 200 are the host's own, see
// core/registry/rules.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mo::app::checks {

enum class Level { smoke, compat, strict, fuzz };  // each takes in those before it
std::string_view name_of(Level);

// What a rule is tried on.
enum class About { plugin, operation, transformation, extractor, frontend, option, converter };
std::string_view name_of(About);

struct RuleRow {
  int number;
  Level level;
  About about;
  std::string_view text;         // what holds of a plugin that is right
  std::string_view consequence;  // what its users meet when it does not
};

std::span<const RuleRow> rules();
const RuleRow* find_rule(int number);
std::string name_of(const RuleRow&);  // "MOX-200"

}  // namespace mo::app::checks
