// Validated copies of what plugins register. Each throws an Error that tells every broken rule.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

class Check;

Operation read_operation(const mo_operation_def&, const Plugin&, Session&);
Extractor read_extractor(const mo_extractor_def&, const Plugin&);
Transformation read_transformation(const mo_transformation_def&, const Plugin&, Session&);
FrontEnd read_frontend(const mo_frontend_def&, const Plugin&);
OptionDef read_option(const mo_option_def&, const Plugin&);
Converter read_converter(const mo_converter_def&, const Plugin&);
Interface read_interface(mo_str name, uint32_t revision, const void* table, const Plugin&);

// The nodes and edges of a PATTERN or MATCHER.
void read_pattern(Check&, const mo_transformation_def&, Transformation&, Session&);

}  // namespace mo::core
