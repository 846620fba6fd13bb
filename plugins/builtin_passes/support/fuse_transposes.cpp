#include "support/fuse_transposes.hpp"

#include <algorithm>

namespace mo::builtin_passes {

void give_tensor_names(const OutPort& from, const OutPort& to) {
  // The host moves a list of any length at once. A row of nodes that go hands theirs on from one to the next.
  if (from.disconnected()) return from.get_connection().set_source(to);
  auto names = to.tensor_names();
  const auto more = from.tensor_names();
  if (more.empty()) return;
  for (const std::string& name : more)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  from.set_tensor_names({});
  to.set_tensor_names(names);
}

void give_node_name(const Node& gone, const Node& heir) {
  const std::string part = gone.name() + "/";
  if (!heir.is("Const") && !heir.is("Parameter") && heir.name().compare(0, part.size(), part) == 0)
    take_name(gone, heir);
}

namespace {

// Readers of a Transpose read `port`.
void give_way(const Node& transpose, const OutPort& port) {
  const OutPort out = transpose.out_port();
  for (const InPort& reader : out.get_destinations()) reader.set_source(port);
  give_tensor_names(out, port);
  give_node_name(transpose, port.node());
}

bool is_transpose(const Node& n) { return n.is("opset1::Transpose"); }

}  // namespace

void fuse_transposes(const Graph& g) {
  if (g.get_op_nodes("Transpose").empty()) return;
  std::map<mo_node, Order> orders;
  std::map<std::tuple<mo_node, uint32_t, Order>, Node> made;
  std::vector<Node> in_order;
  for (const Node& n : g.topological())
    if (is_transpose(n)) in_order.push_back(n);
  for (const Node& n : in_order) {
    auto order = order_of(n);
    if (!order) continue;
    OutPort source = n.in_port(0).get_source();
    if (const auto inner = orders.find(source.node().id()); inner != orders.end()) {
      order = then(inner->second, *order);
      source = source.node().in_port(0).get_source();
      if (!is_identity(*order)) {
        n.in_port(0).set_source(source);
        n.in_port(1).set_source(g.create_ints(n.name() + "/order", *order).out_port());
      }
    }
    if (is_identity(*order)) {
      give_way(n, source);
      continue;
    }
    const auto [same, is_new] = made.try_emplace({source.node().id(), source.index(), *order}, n);
    if (is_new)
      orders.emplace(n.id(), *order);
    else
      give_way(n, same->second.out_port());
  }
}

}  // namespace mo::builtin_passes
