// Names that become files, functions, types and ids.
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// "scaled_shift" of "ScaledShift", "scaled-shift" or itself. Failure (Exit::usage) for what is no name.
std::string file_name_of(std::string_view name);
// "ScaledShift" of "scaled_shift".
std::string type_name_of(std::string_view file_name);
// Failure (Exit::usage) for what is no id: "com.acme.layers".
void check_id(std::string_view id);
// What its operations are called after: the id without its last part, or the whole when that leaves one part.
std::string domain_of(std::string_view id);

}  // namespace mo::app
