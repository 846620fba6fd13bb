#include "loader/rules.hpp"

#include <algorithm>

namespace mo::caffe {

static bool meets(const Message& rule, const NetState& state) {
  if (rule.has("phase") && rule.text("phase") != state.phase) return false;
  if (rule.has("min_level") && state.level < rule.integer("min_level", 0)) return false;
  if (rule.has("max_level") && state.level > rule.integer("max_level", 0)) return false;
  const auto holds = [&](const std::string& stage) { return state.stages.count(stage) != 0; };
  const auto wanted = rule.texts("stage"), unwanted = rule.texts("not_stage");
  return std::all_of(wanted.begin(), wanted.end(), holds) &&
         std::none_of(unwanted.begin(), unwanted.end(), holds);
}

bool is_included(const Message& layer, const NetState& state) {
  const auto include = layer.messages("include"), exclude = layer.messages("exclude");
  require(include.empty() || exclude.empty(), "layer '", layer.text("name"),
          "' has rules to include and to exclude it; expected one kind");
  const auto met = [&](const Message* rule) { return meets(*rule, state); };
  if (!include.empty()) return std::any_of(include.begin(), include.end(), met);
  return std::none_of(exclude.begin(), exclude.end(), met);
}

}  // namespace mo::caffe
