// From the command line to what core/convert is asked for.
#pragma once

#include "apps/mo-host/program/program.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class Arguments;

// What --input names: places of the model and their shapes, or values.
enum class InputForm { places, values };
// Checks what can be checked before a model is read, and hands the options to the session.
// `model`: instead of the one the user named.
core::ConvertOptions model_options(Program&, const Arguments&, InputForm = InputForm::places,
                                   const std::string& model = {});

}  // namespace mo::app
