// From options as users write them to what core/convert is asked for.
#pragma once

#include "apps/ir_files/ir_files.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class Arguments;

// As ConvertOptions::phase_started counts them.
inline constexpr int phases_of_a_conversion = 7;

// What --input names: places of the model and their shapes, or values.
enum class InputForm { places, values };
// Checks what can be checked before a model is read, and hands the options to the session.
// `model`: instead of the one the user named; a path, or the name of a part in memory.
core::ConvertOptions convert_options(core::Session&, const Arguments&, InputForm = InputForm::places,
                                     const std::string& model = {});
// Where the files go. Of a command that writes none the folder is "".
IrPlace ir_place(const Arguments&);

}  // namespace mo::app
