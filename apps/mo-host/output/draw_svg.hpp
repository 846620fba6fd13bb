// Drawings by graphviz, when it is installed.
#pragma once

#include <string>

namespace mo::app {

// Lets the program `dot` make an SVG file of a DOT file. Returns why there is none; empty: there is one.
std::string draw_svg(const std::string& dot_file, const std::string& svg_file);

}  // namespace mo::app
