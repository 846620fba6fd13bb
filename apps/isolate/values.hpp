// Values, shapes and structs of mo/plugin.h as parts of a message.
#pragma once

#include "apps/isolate/wire.hpp"

namespace mo::app::isolate {

void put_shape(Writer&, const mo_shape&);
mo_shape get_shape(Reader&);
void put_value(Side&, Writer&, const mo_value&);
mo_value get_value(Side&, Reader&);
void put_strings(Writer&, const mo_str*, uint64_t count);
const mo_str* get_strings(Reader&, uint64_t& count);
void put_desc(Side&, Writer&, const mo_tensor_desc*);
const mo_tensor_desc* get_desc(Side&, Reader&);
void put_layout(Writer&, const mo_layout_def&);
const mo_layout_def* get_layout(Side&, Reader&);  // lives as long as the session

// Out of a message and into memory of its receiver's call: views of a message end with it.
mo_value keep_value(const mo_value&, Arena&);

}  // namespace mo::app::isolate
