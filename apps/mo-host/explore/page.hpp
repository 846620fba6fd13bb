// The page of `explore`: one file of HTML with everything in it.
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// The template, which is part of the program, with this JSON as its data.
std::string page_with(std::string_view json);

}  // namespace mo::app
