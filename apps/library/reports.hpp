// What mo_result.report says.
#pragma once

#include <optional>
#include <string>

#include "apps/library/result.hpp"
#include "apps/run/verify.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

std::string conversion_report(const core::Session&, const core::ConvertResult&, double seconds);
// That of `check`, with the error it would end with.
std::string survey_report(const std::string& json, const std::optional<core::Failure>& refused);
std::string outputs_report(const mo_result&);
std::string verdict_report(const Verdict&);

}  // namespace mo::app
