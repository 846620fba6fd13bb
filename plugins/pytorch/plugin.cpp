// Reads the archives of torch.export (.pt2): the loader, and front transformations that say what the operators
// of an exported program mean in operations of the operation sets.
#include "loader/front_end.hpp"
#include "loader/options.hpp"

#include <mo/sdk.hpp>

namespace mo::pytorch {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "pytorch_items.inc"
#undef MO_ITEM

static void register_contents([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "pytorch_items.inc"
#undef MO_ITEM
}

static void register_all(mo::Registry& r) {
  r.frontend<PytorchFrontEnd>(register_contents);
  register_options(r);
}

}  // namespace mo::pytorch

MO_PLUGIN("org.mo-host.pytorch", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "reads PyTorch programs that torch.export saved", "", mo::pytorch::register_all)
