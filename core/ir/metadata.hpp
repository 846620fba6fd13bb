// What is known about the conversion, at the end of the .xml.
#pragma once

#include "core/ir/emitter.hpp"
#include "core/ir/xml_writer.hpp"

namespace mo::core {

// <rt_info>, or <meta_data> of IR version 10; nothing when there is none.
void write_metadata(XmlWriter&, const EmitOptions&);

}  // namespace mo::core
