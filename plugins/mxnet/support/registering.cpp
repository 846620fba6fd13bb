#include "support/registering.hpp"

namespace mo::mxnet {

// Without the name space that MXNet writes into the name.
static std::string_view plain(std::string_view op) {
  for (const std::string_view space : {"_contrib_", "_linalg_", "_npi_", "_np_", "_"})
    if (op.starts_with(space)) return op.substr(space.size());
  return op;
}

void convert(Registry& r, MakeOperator make, std::string_view ops, std::string_view before,
             std::string_view after) {
  const std::string_view name = plain(ops.substr(0, ops.find(' ')));
  r.transformation<GroupedReplacement>(make,
                                       OperatorGroupText{"mxnet", operators_group, ops, name, before, after});
}

}  // namespace mo::mxnet
