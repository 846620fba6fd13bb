// VarHandleOp and VariableV2 have no value without a checkpoint.
#include "support/extract.hpp"

namespace mo::tensorflow {

static void decline_variable(SourceNode&) {
  decline("the variable has no value: the graph is not frozen; name its checkpoint with --input_checkpoint");
}

void register_variable(Registry& r) {
  for (const std::string_view op : {"VarHandleOp", "VariableV2", "Variable", "AutoReloadVariable"})
    extract<decline_variable>(r, op);
}

}  // namespace mo::tensorflow
