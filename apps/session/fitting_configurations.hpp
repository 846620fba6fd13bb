// Which of the configurations that come with the program are made for a model.
#pragma once

#include "apps/survey/survey.hpp"

namespace mo::app {

// Those of the model's framework all of whose entries change something in it; by the names that
// --transformations_config takes. `fresh` gives sessions with the plugins of this one, each after the one before.
std::vector<std::string> fitting_configurations(const core::Session&,
                                                const std::function<core::Session&()>& fresh,
                                                const core::ConvertOptions&, const ModelSurvey&);

}  // namespace mo::app
