// What `check` found, as text.
#pragma once

#include "apps/survey/survey.hpp"

namespace mo::app {

std::string check_text(const core::ConvertOptions&, const ModelSurvey&,
                       const std::vector<std::string>& configurations);

}  // namespace mo::app
