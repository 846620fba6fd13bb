// Native attributes. A file has all of them as text: numbers, truth values and tuples as Python writes them.
//
//   "64", "0.001"        an int, a float
//   "True", "false"      a bool
//   "(2, 2)", "[1,2]"    a list of ints or floats; "()" an empty one; "(None, 2)" a list of strings
//   "None"               none: as if it were not there
//   anything else        a string
#pragma once

#include <mo/frontend.hpp>

namespace mo::mxnet {

// False: the text stands for no value.
bool give_attribute(Context c, std::string_view text);

// An int, or a list of them; nothing for all else.
std::optional<std::vector<int64_t>> integers_of(std::string_view text);

}  // namespace mo::mxnet
