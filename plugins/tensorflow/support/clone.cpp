#include "support/clone.hpp"

#include <unordered_map>
#include <unordered_set>

namespace mo::tensorflow {

namespace {

class Cloning {
 public:
  explicit Cloning(int depth) : depth_(depth) {
    require(depth < 64, "graphs are nested deeper than 64 levels");
  }

  Ports clone(const Graph& to, const Graph& from, const Ports& arguments) {
    give(from, arguments);
    for (const Node& n : from.topological())
      if (!n.is("Result")) add(to, n);
    Ports results;
    for (const Node& r : from.results()) results.push_back(outside(r.in_port(0).get_source()));
    return results;
  }

  OutPort clone_value(const Graph& to, const Graph& from, const Ports& arguments, const OutPort& value) {
    give(from, arguments);
    std::vector<Node> waiting{value.node()};
    std::unordered_set<mo_node> needed{value.node().id()};
    while (!waiting.empty()) {
      const Node n = waiting.back();
      waiting.pop_back();
      if (const auto known = made_.find(n.id()); known != made_.end() && !known->second.front()) return {};
      for (const InPort& in : n.in_ports())
        if (const OutPort source = in.get_source())
          if (needed.insert(source.node().id()).second) waiting.push_back(source.node());
    }
    for (const Node& n : from.topological())
      if (needed.count(n.id()) != 0) add(to, n);
    return outside(value);
  }

 private:
  void give(const Graph& from, const Ports& arguments) {
    const auto parameters = from.parameters();
    require(arguments.size() == parameters.size(), "a graph has ", parameters.size(), " arguments, but gets ",
            arguments.size());
    for (size_t i = 0; i < parameters.size(); ++i) made_[parameters[i].id()] = {arguments[i]};
  }

  void add(const Graph& to, const Node& n) {
    if (made_.count(n.id()) != 0) return;
    Ports inputs;
    for (const InPort& in : n.in_ports()) inputs.push_back(outside(in.get_source()));
    made_[n.id()] = node(to, n, inputs).out_ports();
  }

  OutPort outside(const OutPort& inside) const {
    return inside ? made_.at(inside.node().id()).at(inside.index()) : OutPort();
  }

  Node node(const Graph& to, const Node& n, const Ports& inputs) const {
    if (n.is("Const")) {
      if (const auto value = n.out_port().value()) return to.create_const(n.name(), *value);
    }
    const Context c = n.context();
    const std::string op = n.op(), opset = n.opset(), name = n.name();
    std::vector<mo_port> ports;
    for (const OutPort& p : inputs) ports.push_back(p.abi());
    mo_node_init init{};
    init.op = str(op);
    init.opset = str(opset);
    init.name = str(name);
    init.inputs = ports.data();
    init.n_inputs = static_cast<uint32_t>(ports.size());
    init.n_outputs = static_cast<uint32_t>(n.out_count());
    if (c.graph().native_tag(c.get(), n.id(), &init.native) != MO_OK) init.native = 0;
    const Node made = to.create_node(init);
    attributes(n, made);
    for (size_t i = 0; i < n.out_count(); ++i)
      made.out_port(i).set_shape(n.out_port(i).type(), n.out_port(i).shape());
    return made;
  }

  void attributes(const Node& from, const Node& to) const {
    const Context c = from.context();
    for (const mo_str name : detail::list<mo_str>(c, [&](mo_str*items, uint64_t n, uint64_t*count) {
           return c.graph().node_attr_names(c.get(), from.id(), items, n, count);
         })) {
      mo_value v{};
      c.check(c.graph().node_attr(c.get(), from.id(), name, &v));
      if (v.kind == MO_VALUE_GRAPH)
        to.set(view(name), GraphHandle{copy_of(Graph(c, from.attr<GraphHandle>(view(name)).id)).id()});
      else
        c.check(c.graph().set_node_attr(c.get(), to.id(), name, &v));
    }
  }

  Graph copy_of(const Graph& body) const {
    const Graph made = body.create_sub_graph("body");
    Ports parameters;
    for (const Node& p : body.parameters()) parameters.push_back(node(made, p, {}).out_port());
    const auto results = body.results();
    const Ports sources = Cloning(depth_ + 1).clone(made, body, parameters);
    for (size_t i = 0; i < results.size(); ++i)
      made.create_node("Result", "opset1", results[i].name(), {sources[i]});
    return made;
  }

  int depth_;
  std::unordered_map<mo_node, Ports> made_;
};

}  // namespace

Ports clone_into(const Graph& to, const Graph& from, const Ports& arguments) {
  return Cloning(0).clone(to, from, arguments);
}

OutPort clone_value(const Graph& to, const Graph& from, const Ports& arguments, const OutPort& value) {
  return Cloning(0).clone_value(to, from, arguments, value);
}

}  // namespace mo::tensorflow
