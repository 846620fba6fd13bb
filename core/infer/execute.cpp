#include "core/infer/execute.hpp"

#include <algorithm>

#include "core/infer/infer.hpp"

namespace mo::core {

namespace {

TensorState state_of(TensorRef value) {
  TensorState t;
  t.shape = shape_of(*value);
  t.type = value->type;
  t.value = std::move(value);
  return t;
}

void check_parameter(const Graph& g, NodeId n, const mo_tensor* value) {
  if (g.node(n).outputs.size() != 1)
    throw Failure(
        Exit::model, "MO0505",
        text("input ", describe(g, n), " has ", g.node(n).outputs.size(), " outputs; expected one"));
  if (value == nullptr) throw Failure(Exit::usage, "MO0505", text("input ", describe(g, n), " has no value"));
  const TensorState& said = g.out({n, 0}).tensor;
  const bool type_fits = said.type == ElementType::unknown || said.type == value->type;
  if (type_fits && merge(said.shape, shape_of(*value))) return;
  throw Failure(Exit::usage, "MO0505",
                text("input '", g.name(n), "' is given as ", name(value->type), " ", shape_of(*value),
                     "; expected ", name(said.type), " ", said.shape));
}

class Execution {
 public:
  Execution(Session& session, Graph& g, std::vector<Failure>* missing, Variables* variables,
            const Computed& computed)
      : session_(session),
        graph_(g),
        missing_(missing),
        variables_(variables),
        computed_(computed),
        nodes_(g.end_id()) {}

  std::vector<TensorRef> run(std::span<const TensorRef> parameters) {
    for (const NodeId r : graph_.results()) (void)source_of(r);
    const auto inputs = graph_.parameters();
    for (size_t i = 0; i < inputs.size(); ++i) {
      check_parameter(graph_, inputs[i], i < parameters.size() ? parameters[i].get() : nullptr);
      nodes_[inputs[i]].outputs = {state_of(parameters[i])};
    }
    const std::vector<NodeId> order = graph_.topological();
    for (const NodeId n : order) count_readers(n);
    for (const NodeId n : order) step(n);
    if (variables_ != nullptr) variables_->end_run();
    std::vector<TensorRef> results;
    for (const NodeId r : graph_.results()) {
      const PortRef source = source_of(r);
      results.push_back(nodes_[source.node].outputs[source.port].value);
    }
    return results;
  }

 private:
  struct Values {
    std::vector<TensorState> outputs;
    uint32_t readers = 0;
  };

  PortRef source_of(NodeId result) const {
    const InSlots& in = graph_.node(result).inputs;
    if (in.size() == 1 && in[0].source) return in[0].source;
    throw Failure(Exit::model, "MO0207",
                  text("output ", describe(graph_, result), " of the graph '", graph_.name(),
                       "' is connected to nothing"));
  }

  void count_readers(NodeId n) {
    for (const InSlot& in : graph_.node(n).inputs)
      if (in.source) ++nodes_[in.source.node].readers;
  }

  void step(NodeId n) {
    const Symbol op = graph_.node(n).op;
    // A Result stays a reader, so that what it reads is kept.
    if (op == graph_.space().parameter || op == graph_.space().result) return;
    if (op == graph_.space().constant) {
      for (const OutSlot& out : graph_.node(n).outputs) nodes_[n].outputs.push_back(out.tensor);
      return;
    }
    inputs_.clear();
    for (const InSlot& in : graph_.node(n).inputs)
      inputs_.push_back(in.source ? &nodes_[in.source.node].outputs[in.source.port] : nullptr);
    nodes_[n].outputs = values_of(n);
    for (const TensorState& t : nodes_[n].outputs)  // read at once, and often more than once
      if (session_.executing && t.value) (void)t.value->data();
    if (computed_) computed_(n, nodes_[n].outputs);
    for (const InSlot& in : graph_.node(n).inputs)
      if (in.source && --nodes_[in.source.node].readers == 0) nodes_[in.source.node].outputs.clear();
    if (nodes_[n].readers == 0) nodes_[n].outputs.clear();
  }

  std::vector<TensorState> values_of(NodeId n) {
    const std::string_view variable =
        variables_ == nullptr ? std::string_view() : Variables::read_by(session_, graph_, n);
    if (!variable.empty())
      if (TensorRef kept = variables_->value(variable)) return {kept_state(n, variable, std::move(kept))};
    std::vector<TensorState> values = computed(n);
    if (variables_ == nullptr || values.size() != 1 || !values[0].value) return values;
    if (!variable.empty()) variables_->note_first(variable, values[0].value);
    if (const std::string_view set = Variables::set_by(session_, graph_, n); !set.empty())
      variables_->set(set, values[0].value);
    return values;
  }

  // A value that the run before has left.
  TensorState kept_state(NodeId n, std::string_view variable, TensorRef value) const {
    const TensorState& said = graph_.out({n, 0}).tensor;
    const bool type_fits = said.type == ElementType::unknown || said.type == value->type;
    if (!type_fits || !merge(said.shape, shape_of(*value)))
      throw Failure(
          Exit::usage, "MO0505",
          text("variable '", variable, "' was left as ", name(value->type), " ", shape_of(*value),
               " by the run before; ", describe(graph_, n), " expects ", name(said.type), " ", said.shape));
    return state_of(std::move(value));
  }

  std::vector<TensorState> computed(NodeId n) {
    const bool all_here = std::all_of(inputs_.begin(), inputs_.end(),
                                      [](const TensorState* t) { return t == nullptr || t->value; });
    if (all_here) try {
        return evaluate_node(session_, graph_, n, inputs_);
      } catch (const Failure& f) {
        if (missing_ == nullptr || f.code() != "MO0504") throw;
        missing_->push_back(f);
      }
    return std::vector<TensorState>(graph_.node(n).outputs.size());
  }

  Session& session_;
  Graph& graph_;
  std::vector<Failure>* missing_;
  Variables* variables_;
  const Computed& computed_;
  std::vector<Values> nodes_;
  std::vector<const TensorState*> inputs_;
};

}  // namespace

std::vector<TensorRef> execute(Session& session, Graph& g, std::span<const TensorRef> parameters,
                               std::vector<Failure>* missing, Variables* variables,
                               const Computed& computed) {
  return Execution(session, g, missing, variables, computed).run(parameters);
}

}  // namespace mo::core
