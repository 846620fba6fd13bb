// The grammar of --mean_values and --scale_values: groups of numbers in brackets, each with the name of an
// input before it, or none: "a(1,2,3),b[4]", "(1,2,3),[4]".
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

struct ValueGroup {
  std::string name;  // empty: the groups are in the order of the inputs
  std::vector<double> values;
};

// Either all groups have names or none. Fails for what is wrong with the option.
std::vector<ValueGroup> parse_value_groups(std::string_view option, std::string_view text);

}  // namespace mo::builtin_passes
