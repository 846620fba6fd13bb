// Where this very program looks for plugins.
#pragma once

#include "core/host/search_path.hpp"

namespace mo::app {

core::SearchPath own_search_path();

}  // namespace mo::app
