// Values of attributes as the IR spells them.
#pragma once

#include "core/graph/attribute.hpp"
#include "core/ir/xml_writer.hpp"

namespace mo::core {

// False, and nothing of use written, for a kind that has no text in the IR: tensors, graphs, bytes.
bool write_value(XmlWriter&, const Attribute&);

// "1,3,?,1..8"; "..." when not even the rank is known.
std::string shape_text(const Shape&);

}  // namespace mo::core
