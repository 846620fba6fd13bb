// Operators whose result is what they read, where only values count.
#include "support/call.hpp"

namespace mo::pytorch {

static Ports identity(const Call& c) {
  c.does_same_to_parts();
  return {c.tensor("self")};
}

void register_identities(Registry& r) {
  convert<identity>(r,
                    "aten.clone.default aten.detach.default aten.detach_copy.default aten.alias.default "
                    "aten.alias_copy.default aten.contiguous.default aten.lift_fresh_copy.default "
                    "aten.lift.default aten.lift_fresh.default aten.requires_grad.default "
                    "aten.resolve_conj.default aten.resolve_neg.default",
                    "clone(x)", "x");
}

}  // namespace mo::pytorch
