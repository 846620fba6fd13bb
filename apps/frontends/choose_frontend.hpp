// Which front-end reads a model: the one that is named, or what they all say when they are shown the file.
#pragma once

#include "core/convert/convert.hpp"

namespace mo::app {

// Of all front-ends, with their other names.
std::vector<std::string> known_frameworks(const core::Registry&);
// Failure when no front-end has that name.
const core::FrontEnd& frontend_named(const core::Registry&, const std::string& framework);
// For ConvertOptions::frontend. Without a framework the surest one; Failure when none or several are equally sure, and
// when the file is no model at all.
const core::FrontEnd& choose_frontend(core::Session&, const std::string& path, const std::string& framework);

}  // namespace mo::app
