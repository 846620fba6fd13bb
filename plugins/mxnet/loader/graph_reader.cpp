#include "loader/graph_reader.hpp"

#include "loader/attributes.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace mo::mxnet {

namespace {

// Operators that compute a loss, and give what they read on their first input.
bool is_loss(std::string_view op) {
  constexpr std::array<std::string_view, 6> all{"SoftmaxOutput",          "Softmax",
                                                "LinearRegressionOutput", "LogisticRegressionOutput",
                                                "MAERegressionOutput",    "SVMOutput"};
  return std::find(all.begin(), all.end(), op) != all.end();
}

// "(2, 3)" of __shape__; nothing when it is no shape. 0 stands for a dimension that is not known.
std::optional<std::vector<int64_t>> stated_shape(const SymbolNode& n) {
  const std::string* given = n.find("__shape__");
  if (given == nullptr) return std::nullopt;
  const auto dims = integers_of(*given);
  if (!dims || dims->empty() || dims->size() > 32) return std::nullopt;
  return dims;
}

Shape shape_of(const SymbolNode& n) {
  const auto dims = stated_shape(n);
  if (!dims) return Shape::unknown();
  std::vector<Dim> list;
  for (const int64_t d : *dims) list.push_back(d > 0 ? Dim(d) : any_dim);
  return Shape(list);
}

}  // namespace

size_t GraphReader::read_inputs(const SymbolNode& n) const {
  return is_loss(n.op) ? std::min<size_t>(n.inputs.size(), 1) : n.inputs.size();
}

void GraphReader::find_needed() {
  outputs_.assign(symbol_.nodes.size(), 0);
  const auto need = [&](const Entry& e) { outputs_[e.node] = std::max(outputs_[e.node], e.output + 1); };
  for (const Entry& e : symbol_.heads) need(e);
  // Variables that an upgrade added come last and read nothing.
  for (size_t i = symbol_.nodes.size(); i-- > 0;) {
    if (outputs_[i] == 0) continue;
    for (size_t k = 0, end = read_inputs(symbol_.nodes[i]); k < end; ++k) need(symbol_.nodes[i].inputs[k]);
  }
}

void GraphReader::find_states() {
  is_state_.assign(symbol_.nodes.size(), false);
  std::vector<bool> read_otherwise(symbol_.nodes.size(), false);
  for (size_t i = 0; i < symbol_.nodes.size(); ++i)
    for (size_t k = 0; outputs_[i] != 0 && k < symbol_.nodes[i].inputs.size(); ++k) {
      const uint32_t from = symbol_.nodes[i].inputs[k].node;
      (symbol_.nodes[i].op == "RNN" && k >= 2 ? is_state_ : read_otherwise)[from] = true;
    }
  for (size_t i = 0; i < symbol_.nodes.size(); ++i)
    if (read_otherwise[i] || !stated_shape(symbol_.nodes[i])) is_state_[i] = false;
}

// Weights of 8 bits stay as they are.
void GraphReader::find_packed() {
  is_packed_.assign(symbol_.nodes.size(), false);
  std::vector<bool> read_otherwise(symbol_.nodes.size(), false);
  for (const SymbolNode& n : symbol_.nodes) {
    const bool quantized = n.op.starts_with("_contrib_quantized_") || n.op == "_contrib_dequantize";
    for (const Entry& e : n.inputs) (quantized ? is_packed_ : read_otherwise)[e.node] = true;
  }
  for (size_t i = 0; i < symbol_.nodes.size(); ++i)
    if (read_otherwise[i]) is_packed_[i] = false;
}

void GraphReader::add_variable(size_t node) {
  const SymbolNode& n = symbol_.nodes[node];
  if (const auto value = arrays_.find(c_, n.name, is_packed_[node])) {
    const Node made = graph_.create_const(n.name, *value, n.tag);
    made.out_port().set_tensor_names({n.name + ":0"});
    ports_[node] = {made.out_port().abi()};
    return;
  }
  if (is_state_[node]) {
    auto dims = *stated_shape(n);
    int64_t count = 1;
    bool fits = true;
    for (int64_t& d : dims) {
      d = std::max<int64_t>(d, 1);  // 0 is a batch that is not known: what reads it broadcasts
      fits = fits && !__builtin_mul_overflow(count, d, &count) && count <= (int64_t{1} << 24);
    }
    require(fits, "its __shape__ ", dims, " is too large for a state");
    const Tensor zeros = Tensor::create<float>(c_, dims).first;
    ports_[node] = {graph_.create_const(n.name, zeros, n.tag).out_port().abi()};
    return;
  }
  const std::string tensor = n.name + ":0";
  const mo_str tensor_name = str(tensor);
  mo_node_init init{};
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = str(n.name);
  init.n_outputs = 1;
  init.output_names = &tensor_name;
  init.native = n.tag;
  const Node made = graph_.create_node(init);
  const Shape shape = shape_of(n);
  made.set("element_type", ElementType::f32).set("shape", shape);
  made.out_port().set_shape(ElementType::f32, shape);
  ports_[node] = {made.out_port().abi()};
}

void GraphReader::add_operator(size_t node) {
  if (add_control_flow(node)) return;
  const SymbolNode& n = symbol_.nodes[node];
  std::vector<mo_port> inputs;
  for (const OutPort& p : inputs_of(n)) inputs.push_back(p.abi());
  std::vector<std::string> names;
  for (uint32_t k = 0; k < outputs_[node]; ++k) names.push_back(text(n.name, ':', k));
  const std::vector<mo_str> tensor_names = [&] {
    std::vector<mo_str> list;
    for (const std::string& s : names) list.push_back(str(s));
    return list;
  }();
  const std::string op = model_.op_of(n), name = name_of(n);
  mo_node_init init{};
  init.op = str(op);
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = outputs_[node];
  if (prefix_.empty()) init.output_names = tensor_names.data();
  init.native = n.tag;
  for (const OutPort& port : graph_.create_node(init).out_ports()) {
    port.set_shape(ElementType::f32, Shape::unknown());
    ports_[node].push_back(port.abi());
  }
}

OutPort GraphReader::port(const Entry& e) const {
  const auto& list = ports_[e.node];
  require(e.output < list.size(), "output ", e.output, " of ", describe(symbol_, e.node),
          " is read, but it has ", list.size());
  return {c_, list[e.output]};
}

GraphReader::Ports GraphReader::inputs_of(const SymbolNode& n) const {
  Ports list;
  for (size_t k = 0, end = read_inputs(n); k < end; ++k) list.push_back(port(n.inputs[k]));
  return list;
}

// Arrays of another network, or of another epoch, lack some.
void GraphReader::warn_of_missing() const {
  constexpr std::array<std::string_view, 8> ends{
      "_weight", "_bias", "_gamma", "_beta", "_moving_mean", "_moving_var", "_running_mean", "_running_var"};
  std::string missing;
  size_t count = 0;
  for (size_t i = 0; i < symbol_.nodes.size(); ++i) {
    const SymbolNode& n = symbol_.nodes[i];
    const bool is_weight =
        std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return n.name.ends_with(end); });
    if (outputs_[i] == 0 || !n.is_variable() || !is_weight || arrays_.has(n.name)) continue;
    if (++count <= 3) missing += text(count == 1 ? "'" : ", '", n.name, '\'');
  }
  if (count != 0 && !arrays_.empty())
    c_.warn(text("there is no array for ", missing, count > 3 ? text(" and ", count - 3, " more") : "",
                 ": they are inputs; are these the arrays of this symbol?"));
}

void GraphReader::add_results() {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const Entry& e : symbol_.heads) {
    if (!seen.emplace(e.node, e.output).second) continue;
    graph_.create_node("Result", "opset1", text(symbol_.nodes[e.node].name, "/sink_port_", e.output),
                       {port(e)});
  }
}

void GraphReader::add_all(bool variables, void (GraphReader::*add)(size_t)) {
  for (size_t i = 0; i < symbol_.nodes.size(); ++i) {
    if (outputs_[i] == 0 || symbol_.nodes[i].is_variable() != variables) continue;
    try {
      (this->*add)(i);
    } catch (const Error& e) {
      throw Error(text(describe(symbol_, i), ": ", e.what()), e.status(), e.where());
    }
  }
}

void GraphReader::read() {
  find_needed();
  find_states();
  find_packed();
  warn_of_missing();
  ports_.resize(symbol_.nodes.size());
  add_all(true, &GraphReader::add_variable);
  add_all(false, &GraphReader::add_operator);
  add_results();
}

GraphReader::Ports GraphReader::part(const Symbol& s, const Ports& variables, Graph into,
                                     std::string_view prefix) const {
  const std::vector<uint32_t> nodes = s.variables();
  require(nodes.size() == variables.size(), "its sub-graph has ", nodes.size(), " inputs, but gets ",
          variables.size());
  GraphReader reader(c_, model_, s, {}, into, std::string(prefix));
  reader.find_needed();
  reader.ports_.resize(s.nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) reader.ports_[nodes[i]] = {variables[i].abi()};
  reader.add_all(false, &GraphReader::add_operator);
  Ports heads;
  for (const Entry& e : s.heads) heads.push_back(reader.port(e));
  return heads;
}

}  // namespace mo::mxnet
