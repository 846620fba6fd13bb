// convert --manifest: many models, some at a time.
//
// Each is converted in a copy of this process, which has the plugins loaded already: starting one costs a
// millisecond or two. A plugin that crashes, or a model that takes all memory, ends its copy and nobody else;
// and plugins, which are promised that a session is one thread's, need not bear several sessions at work in
// one process.
#pragma once

#include "apps/mo-host/program/program.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

// One model, in this process; its line. Failure when it was not converted.
void convert_as_line(Program&, const Arguments&);
// Prints one line of JSON per model as soon as it is done. Failure (Exit::model) in the end when one failed.
void convert_many(Program&, const Arguments&);

}  // namespace mo::app
