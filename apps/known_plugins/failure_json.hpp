// A Failure of a plugin as JSON: how it comes out of another process, and how it is kept.
#pragma once

#include "core/support/failure.hpp"

#include <nlohmann/json_fwd.hpp>

namespace mo::app {

nlohmann::json failure_json(const core::Failure&);
// Throws nlohmann::json::exception when it has another form.
core::Failure failure_from(const nlohmann::json&);

}  // namespace mo::app
