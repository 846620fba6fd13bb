// Reads PaddlePaddle programs: the loader of both formats, one extractor per operator that has a counterpart
// in the operation sets, and front transformations for operators that become several operations.
#include "loader/front_end.hpp"

#include <mo/sdk.hpp>

namespace mo::paddle {

#define MO_ITEM(name, file) void register_##name(Registry&);
#include "paddle_items.inc"
#undef MO_ITEM

static void register_contents([[maybe_unused]] Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "paddle_items.inc"
#undef MO_ITEM
}

static void register_all(Registry& r) {
  r.frontend<PaddleFrontEnd>(register_contents);
  r.option("paddle_params", MO_OPTION_MODEL_FILE,
           "PaddlePaddle: the file of parameters; what lies beside the program when absent");
}

}  // namespace mo::paddle

MO_PLUGIN("org.mo-host.paddle", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads PaddlePaddle programs", "",
          mo::paddle::register_all)
