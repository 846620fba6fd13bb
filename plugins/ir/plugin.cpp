// Reads OpenVINO IR, versions 10 and 11: to look into one, to run it, to change it and to write it again.
#include "front_end.hpp"

#include <mo/sdk.hpp>

static void register_all(mo::Registry& r) { r.frontend<mo::ir::IrFrontEnd>(); }

MO_PLUGIN("org.mo-host.ir", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads OpenVINO IR", "", register_all)
