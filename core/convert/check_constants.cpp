#include <mo/text.hpp>

#include "core/convert/phases.hpp"
#include "core/support/failure.hpp"

namespace mo::core {

void check_constants(const Graph& g) {
  for (const NodeId n : g.nodes_of("Const"))
    if (g.node(n).outputs.size() != 1 || !g.out({n, 0}).tensor.value)
      throw Failure(Exit::model, "MO0211", text("constant ", describe(g, n), " has no value"))
          .with("hint", "the file is damaged, or it was written without its weights");
  for (const Graph* body : g.bodies()) check_constants(*body);
}

}  // namespace mo::core
