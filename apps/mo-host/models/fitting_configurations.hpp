// Which of the configurations that come with the program are made for a model.
#pragma once

#include "apps/mo-host/program/program.hpp"
#include "apps/survey/survey.hpp"

namespace mo::app {

// Those of the model's framework all of whose entries change something in it; by the names that
// --transformations_config takes.
std::vector<std::string> fitting_configurations(const Program&, const core::ConvertOptions&,
                                                const ModelSurvey&);

}  // namespace mo::app
