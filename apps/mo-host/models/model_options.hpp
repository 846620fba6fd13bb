// What core/convert is asked for by the command line, and told how to show how far it is.
#pragma once

#include "apps/mo-host/program/program.hpp"
#include "apps/session/convert_options.hpp"

namespace mo::app {

// As convert_options.
core::ConvertOptions model_options(Program&, const Arguments&, InputForm = InputForm::places,
                                   const std::string& model = {});

}  // namespace mo::app
