#include "support/shape_arithmetic.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

struct ShapePorts {
  std::string_view op;
  uint32_t first, last;
};

constexpr ShapePorts shape_ports[] = {
    {"Interpolate", 1, 2}, {"Reshape", 1, 1},      {"Broadcast", 1, 1},    {"BatchToSpace", 1, 3},
    {"Tile", 1, 1},        {"SpaceToBatch", 1, 3}, {"StridedSlice", 1, 3}, {"VariadicSplit", 2, 2},
    {"TopK", 1, 1},        {"Pad", 1, 2},          {"Range", 0, 2},        {"OneHot", 1, 1},
};

// Depends on the data of an input, or hides in a body whether it does.
std::set<mo_node> data_dependent(const Graph& g) {
  std::set<mo_node> found;
  for (const Node& n : g.topological()) {
    const std::string op = n.op();
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

bool takes_shape(const InPort& in) {
  const std::string op = in.node().op();
  return std::any_of(std::begin(shape_ports), std::end(shape_ports), [&](const ShapePorts& p) {
    return op == p.op && in.index() >= p.first && in.index() <= p.last;
  });
}

std::set<mo_node> shape_arithmetic(const Graph& g) {
  std::vector<Node> open;
  const auto push = [&](const OutPort& source) {
    if (source) open.push_back(source.node());
  };
  for (const ShapePorts& p : shape_ports)
    for (const Node& n : g.get_op_nodes(p.op))
      for (size_t i = p.first; i <= p.last && i < n.in_count(); ++i) push(n.in_port(i).get_source());
  std::set<mo_node> found;
  if (open.empty()) return found;
  const auto data = data_dependent(g);
  while (!open.empty()) {
    const Node n = open.back();
    open.pop_back();
    if (n.op() == "ShapeOf" || data.count(n.id()) != 0 || !found.insert(n.id()).second) continue;
    for (const InPort& in : n.in_ports()) push(in.get_source());
  }
  return found;
}

}  // namespace mo::builtin_passes
