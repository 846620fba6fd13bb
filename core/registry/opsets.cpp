#include "core/registry/opsets.hpp"

#include <mo/first_releases.h>

#include <mo/text.hpp>

#include "core/support/numbers.hpp"
#include "core/support/releases.hpp"

namespace mo::core {

int opset_number(std::string_view opset) {
  if (!opset.starts_with("opset")) return 0;
  return parse_number<int>(opset.substr(5)).value_or(0);
}

std::string_view first_release_of(const Registry& registry, const Operation& o) {
  if (const Interface* i = registry.find_interface(MO_FIRST_RELEASES_INTERFACE, MO_FIRST_RELEASES_REVISION))
    if (const mo_str later =
            static_cast<const mo_first_releases*>(i->table)->first_release(str(o.op), str(o.opset));
        later.size != 0)
      return view(later);
  const Release* first = first_release_with(opset_number(o.opset));
  return first == nullptr ? std::string_view() : first->name;
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
