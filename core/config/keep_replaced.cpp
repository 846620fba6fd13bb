#include "core/config/keep_replaced.hpp"

#include "core/infer/infer.hpp"
#include "core/infer/replaced_graph.hpp"

namespace mo::core {

namespace {

class Copier {
 public:
  Copier(Session& session, Match& m)
      : from_(*m.graph), boundary_(boundary_of(m, m.graph->end_id())), to_(session.create_graph("replaced")) {
    for (const Boundary::Input& in : boundary_.inputs) parameter(in.source);
    for (NodeId n : m.configured->nodes) node(n);
    for (const auto& [old, copy] : copies_) connect(old, copy);
    for (const PortRef out : boundary_.outputs)
      to_->connect({copies_.at(out.node), out.port}, {to_->add_node(words::result, "opset1", "", 1, 0), 0});
  }
  GraphPtr result() const { return to_; }

 private:
  void parameter(PortRef source) {
    const NodeId p = to_->add_node(words::parameter, "opset1", from_.name(source.node), 0, 1);
    to_->set_tensor({p, 0}, from_.out(source).tensor);
    outside_.try_emplace({source.node, source.port}, p);
  }

  void node(NodeId n) {
    const NodeRecord& r = from_.node(n);
    const NodeId copy =
        to_->add_node(from_.op(n), from_.opset(n), from_.name(n), static_cast<uint32_t>(r.inputs.size()),
                      static_cast<uint32_t>(r.outputs.size()));
    to_->set_native(copy, r.native);
    for (const auto& [key, value] : r.attributes.items())
      to_->set_attribute(copy, from_.symbols().text(key), clone_of(value));
    for (uint32_t i = 0; i < r.outputs.size(); ++i) to_->set_tensor({copy, i}, r.outputs[i].tensor);
    copies_.emplace(n, copy);
  }

  // What comes from outside without being an input of the match is a constant, or cannot be known.
  void connect(NodeId old, NodeId copy) {
    const NodeRecord& r = from_.node(old);
    for (uint32_t i = 0; i < r.inputs.size(); ++i) {
      const PortRef source = r.inputs[i].source;
      if (!source) continue;
      if (const auto inside = copies_.find(source.node); inside != copies_.end()) {
        to_->connect({inside->second, source.port}, {copy, i});
        continue;
      }
      auto outer = outside_.find({source.node, source.port});
      if (outer == outside_.end() && from_.is_const(source.node))
        outer = outside_
                    .emplace(std::pair(source.node, source.port),
                             to_->add_const(from_.name(source.node), from_.out(source).tensor.value))
                    .first;
      if (outer != outside_.end()) to_->connect({outer->second, 0}, {copy, i});
    }
  }

  const Graph& from_;
  const Boundary& boundary_;
  GraphPtr to_;
  std::map<NodeId, NodeId> copies_;
  std::map<std::pair<NodeId, uint32_t>, NodeId> outside_;
};

}  // namespace

void keep_replaced(Session& session, Match& m, NodeId node,
                   const std::vector<std::pair<uint32_t, uint32_t>>& inputs,
                   const std::vector<std::pair<uint32_t, uint32_t>>& outputs) {
  Graph& g = *m.graph;
  const Operation* op = operation_of(session, g, node);
  if (op == nullptr || op->infer != nullptr || replaced_graph(g, node) != nullptr) return;
  const Boundary& b = boundary_of(m, g.end_id());
  std::vector<int64_t> in(b.inputs.size(), -1), out(b.outputs.size(), -1);
  for (const auto& [i, port] : inputs) in[i] = port;
  for (const auto& [i, port] : outputs) out[i] = port;
  g.set_attribute(node, config_words::replaced, Copier(session, m).result());
  g.set_attribute(node, config_words::replaced_inputs, std::move(in));
  g.set_attribute(node, config_words::replaced_outputs, std::move(out));
}

}  // namespace mo::core
