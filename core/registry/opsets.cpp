#include "core/registry/opsets.hpp"
#include "core/support/numbers.hpp"

namespace mo::core {

int opset_number(std::string_view opset) {
  if (!opset.starts_with("opset")) return 0;
  return parse_number<int>(opset.substr(5)).value_or(0);
}

const Operation* defining_operation(const Registry& registry, std::string_view op, std::string_view opset) {
  if (const Operation* o = registry.operation(op, opset)) return o;
  for (int n = std::min(opset_number(opset), 1000) - 1; n > 0; --n)
    if (const Operation* o = registry.operation(op, "opset" + std::to_string(n))) return o;
  return nullptr;
}

const Operation* named_operation(const Registry& registry, std::string_view spelled) {
  constexpr std::string_view newest = "opset64";
  const size_t set = spelled.find("::");
  return set == std::string_view::npos ? defining_operation(registry, spelled, newest)
                                       : registry.operation(spelled.substr(set + 2), spelled.substr(0, set));
}

}  // namespace mo::core
