#include "core/convert/cut.hpp"

#include "core/support/contains.hpp"

namespace mo::core {

void cut_outputs(Graph& g, const std::vector<std::string>& outputs) {
  if (outputs.empty()) return;
  const Places places(g);
  std::vector<PortRef> ports;
  for (const std::string& name : outputs) {
    const PortRef port = places.output(name);
    if (contains(ports, port))
      throw Failure(Exit::usage, "MO0304",
                    text("--output names one place twice; the second time as '", name, "'"));
    ports.push_back(port);
  }
  const std::vector<NodeId> old(g.results().begin(), g.results().end());
  std::vector<std::string> names;
  for (const PortRef port : ports) {
    std::string name = text(g.name(port.node), "/sink_port_", port.port);
    for (NodeId r : old)
      if (g.source({r, 0}) == port) name = g.name(r);
    names.push_back(std::move(name));
  }
  const std::string opset = old.empty() ? "opset1" : std::string(g.opset(old.front()));
  for (NodeId r : old) g.remove_node(r);
  for (size_t i = 0; i < ports.size(); ++i) {
    const NodeId r = g.add_node(words::result, opset, names[i], 1, 0);
    g.connect(ports[i], {r, 0});
  }
}

}  // namespace mo::core
