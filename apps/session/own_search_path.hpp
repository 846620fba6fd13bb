// Where this very program looks for plugins.
#pragma once

#include "apps/known_plugins/search_path.hpp"

namespace mo::app {

SearchPath own_search_path();

}  // namespace mo::app
