// From the command line to what core/convert is asked for.
#pragma once

#include "apps/mo-host/run.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class Arguments;

// Checks what can be checked before a model is read, and hands the options to the session.
core::ConvertOptions model_options(Run&, const Arguments&);

}  // namespace mo::app
