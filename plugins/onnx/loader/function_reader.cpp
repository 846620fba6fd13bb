// A call of a function is replaced by the function's nodes. They are named after the call, "call/node", and
// so are the values between them; the outputs have the names that the call gives them.
#include "loader/graph_reader.hpp"

namespace mo::onnx {

namespace {
constexpr int deepest_call = 64;
}

static void require_no_recursion(const FunctionMessage& f, const Scope& scope) {
  int depth = 1;
  for (const Scope* s = &scope; s->caller != nullptr; s = s->caller) {
    require(s->defaults.data() != f.bytes.data(), "function '", f.name, "' calls itself");
    ++depth;
  }
  require(depth <= deepest_call, "functions are called deeper than ", deepest_call, " levels");
}

std::string GraphReader::name_in_graph(std::string_view local) const {
  return call_ == nullptr ? std::string(local) : text(call_->prefix, local);
}

std::string GraphReader::value_in_graph(std::string_view local) const {
  if (call_ == nullptr || local.empty()) return std::string(local);
  const auto result = call_->results.find(local);
  return result == call_->results.end() ? text(call_->prefix, local) : result->second;
}

void GraphReader::define_absent(std::string_view name) { value(name).defined = true; }

// False when an input is defined by a later node, or a later call.
bool GraphReader::inputs_are_known() {
  for (const std::string_view name : node_.inputs)
    if (!name.empty() && find(name) == nullptr) {
      if (last_round_ && capture(name, true) != nullptr) continue;
      require(!last_round_, "it reads value '", name, "', which no node, input or initializer defines");
      return false;
    }
  return true;
}

void GraphReader::add_call(const FunctionMessage& f) {
  if (!inputs_are_known()) {
    delayed_.push_back({node_.bytes, node_number_});
    return;
  }
  require(node_.inputs.size() <= f.inputs.size(), "it has ", node_.inputs.size(), " inputs, but function '",
          f.name, "' has ", f.inputs.size());
  require(node_.outputs.size() <= f.outputs.size(), "it has ", node_.outputs.size(),
          " outputs, but function '", f.name, "' has ", f.outputs.size());
  require_no_recursion(f, scope_);

  Call call;
  call.prefix = text(name_in_graph(name_of_node(node_)), '/');
  model_.charge(call.prefix.size() + f.bytes.size() + f.opsets.size() * sizeof(OpsetImport));
  for (size_t i = 0; i < node_.outputs.size(); ++i)
    if (!node_.outputs[i].empty()) call.results.emplace(f.outputs[i], value_in_graph(node_.outputs[i]));
  GraphReader reader(c_, model_, model_.add_scope({f.opsets, node_.bytes, f.bytes, &scope_}), graph_);
  reader.call_ = &call;
  reader.body_depth_ = body_depth_;
  for (size_t i = 0; i < f.inputs.size(); ++i) {
    const std::string_view given = i < node_.inputs.size() ? node_.inputs[i] : std::string_view{};
    const Value* v = given.empty() ? nullptr : find(given);
    if (v == nullptr || v->node == 0)
      reader.define_absent(f.inputs[i]);
    else
      reader.define(f.inputs[i], {v->node, v->port, MO_PORT_OUT}, v->type, none);
  }
  reader.read_nodes(f.bytes, field::function::node);
  for (size_t i = 0; i < node_.outputs.size(); ++i)
    if (!node_.outputs[i].empty()) take_result(node_.outputs[i], f.outputs[i], reader);
}

void GraphReader::take_result(std::string_view output, std::string_view result, GraphReader& function) {
  const Value* v = function.find(result);
  require(v != nullptr, "output '", result, "' of the function is a value that none of its nodes defines");
  if (v->node == 0) return define_absent(output);
  const mo_port port{v->node, v->port, MO_PORT_OUT};
  define(output, port, v->type, node_number_);
  // An input that is handed through, or a value that is two outputs.
  const OutPort source(c_, v->node, v->port);
  auto names = source.tensor_names();
  std::string name = value_in_graph(output);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  names.push_back(std::move(name));
  source.set_tensor_names(names);
}

// Files need not have their nodes in order.
void GraphReader::add_delayed_calls() {
  constexpr int most_rounds = 100;
  for (int round = 0; !delayed_.empty(); ++round) {
    require(round < most_rounds, "calls of functions stand before the nodes whose values they read");
    const auto list = std::exchange(delayed_, {});
    for (const Delayed& d : list) add_node(d.node, d.number);
    last_round_ = delayed_.size() == list.size();
  }
}

}  // namespace mo::onnx
