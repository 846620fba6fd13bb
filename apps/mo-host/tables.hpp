// The lists: what plugins registered, as tables.
#pragma once

#include "apps/mo-host/arguments.hpp"
#include "apps/mo-host/table.hpp"

namespace mo::app {

class Run;

Table plugin_table(const Run&, const Arguments&);
Table operation_table(const Run&, const Arguments&);
Table extractor_table(const Run&, const Arguments&);
Table transformation_table(const Run&, const Arguments&);
Table frontend_table(const Run&, const Arguments&);
Table option_table(const Run&, const Arguments&);

}  // namespace mo::app
