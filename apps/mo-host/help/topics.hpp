// Pages of the manual, for `mo-host help TOPIC`.
#pragma once

#include <string>
#include <vector>

namespace mo::app {

// Their names, sorted; none where the package that has them is not installed.
std::vector<std::string> help_topics();
// "" when there is no such page. '-' and '_' are alike.
std::string help_page(const std::string& topic);

}  // namespace mo::app
