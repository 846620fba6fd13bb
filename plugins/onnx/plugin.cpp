// Reads ONNX models: the loader, one extractor per operator that has a counterpart in the operation sets, and
// front transformations for operators that become several operations.
#include "loader/front_end.hpp"
#include "support/pipeline_folder.hpp"

#include <mo/sdk.hpp>

namespace mo::onnx {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "onnx_items.inc"
#undef MO_ITEM

static void register_contents([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "onnx_items.inc"
#undef MO_ITEM
}

static void register_all(mo::Registry& r) {
  register_pipeline_options(r);
  r.frontend<OnnxFrontEnd>(register_contents);
}

}  // namespace mo::onnx

MO_PLUGIN("org.mo-host.onnx", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads ONNX models", "",
          mo::onnx::register_all)
