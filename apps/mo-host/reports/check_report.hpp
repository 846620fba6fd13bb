// What `check` found, as text and as JSON.
#pragma once

#include "apps/survey/survey.hpp"

namespace mo::app {

// "Conv", "acme.Conv"
std::string operation_name(const SurveyedOperation&);

std::string check_text(const core::ConvertOptions&, const ModelSurvey&,
                       const std::vector<std::string>& configurations);
std::string check_json(const core::ConvertOptions&, const ModelSurvey&,
                       const std::vector<std::string>& configurations);

// An input that has a dimension or a rank that is not known, and the option that settles it.
struct OpenInput {
  std::string what, option;
};
std::vector<OpenInput> open_inputs(const ModelSurvey&);

}  // namespace mo::app
