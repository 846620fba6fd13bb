#include "support/shape_arithmetic.hpp"

namespace mo::builtin_passes {

namespace {

// Depends on the data of an input, or hides in a body whether it does.
std::set<mo_node> data_dependent(const Graph& g) {
  std::set<mo_node> found;
  for (const Node& n : g.topological()) {
    const std::string op = n.op_name();
    bool depends = op == "Parameter" || n.has("body") || n.has("then_body");
    if (op != "ShapeOf")
      for (const InPort& in : n.in_ports())
        if (const OutPort source = in.get_source(); source && !depends)
          depends = found.count(source.node().id()) != 0;
    if (depends) found.insert(n.id());
  }
  return found;
}

}  // namespace

bool takes_shape(const InPort& in) { return in.node().definition().takes_sizes(in.index()); }

std::set<mo_node> shape_arithmetic(const Graph& g) {
  std::vector<Node> open;
  const auto push = [&](const OutPort& source) {
    if (source) open.push_back(source.node());
  };
  for (const Node& n : g.nodes()) {
    const Definition d = n.definition();
    for (size_t i = 0, count = n.in_count(); i < count; ++i)
      if (d.takes_sizes(i)) push(n.in_port(i).get_source());
  }
  std::set<mo_node> found;
  if (open.empty()) return found;
  const auto data = data_dependent(g);
  while (!open.empty()) {
    const Node n = open.back();
    open.pop_back();
    if (n.is("ShapeOf") || data.count(n.id()) != 0 || !found.insert(n.id()).second) continue;
    for (const InPort& in : n.in_ports()) push(in.get_source());
  }
  return found;
}

}  // namespace mo::builtin_passes
