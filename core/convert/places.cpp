#include "core/convert/places.hpp"

#include "core/support/failure.hpp"
#include "core/support/nearest.hpp"
#include "core/support/numbers.hpp"

namespace mo::core {

Places::Places(const Graph& g) : graph_(g) {
  for (NodeId n : g.nodes())
    for (uint32_t p = 0; p < g.node(n).outputs.size(); ++p)
      for (Symbol name : g.out({n, p}).names) tensors_.emplace(name, PortRef{n, p});
}

Places::Named Places::look_up(const std::string& name) const {
  Named found;
  found.node = graph_.find(name);
  if (const Symbol s = graph_.symbols().find(name); s != 0)
    if (const auto it = tensors_.find(s); it != tensors_.end()) found.tensor = it->second;
  return found;
}

std::optional<Place> Places::port_form(const std::string& name) const {
  const auto checked = [&](Place p) {
    const NodeRecord& r = graph_.node(p.node);
    const bool in = p.kind == Place::Kind::in;
    const size_t count = in ? r.inputs.size() : r.outputs.size();
    if (p.port < count) return p;
    const char* what = in ? "input" : "output";
    throw Failure(Exit::usage, "MO0303",
                  text("'", name, "': node ", describe(graph_, p.node), " has no ", what, " port ", p.port))
        .with("hint", count == 0 ? text("it has no ", what, "s")
                                 : text("its ", what, " ports are 0 to ", count - 1,
                                        "; 'port:name' is an input, 'name:port' an output"));
  };
  if (const size_t colon = name.find(':'); colon != std::string::npos)
    if (const auto port = parse_number<uint32_t>(std::string_view(name).substr(0, colon)))
      if (const NodeId n = graph_.find(name.substr(colon + 1)); n != no_node)
        return checked({Place::Kind::in, n, *port});
  if (const size_t colon = name.rfind(':'); colon != std::string::npos)
    if (const auto port = parse_number<uint32_t>(std::string_view(name).substr(colon + 1)))
      if (const NodeId n = graph_.find(name.substr(0, colon)); n != no_node)
        return checked({Place::Kind::out, n, *port});
  return std::nullopt;
}

PortRef Places::output(const std::string& name) const {
  const Named found = look_up(name);
  if (found.node != no_node) {
    const NodeRecord& r = graph_.node(found.node);
    const PortRef port =
        r.op == graph_.space().result ? graph_.source({found.node, 0}) : PortRef{found.node, 0};
    if (found.tensor && found.tensor != port) fail_collision(name, found, "output");
    if (!port || port.port >= graph_.node(port.node).outputs.size())
      throw Failure(Exit::usage, "MO0303",
                    text("--output: node ", describe(graph_, found.node), " has no outputs"));
    return port;
  }
  if (found.tensor) return found.tensor;
  const auto place = port_form(name);
  if (!place) fail_unknown(name, "output");
  if (place->kind == Place::Kind::out) return place->ref();
  const PortRef source = graph_.source(place->ref());
  if (!source)
    throw Failure(Exit::usage, "MO0303", text("--output: '", name, "': that input port is not connected"));
  return source;
}

Place Places::input(const std::string& name) const {
  const Named found = look_up(name);
  const auto is_parameter = [&](NodeId n) { return graph_.node(n).op == graph_.space().parameter; };
  const auto of_tensor = [&]() -> Place {
    if (is_parameter(found.tensor.node)) return {Place::Kind::node, found.tensor.node, 0};
    return {Place::Kind::out, found.tensor.node, found.tensor.port};
  };
  if (found.node != no_node && graph_.node(found.node).op == graph_.space().result) {
    if (found.tensor) return of_tensor();
    throw Failure(Exit::usage, "MO0303", text("--input: '", name, "' is an output of the model"));
  }
  if (found.node != no_node) {
    if (found.tensor && found.tensor.node != found.node) fail_collision(name, found, "input");
    return {Place::Kind::node, found.node, 0};
  }
  if (found.tensor) return of_tensor();
  const auto place = port_form(name);
  if (!place) fail_unknown(name, "input");
  if (is_parameter(place->node)) return {Place::Kind::node, place->node, 0};
  return *place;
}

void Places::fail_unknown(const std::string& name, const char* option) const {
  std::vector<std::string> known;
  std::string all;
  for (NodeId n : graph_.nodes()) {
    known.emplace_back(graph_.name(n));
    for (const OutSlot& o : graph_.node(n).outputs)
      for (Symbol s : o.names) known.emplace_back(graph_.symbols().text(s));
  }
  const bool input = std::string_view(option) == "input";
  for (NodeId n : input ? graph_.parameters() : graph_.results()) {
    const PortRef from = input ? PortRef{n, 0} : graph_.source({n, 0});
    const auto& names = from ? graph_.out(from).names : TensorNames();
    all += text(all.empty() ? "" : ", ", "'",
                names.empty() ? graph_.name(n) : graph_.symbols().text(names.front()), "'");
    if (all.size() > 300) break;
  }
  Failure f(Exit::usage, "MO0309",
            text("--", option, ": no node or tensor of the model is named '", name, "'"));
  const std::string guess = did_you_mean(name, known);
  f.with("hint", guess.empty()
                     ? text("the model's ", option, "s are ", all, "; `mo-host dump` shows every name")
                     : guess);
  throw f;
}

void Places::fail_collision(const std::string& name, const Named& found, const char* option) const {
  const bool input = std::string_view(option) == "input";
  throw Failure(Exit::usage, "MO0302",
                text("--", option, ": '", name, "' is the node ", describe(graph_, found.node),
                     " and also a tensor made by node ", describe(graph_, found.tensor.node)))
      .with("hint", text("write ", input ? text("0:", name) : text(name, ":0"), " for the node or ",
                         graph_.name(found.tensor.node), ":", found.tensor.port, " for the tensor"));
}

}  // namespace mo::core
