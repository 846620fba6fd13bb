#include "support/inputs.hpp"

#include "support/layout_options.hpp"
#include "support/value_groups.hpp"

#include <algorithm>

namespace mo::builtin_passes {

std::vector<Node> ordered_inputs(const Graph& g) {
  const auto order = g.attr<std::vector<std::string>>(MO_GRAPH_INPUT_ORDER);
  if (!order) return g.parameters();
  std::vector<Node> inputs;
  for (const std::string& name : *order)
    if (const auto n = g.find(name); n && n->is("Parameter")) inputs.push_back(*n);
  return inputs;
}

bool is_called(const Node& input, const std::string& name) {
  const std::string own = input.name();
  if (name == own || name == own + ":0" || name == "0:" + own) return true;
  const auto names = input.out_port().tensor_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  const size_t first = name.find(':'), last = name.rfind(':');
  if (first == std::string::npos) return own.rfind(name + "/placeholder_port_", 0) == 0;
  return own == text(name.substr(first + 1), "/placeholder_port_", name.substr(0, first)) ||
         own == text(name.substr(0, last), "/placeholder_out_port_", name.substr(last + 1));
}

namespace {

Node input_called(const Graph& g, std::string_view option, const std::string& name) {
  std::vector<Node> found;
  std::string all;
  for (const Node& p : g.parameters()) {
    if (is_called(p, name)) found.push_back(p);
    all += text(all.empty() ? "'" : ", '", p.name(), "'");
  }
  if (found.empty()) fail_option(option, "no input of the model is named '", name, "'; there are ", all);
  if (found.size() > 1)
    fail_option(option, "'", name, "' may be '", found[0].name(), "' or '", found[1].name(), "'");
  return found.front();
}

void check_count(std::string_view option, size_t groups, size_t inputs, bool listed) {
  if (groups == inputs || (listed && groups < inputs)) return;
  fail_option(option, "there are ", groups, " groups of numbers for ", inputs,
              " inputs; write the input's name before each group: name(1,2,3)");
}

Tensor constant_for(const Graph& g, const InputValues& v, std::string_view option) {
  const OutPort port = v.input.out_port();
  const Shape shape = port.shape();
  if (!is_float(port.type()))
    fail_option(option, "input '", v.input.name(), "' is ", name(port.type()),
                ", not a floating-point type; --input '", v.input.name(), "{f32}' makes it one");
  std::vector<int64_t> dims(shape.has_rank() ? shape.size() : 0, 1);
  if (v.values.size() > 1) {
    const size_t axis = shape.has_rank() ? channel_axis(g, v.input, shape) : 0;
    const auto count = static_cast<int64_t>(v.values.size());
    if (axis >= dims.size() || !intersect(shape[axis], Dim(count)))
      fail_option(option, count, " numbers do not fit input '", v.input.name(), "' of shape ", shape,
                  "; give one number, or one per channel");
    dims[axis] = count;
  }
  return Tensor::filled(g.context(), port.type(), v.values, dims);
}

}  // namespace

std::vector<InputValues> input_values(const Graph& g, std::string_view option_name) {
  std::vector<InputValues> list;
  const auto given = option<std::string>(g.context(), option_name);
  if (!given) return list;
  const auto groups = parse_value_groups(option_name, *given);
  if (groups.empty()) return list;
  if (groups.front().name.empty()) {
    const auto inputs = ordered_inputs(g);
    check_count(option_name, groups.size(), inputs.size(),
                g.attr<std::vector<std::string>>(MO_GRAPH_INPUT_ORDER).has_value());
    for (size_t i = 0; i < groups.size(); ++i) list.push_back({inputs[i], groups[i].values});
    return list;
  }
  for (const ValueGroup& group : groups) {
    const Node input = input_called(g, option_name, group.name);
    for (const InputValues& v : list)
      if (v.input == input) fail_option(option_name, "input '", input.name(), "' is named twice");
    list.push_back({input, group.values});
  }
  return list;
}

size_t channel_axis(const Graph& g, const Node& input, const Shape& shape) {
  if (const auto axis = channels_in_options(g, input, shape)) return *axis;
  const bool last = g.attr<std::string>(MO_GRAPH_LAYOUT).value_or("NCHW") == "NHWC";
  return last ? shape.size() - 1 : 1;
}

void move_readers(const Node& input, const Node& node) {
  for (const InPort& reader : input.out_port().get_destinations())
    if (reader.node() != node && !reader.node().is("ShapeOf")) reader.set_source(node.out_port());
}

void combine_with_constant(const Graph& g, const InputValues& v, std::string_view option, std::string_view op,
                           std::string_view suffix) {
  const std::string own = text(v.input.name(), "/", suffix);
  const Node constant = g.create_const(own + "/value", constant_for(g, v, option));
  move_readers(v.input, g.create_node(op, "opset1", own, {v.input.out_port(), constant.out_port()}));
}

bool first_time(const Graph& g, std::string_view what) {
  if (g.attr<bool>(what).value_or(false)) return false;
  g.set(what, true);
  return true;
}

}  // namespace mo::builtin_passes
