// The lists: what plugins registered, as tables.
#pragma once

#include "apps/mo-host/output/table.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

class Program;

Table plugin_table(const Program&, const Arguments&);
Table operation_table(const Program&, const Arguments&);
// Operators of frameworks, and who converts them.
Table source_operator_table(const Program&, const Arguments&);
Table transformation_table(const Program&, const Arguments&);
Table frontend_table(const Program&, const Arguments&);
Table option_table(const Program&, const Arguments&);

}  // namespace mo::app
