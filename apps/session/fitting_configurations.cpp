#include "apps/session/fitting_configurations.hpp"

#include <nlohmann/json.hpp>

#include "apps/config_tools/config_file.hpp"
#include "apps/config_tools/shipped.hpp"

namespace mo::app {

namespace {

// Counts the texts in `v`, and those that are names of nodes.
void count_names(const nlohmann::ordered_json& v, const ModelSurvey& survey, size_t& texts, size_t& names) {
  if (v.is_string()) {
    ++texts;
    names += survey.nodes.count(v.get<std::string>());
  }
  if (v.is_structured())
    for (const auto& item : v) count_names(item, survey, texts, names);
}

// Keeps most models from being read once more for each configuration.
bool is_worth_a_try(const core::ConfigEntry& e, const ModelSurvey& survey) {
  size_t texts = 0, names = 0;
  const auto count = [&](const std::vector<core::ConfigEntry::Instance>& list) {
    for (const auto& i : list) {
      ++texts;
      names += survey.nodes.count(i.pattern);
    }
  };
  if (e.kind == core::ConfigEntry::Kind::scope) return true;
  count(e.start_points);
  count(e.end_points);
  if (texts == 0) count_names(nlohmann::ordered_json::parse(e.custom_attributes), survey, texts, names);
  return 2 * names > texts;
}

bool changes_model(const core::Session& like, core::Session& one, const core::ConvertOptions& options,
                   const core::Configuration& entries) {
  for (const core::OptionDef* o : one.registry().options())
    if (const core::Attribute* value = like.option(o->name)) one.set_option(o->name, *value);
  one.configuration = std::make_shared<const core::Configuration>(entries);
  core::ConvertOptions again = options;
  again.phase_started = nullptr;
  try {
    const ModelSurvey survey = survey_model(one, again);
    return std::all_of(entries.begin(), entries.end(),
                       [&](const core::ConfigEntry& e) { return survey.applied.contains(e.id); });
  } catch (const core::Failure&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> fitting_configurations(const core::Session& session,
                                                const std::function<core::Session&()>& fresh,
                                                const core::ConvertOptions& options,
                                                const ModelSurvey& survey) {
  std::vector<std::string> fitting;
  for (const ShippedConfiguration& c : shipped_configurations(survey.framework)) {
    const core::Configuration entries = read_configuration({c.path});
    const bool likely = std::any_of(entries.begin(), entries.end(),
                                    [&](const core::ConfigEntry& e) { return is_worth_a_try(e, survey); });
    if (likely && changes_model(session, fresh(), options, entries)) fitting.push_back(c.name);
  }
  return fitting;
}

}  // namespace mo::app
