// What is known about the conversion, at the end of the .xml.
#pragma once

#include "core/ir/emitter.hpp"
#include "core/ir/xml_writer.hpp"

namespace mo::core {

// What the IR says that the model comes from, else what the options say.
Metadata metadata_of(const Graph&, const EmitOptions&);
// <rt_info>, or <meta_data> of IR version 10; nothing when there is none.
void write_metadata(XmlWriter&, const Metadata&, int ir_version);

}  // namespace mo::core
