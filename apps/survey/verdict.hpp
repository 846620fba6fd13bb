// What a survey means for whoever wants the model converted.
#pragma once

#include "apps/survey/survey.hpp"

namespace mo::app {

// "Conv", "acme.Conv"
std::string operation_name(const SurveyedOperation&);
// "f32"; "?" when it is not known.
std::string type_text(const SurveyedPort&);

// An input that has a dimension or a rank that is not known, and the option that settles it.
struct OpenInput {
  std::string what, option;
};
std::vector<OpenInput> open_inputs(const ModelSurvey&);

// One JSON object.
std::string check_json(const core::ConvertOptions&, const ModelSurvey&,
                       const std::vector<std::string>& configurations);

// Why the model cannot be converted; nothing: it can.
std::optional<core::Failure> refused_by(const ModelSurvey&, const core::ConvertOptions&);
// Whether what the model becomes can be written for the session's target: all of the conversion, but nothing
// is written.
std::optional<core::Failure> refused_for_target(core::Session&, const core::ConvertOptions&);

}  // namespace mo::app
