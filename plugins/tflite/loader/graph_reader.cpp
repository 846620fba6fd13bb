#include "loader/graph_reader.hpp"

#include "loader/quantize.hpp"

#include <algorithm>

namespace mo::tflite {

namespace {

// Operators whose results are some of their inputs' elements: quantized alike, nothing is rounded again.
bool moves_elements(std::string_view op) {
  static constexpr std::string_view all =
      " RESHAPE TRANSPOSE SQUEEZE EXPAND_DIMS SLICE STRIDED_SLICE SPLIT SPLIT_V GATHER GATHER_ND PACK UNPACK "
      "CONCATENATION PAD PADV2 MIRROR_PAD TILE MAX_POOL_2D RESIZE_NEAREST_NEIGHBOR SPACE_TO_DEPTH "
      "DEPTH_TO_SPACE "
      "SPACE_TO_BATCH_ND BATCH_TO_SPACE_ND MAXIMUM MINIMUM REVERSE_V2 BROADCAST_TO SELECT SELECT_V2 "
      "REDUCE_MAX "
      "REDUCE_MIN DENSIFY DYNAMIC_UPDATE_SLICE TOPK_V2 FILL ";
  const std::string word = text(' ', op, ' ');
  return all.find(word) != std::string_view::npos;
}

// Operators that see the integers of a quantized tensor themselves.
bool sees_integers(std::string_view op) { return op == "CAST" || op == "BITCAST"; }

// Operators that know of the dimension that complex numbers have behind the others.
bool takes_complex_numbers(std::string_view op) {
  return op == "RFFT2D" || op == "REAL" || op == "IMAG" || op == "COMPLEX_ABS" || op == "RESHAPE" ||
         op == "SQUEEZE" || op == "EXPAND_DIMS";
}

QuantizedTensor quantized(const TensorInfo& t) { return {*t.quantization, *t.type, t.dims.size()}; }

// Only the rank is certain: users may give the inputs other shapes.
Shape known_shape(const TensorInfo& t) {
  if (!t.shape.has_rank()) return Shape::unknown();
  return Shape::of_rank(t.shape.size() + (t.is_complex() ? 1U : 0U));
}

}  // namespace

// Tensors need not have names.
std::string GraphReader::name_of(int32_t tensor) const {
  const std::string_view name = info(tensor).name;
  if (!name.empty()) return text(prefix_, name);
  const auto place = [&](const std::vector<int32_t>& list) {
    return std::find(list.begin(), list.end(), tensor) - list.begin();
  };
  const auto input = place(sub_graph_->inputs), output = place(sub_graph_->outputs);
  if (input < std::ssize(sub_graph_->inputs)) return text(prefix_, "input_", input);
  if (output < std::ssize(sub_graph_->outputs)) return text(prefix_, "output_", output);
  return text(prefix_, "tensor_", tensor);
}

void GraphReader::begin(const SubGraph& g) {
  model_.charge(g);
  sub_graph_ = &g;
  values_.assign(g.tensors.size(), OutPort());
  handles_.assign(g.tensors.size(), {});
}

void GraphReader::define(int32_t tensor, const OutPort& port) { values_[static_cast<size_t>(tensor)] = port; }

std::vector<std::string> GraphReader::names_of(int32_t tensor, std::string_view alias) const {
  std::vector<std::string> names;
  if (!info(tensor).name.empty()) names.emplace_back(info(tensor).name);
  const auto taken = [&](const TensorInfo& t) { return t.name == alias; };
  if (!alias.empty() && std::none_of(sub_graph_->tensors.begin(), sub_graph_->tensors.end(), taken))
    names.emplace_back(alias);
  return names;
}

mo_node GraphReader::create(std::string_view op, std::string_view name, const std::vector<mo_port>& inputs,
                            uint32_t outputs, uint64_t native) {
  mo_node_init init{};
  init.op = str(op);
  init.opset = str(native == 0 ? "opset1" : "");
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = outputs;
  init.native = native;
  return graph_.create_node(init).id();
}

void GraphReader::add_input(int32_t tensor, std::string_view alias) {
  require(tensor >= 0, "an input of the sub-graph is left out");
  const TensorInfo& t = info(tensor);
  require(!t.is_handle(), describe(*sub_graph_, tensor), " is an input of type ", t.type->name,
          ", which the IR does not have");
  if (values_[static_cast<size_t>(tensor)]) return;  // there twice
  const Node n(c_, create("Parameter", name_of(tensor), {}, 1, 0));
  Shape shape = t.shape;
  if (t.is_complex() && shape.has_rank()) shape.push_back(2);
  n.set("element_type", t.type->type).set("shape", shape);
  n.out_port().set_shape(t.type->type, shape);
  n.out_port().set_tensor_names(names_of(tensor, alias));
  OutPort port = n.out_port();
  if (t.quantization) {
    port = dequantize(graph_, name_of(tensor), port, quantized(t), false);
    port.set_shape(ElementType::f32, known_shape(t));
  }
  define(tensor, port);
}

void GraphReader::read_main(const SubGraph& g, const Signature* signature) {
  begin(g);
  if (signature == nullptr) {
    for (const int32_t t : g.inputs) add_input(t, {});
  } else {
    for (const auto& [name, t] : signature->inputs) add_input(t, name);
    for (const int32_t t : g.inputs) add_input(t, {});
  }
  add_operators();
  if (signature == nullptr) {
    for (const int32_t t : g.outputs) add_result(t, {});
  } else {
    for (const auto& [name, t] : signature->outputs) add_result(t, name);
  }
  for (const auto& [name, v] : variables_.all())
    if (v.is_assigned && v.is_read) assign_variable(graph_, name, v.current, v.type, v.shape);
}

void GraphReader::add_operators() {
  for (const Operator& op : sub_graph_->operators) {
    try {
      add_operator(op);
    } catch (const Error& e) {
      throw Error(text(describe(*sub_graph_, op), ": ", e.what()), e.status(), e.where());
    }
  }
}

void GraphReader::add_operator(const Operator& op) {
  if (add_call(op) || add_resource(op)) return;
  require(takes_complex_numbers(op.code->op) || !has_complex_numbers(op, *sub_graph_),
          "it works on complex numbers, which only Fourier transforms and what takes them apart may");
  add_native(op);
}

OutPort GraphReader::input_of(const Operator& op, size_t i) {
  const int32_t tensor = op.inputs[i];
  if (tensor < 0) return {};
  const OutPort port = value(tensor);
  const TensorInfo& t = info(tensor);
  return t.quantization && sees_integers(op.code->op)
             ? quantize(graph_, name_of(tensor) + "/of", port, quantized(t))
             : port;
}

void GraphReader::add_native(const Operator& op) {
  std::vector<mo_port> inputs;
  std::vector<int32_t> states;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    inputs.push_back(input_of(op, i).abi());
    if (op.inputs[i] >= 0 && info(op.inputs[i]).is_variable) states.push_back(op.inputs[i]);
  }
  // States that it changes are outputs behind its own.
  const auto own = static_cast<uint32_t>(op.outputs.size());
  const Node n(c_, create(op.code->op, node_name(op), inputs, own + static_cast<uint32_t>(states.size()),
                          model_.add_node(op, *sub_graph_)));
  for (size_t i = 0; i < states.size(); ++i) {
    const TensorInfo& t = info(states[i]);
    const OutPort next(c_, n.id(), own + static_cast<uint32_t>(i));
    next.set_shape(t.real_type(), known_shape(t));
    const std::string variable = name_of(states[i]);
    Variables::Variable& v = variables_.get(variable);
    v.current = next;
    v.is_assigned = true;
    define(states[i], next);
  }
  for (size_t i = 0; i < op.outputs.size(); ++i)
    define_result(op, i, OutPort(c_, n.id(), static_cast<uint32_t>(i)));
}

bool GraphReader::keeps_levels(const Operator& op, const TensorInfo& result) const {
  if (!moves_elements(op.code->op) || is_activated(op)) return false;
  for (const int32_t i : op.inputs) {
    if (i < 0 || !info(i).quantization) continue;
    const bool same =
        info(i).quantization == result.quantization && info(i).type_number == result.type_number;
    if (!same) return false;
  }
  return true;
}

bool GraphReader::is_rounded(const Operator& op, const TensorInfo& result) const {
  return result.quantization && has_levels(*result.type) && !keeps_levels(op, result);
}

bool GraphReader::is_integer_output(int32_t tensor) const {
  const auto& outputs = sub_graph_->outputs;
  return prefix_.empty() && info(tensor).quantization &&
         std::find(outputs.begin(), outputs.end(), tensor) != outputs.end();
}

std::string GraphReader::node_name(const Operator& op) const {
  const int32_t first = op.outputs.empty() ? -1 : op.outputs[0];
  if (first < 0) return text(prefix_, op.code->op, '_', &op - sub_graph_->operators.data());
  const bool is_last = !is_rounded(op, info(first)) && !is_integer_output(first);
  return is_last ? name_of(first) : text(name_of(first), '/', op.code->op);
}

void GraphReader::define_result(const Operator& op, size_t output, const OutPort& port) {
  const int32_t tensor = op.outputs[output];
  if (tensor < 0) return;
  const TensorInfo& t = info(tensor);
  require(!values_[static_cast<size_t>(tensor)], describe(*sub_graph_, tensor), " is written twice");
  port.set_shape(t.real_type(), known_shape(t));
  OutPort result = port;
  if (is_rounded(op, t)) {
    const std::string name = name_of(tensor);
    result =
        fake_quantize(graph_, is_integer_output(tensor) ? name + "/FakeQuantize" : name, port, quantized(t));
    result.set_shape(ElementType::f32, known_shape(t));
  }
  if (prefix_.empty()) result.set_tensor_names(names_of(tensor, {}));
  define(tensor, result);
}

Tensor GraphReader::required_constant(int64_t tensor, std::string_view what) const {
  require(tensor >= 0 && tensor < static_cast<int64_t>(sub_graph_->tensors.size()), what, " are tensor ",
          tensor, ", but there are ", sub_graph_->tensors.size());
  auto value = model_.buffers().value(c_, sub_graph_->tensors[static_cast<size_t>(tensor)]);
  require(value.has_value(), what, " are not constant");
  return std::move(*value);
}

OutPort GraphReader::constant(int32_t tensor, const Tensor& value) {
  const TensorInfo& t = info(tensor);
  const Node n = graph_.create_const(name_of(tensor), value);
  if (!t.quantization) {
    if (prefix_.empty()) n.out_port().set_tensor_names(names_of(tensor, {}));
    return n.out_port();
  }
  const Quantization& q = *t.quantization;
  if (q.block != 0) {
    std::optional<Tensor> zeros;
    if (q.block_zeros >= 0) zeros = required_constant(q.block_zeros, "the zero points of its blocks");
    return dequantize_blocks(graph_, name_of(tensor), n.out_port(), t.dims, q.block,
                             required_constant(q.block_scales, "the scales of its blocks"), zeros);
  }
  const OutPort y = dequantize(graph_, name_of(tensor), n.out_port(), quantized(t),
                               t.type->bits <= 16 && t.dims.size() > 1);
  y.set_shape(ElementType::f32, value.shape());
  return y;
}

OutPort GraphReader::value(int32_t tensor) {
  OutPort& port = values_[static_cast<size_t>(tensor)];
  if (port) return port;
  const TensorInfo& t = info(tensor);
  std::optional<Tensor> held;
  try {
    held = model_.buffers().value(c_, t);
    if (held) return port = constant(tensor, *held);
    if (t.is_variable) return port = state(tensor);
  } catch (const Error& e) {
    fail(describe(*sub_graph_, tensor), ": ", e.what());
  }
  fail("it reads ", describe(*sub_graph_, tensor),
       ", which has no value yet: no operator before it writes it, and ",
       "it is neither an input nor a constant");
}

OutPort GraphReader::state(int32_t tensor) {
  const std::string name = name_of(tensor);
  if (variables_.has(name) && variables_.get(name).current) return variables_.get(name).current;
  require(!is_body(),
          "it is a variable without a name, or of a body inside of a body, which is not supported");
  return first_state(name, info(tensor));
}

void GraphReader::add_result(int32_t tensor, std::string_view alias) {
  require(tensor >= 0, "an output of the sub-graph is left out");
  const TensorInfo& t = info(tensor);
  const std::string name = name_of(tensor);
  OutPort port;
  try {
    port = value(tensor);
  } catch (const Error& e) {
    fail("output ", describe(*sub_graph_, tensor), ": ", e.what());
  }
  if (t.quantization) {
    port.set_tensor_names({});
    port = quantize(graph_, name, port, quantized(t));
    port.set_shape(t.type->type, known_shape(t));
    port.set_tensor_names(names_of(tensor, alias));
  } else if (!alias.empty()) {
    port.set_tensor_names(names_of(tensor, alias));
  }
  create("Result", name + "/sink_port_0", {port.abi()}, 0, 0);
}

}  // namespace mo::tflite
