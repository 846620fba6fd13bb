// Edits that most transformations consist of: replacing, inserting, eliminating, naming, folding.
#pragma once

#include <mo/graph.hpp>

#include <algorithm>
#include <map>

namespace mo {

// `with[i]` takes over destinations and tensor names of output i of `old_node`, and its name for i = 0.
// `old_node` is removed when the callback ends. For callbacks of transformations.
inline void replace_node(const Node& old_node, const std::vector<OutPort>& with) {
  std::vector<mo_port> ports;
  for (const OutPort& p : with) ports.push_back(p.abi());
  const Context c = old_node.context();
  c.check(c.host()->rewrite->replace_outputs(c.get(), old_node.id(), ports.data(), ports.size()));
}
// Outputs of `old_node` that nothing reads need no counterpart.
inline void replace_node(const Node& old_node, const Node& with) {
  size_t used = old_node.out_count();
  while (used > with.out_count() && old_node.out_port(used - 1).disconnected()) --used;
  require(used >= with.out_count() && used <= with.out_count(), "'", old_node.name(), "' has ",
          old_node.out_count(), " outputs and '", with.name(), "', which would replace it, ",
          with.out_count());
  replace_node(old_node, with.out_ports());
}

// Renames `to` so that it carries the name users know `from` by; `from` gets another one.
inline void take_name(const Node& from, const Node& to) {
  const std::string name = from.name();
  from.rename(text(name, "/replaced_", from.id() & 0xffffffffU));
  to.rename(name);
}
// In order: a name is free once its node has another one.
inline void rename_nodes(const std::vector<std::pair<Node, std::string>>& names) {
  for (const auto& [node, name] : names) node.rename(name);
}

// A new node whose inputs are constants, by the number of the port, and `input`, if there is one, at port 0.
// Every input before the last one has to be said.
inline Node create_op_with_const_inputs(const Graph& g, std::string_view op, std::string_view opset,
                                        std::string_view name, const std::map<size_t, Tensor>& values,
                                        const OutPort& input = {}) {
  std::vector<OutPort> inputs(values.empty() ? 1 : values.rbegin()->first + 1);
  inputs.front() = input;
  const std::string_view prefix = name.empty() ? op : name;
  for (const auto& [port, value] : values) {
    require(!inputs[port], "port 0 of '", prefix, "' is given an input and a constant");
    inputs[port] = g.create_const(text(prefix, "/input_port_", port, "/value"), value);
  }
  if (values.empty() && !input) inputs.clear();
  for (size_t port = 1; port < inputs.size(); ++port)
    require(static_cast<bool>(inputs[port]), "port ", port, " of '", prefix, "' is given nothing");
  return g.create_node(op, opset, name, inputs);
}

// Does a Result read the port?
inline bool has_result_consumers(const OutPort& port) {
  for (const InPort& in : port.get_destinations())
    if (in.node().op() == "Result") return true;
  return false;
}

// Eliminates what stands between `replacement` and `output`: readers of `output` read `replacement`, which
// gets its tensor names, and rt_info; and the node's name where a Result makes it one that users ask for.
// False, and nothing is done, when that name cannot move: to a model input, or to a node that has a name
// users ask for already.
inline bool replace_output_update_name(const OutPort& output, const OutPort& replacement) {
  const Node old_node = output.node(), heir = replacement.node();
  const bool named = has_result_consumers(output);
  if (named) {
    if (heir.op() == "Parameter" || old_node.out_count() != 1) return false;
    for (const OutPort& p : heir.out_ports())
      if (has_result_consumers(p)) return false;
  }
  copy_runtime_info({heir, old_node}, {heir});
  output.get_connection().set_source(replacement);
  if (named) take_name(old_node, heir);
  return true;
}

// For callbacks that make one thing of several nodes: `made` takes the place of what `root` computes, with
// its readers, names and shape; `new_nodes`, or the node of `made`, get the rt_info of `root` and `inside`.
// Of these goes what nothing reads any more, and is returned: handles to compare with, not to use.
inline std::vector<Node> take_place(const Node& root, const OutPort& made, std::vector<Node> inside,
                                    std::vector<Node> new_nodes = {}) {
  const auto has = [](const std::vector<Node>& list, const Node& n) {
    return std::find(list.begin(), list.end(), n) != list.end();
  };
  const OutPort was = root.out_port();
  made.set_shape(was.type(), was.shape());
  if (!has(inside, root)) inside.push_back(root);
  if (new_nodes.empty()) new_nodes.push_back(made.node());
  copy_runtime_info(inside, new_nodes);
  was.get_connection().set_source(made);
  take_name(root, made.node());
  const auto is_unread = [](const Node& n) {
    const auto ports = n.out_ports();
    return std::all_of(ports.begin(), ports.end(), [](const OutPort& p) { return p.disconnected(); });
  };
  std::vector<Node> gone;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Node& n : inside) {
      if (has(gone, n) || !is_unread(n)) continue;
      n.remove();
      gone.push_back(n);
      changed = true;
    }
  }
  return gone;
}

// A node like `node`, reading other inputs; without rt_info.
inline Node clone_with_new_inputs(const Node& node, const std::vector<OutPort>& inputs,
                                  std::string_view name = {}) {
  const Context c = node.context();
  const Node copy =
      node.graph().create_node(node.op(), node.opset(), name.empty() ? node.name() : std::string(name),
                               inputs, static_cast<uint32_t>(node.out_count()));
  for (const mo_str& key : detail::list<mo_str>(c, [&](mo_str*items, uint64_t n, uint64_t*count) {
         return c.graph().node_attr_names(c.get(), node.id(), items, n, count);
       })) {
    mo_value value{};
    c.check(c.graph().node_attr(c.get(), node.id(), key, &value));
    c.check(c.graph().set_node_attr(c.get(), copy.id(), key, &value));
  }
  return copy;
}

// Computes `node` and what it depends on now: a Const with the value of its output, or nothing when that is
// not known. Readers are not moved; much cheaper than Graph::clean_up, which looks at the whole graph.
inline std::optional<Node> constant_fold(const Node& node) {
  if (node.op() == "Const") return node;
  const Graph g = node.graph();
  g.infer_marked();
  const auto value = node.out_port().value();
  if (!value) return std::nullopt;
  const Node folded = g.create_const(text(node.name(), "/folded"), *value);
  copy_runtime_info({node}, {folded});
  return folded;
}

}  // namespace mo
