// Which transformations models need.
#pragma once

#include <set>

#include "apps/mo-host/program/program.hpp"

namespace mo::app {

// Ids of all that edit something while these models are prepared.
std::set<std::string> used_by(const Program&, const std::vector<std::string>& models,
                              const std::string& framework);

}  // namespace mo::app
