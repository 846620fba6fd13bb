#include "support/move_attributes.hpp"

namespace mo::builtin_passes {

void move_attributes(const Node& from, const Node& to) {
  const Context c = from.context();
  for (const std::string& name : from.attr_names()) {
    mo_value v{};
    c.check(c.graph().node_attr(c.get(), from.id(), str(name), &v));
    if (v.kind == MO_VALUE_GRAPH) from.erase(name);
    c.check(c.graph().set_node_attr(c.get(), to.id(), str(name), &v));
  }
}

}  // namespace mo::builtin_passes
