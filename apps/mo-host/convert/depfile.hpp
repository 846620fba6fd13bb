// --depfile: what a result was made of, as make and ninja read it.
#pragma once

#include "apps/ir_files/ir_files.hpp"
#include "apps/mo-host/program/program.hpp"

namespace mo::app {

// The model, the files beside it that were read, configurations, the program, plugins and their libraries.
std::vector<std::string> dependencies(const Program&);
// Failure (Exit::output).
void write_depfile(const std::string& path, const Program&, const IrPaths&);

}  // namespace mo::app
