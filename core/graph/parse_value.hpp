// Texts of attributes in an IR, read: what values.hpp writes.
#pragma once

#include "core/graph/attribute.hpp"

namespace mo::core {

// `kind` is a MO_VALUE_; the forms are those that the IR has. Throws mo::Error naming kind and text.
Attribute parse_value(int32_t kind, std::string_view text);
// "1,?,2..8" or "..." as a Parameter has it, brackets allowed; "" is a scalar.
Shape parse_ir_shape(std::string_view text);
// "4", "?" or "-1", "2..8", "2..", "..8". Throws mo::Error with a sentence that says which of it is wrong.
Dim parse_dim(std::string_view text);

}  // namespace mo::core
