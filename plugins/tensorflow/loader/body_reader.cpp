#include "loader/body_reader.hpp"

#include "loader/assignments.hpp"
#include "loader/encode.hpp"
#include "loader/list_flows.hpp"

#include <charconv>

namespace mo::tensorflow {

std::string describe(const NodeDef& n) { return text("node '", n.name, "' (", n.op, ')'); }

namespace {

class BodyReader {
 public:
  BodyReader(TensorflowModel& model, const Scope& scope) : model_(model), scope_(scope) {}

  void read_nodes(Bytes message, uint32_t node_field) {
    for (const wire::Field& f : wire::Message(message))
      if (f.number == node_field) add_node(f.bytes());
    for (size_t i = body_.arguments.size(); i < body_.nodes.size(); ++i) {
      try {
        connect(body_.nodes[i]);
      } catch (const Error& e) {
        throw Error(text(describe(body_.nodes[i]), ": ", e.what()), e.status());
      }
    }
  }

  void add_outputs(Bytes signature, Bytes function_def) {
    std::unordered_map<std::string_view, std::string_view> given;
    for (const wire::Field& f : wire::Message(function_def))
      if (f.number == field::function::ret) given.insert(parse_entry(f.bytes()));
    for (const wire::Field& f : wire::Message(signature)) {
      if (f.number != field::op::output_arg) continue;
      std::string_view name;
      for (const wire::Field& part : wire::Message(f.bytes()))
        if (part.number == field::op::arg_name) name = part.bytes();
      const auto found = given.find(name);
      require(found != given.end(), "function '", scope_.function, "' does not say what its output '", name,
              "' is");
      body_.outputs.push_back({name, find(found->second)});
    }
  }

  Body take() { return std::move(body_); }

  // Arguments of a function become nodes, one for each element of a list.
  void add_arguments(Bytes signature) {
    for (const wire::Field& f : wire::Message(signature)) {
      if (f.number != field::op::input_arg) continue;
      std::string_view name, type_attribute, count_attribute, list_attribute;
      DataType type = DataType::invalid;
      for (const wire::Field& part : wire::Message(f.bytes())) {
        if (part.number == field::op::arg_name) name = part.bytes();
        if (part.number == field::op::arg_type) type = data_type(part.integer());
        if (part.number == field::op::arg_type_attr) type_attribute = part.bytes();
        if (part.number == field::op::arg_number_attr) count_attribute = part.bytes();
        if (part.number == field::op::arg_type_list_attr) list_attribute = part.bytes();
      }
      if (!list_attribute.empty()) {
        add_list(name, types_of_scope(list_attribute));
        continue;
      }
      if (!type_attribute.empty()) {
        const auto types = types_of_scope(type_attribute);
        if (!types.empty()) type = types.back();
      }
      if (count_attribute.empty())
        add_argument(name, type);
      else
        add_list(name, std::vector<DataType>(count_of_scope(count_attribute), type));
    }
  }

  Source find(std::string_view input) {
    const std::string_view node = input.substr(0, input.find(':'));
    const auto known = numbers_.find(node);
    require(known != numbers_.end(), "its input '", input, "' is not a node of the ",
            scope_.function.empty() ? text("graph") : text("function '", scope_.function, '\''));
    if (node.size() == input.size()) return {known->second, 0};
    const std::string_view port = input.substr(node.size() + 1);
    const size_t colon = port.find(':');
    if (colon != std::string_view::npos)
      return {known->second,
              first_output(known->second, port.substr(0, colon)) + number(port.substr(colon + 1), input)};
    const uint32_t n = number(port, input);
    if (known->second >= body_.arguments.size()) return {known->second, n};
    require(n < body_.arguments.size() - known->second, "its input '", input,
            "' is not an argument of function '", scope_.function, '\'');
    return {known->second + n, 0};  // an element of a list
  }

 private:
  static uint32_t number(std::string_view digits, std::string_view input) {
    uint32_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    require(error == std::errc() && end == digits.data() + digits.size() && n < 1U << 24, "its input '",
            input, "' has no number of an output at its end");
    return n;
  }

  std::vector<DataType> types_of_scope(std::string_view attribute) const {
    for (const auto& [name, value] : scope_.attributes) {
      if (name != attribute) continue;
      std::vector<DataType> types;
      for (const int64_t t : parse_attr_value(value).integers)
        types.push_back(data_type(static_cast<uint64_t>(t)));
      return types;
    }
    return {};
  }
  size_t count_of_scope(std::string_view attribute) {
    int64_t count = 0;
    for (const auto& [name, value] : scope_.attributes)
      if (name == attribute)
        for (const int64_t v : parse_attr_value(value).integers) count = v;
    require(count >= 0 && count < 1 << 20, "attribute '", attribute, "' of function '", scope_.function,
            "' is ", count, ", which is not a number of arguments");
    model_.charge(static_cast<uint64_t>(count) * sizeof(NodeDef));
    return static_cast<size_t>(count);
  }

  void add_argument(std::string_view name, DataType type) {
    NodeDef n;
    n.name = name;
    n.op = "_Arg";
    n.made.emplace_back("T", model_.keep(encode::integer(field::attr::type, static_cast<uint64_t>(type))));
    body_.arguments.push_back(static_cast<uint32_t>(body_.nodes.size()));
    numbers_.emplace(name, static_cast<uint32_t>(body_.nodes.size()));
    body_.nodes.push_back(std::move(n));
  }
  // Elements are told apart by their numbers: name:0, name:1, …
  void add_list(std::string_view name, const std::vector<DataType>& types) {
    for (size_t i = 0; i < types.size(); ++i)
      add_argument(i == 0 ? name : model_.keep(text(name, '_', i)), types[i]);
  }

  void add_node(Bytes bytes) {
    NodeDef n;
    n.bytes = bytes;
    for (const wire::Field& f : wire::Message(bytes)) {
      if (f.number == field::node::name) n.name = f.bytes();
      if (f.number == field::node::op) n.op = f.bytes();
    }
    require(!n.name.empty(), "a node", n.op.empty() ? "" : text(" (", n.op, ')'), " has no name");
    require(!n.op.empty(), "node '", n.name, "' has no operator");
    require(numbers_.emplace(n.name, static_cast<uint32_t>(body_.nodes.size())).second,
            "two nodes are named '", n.name, '\'');
    body_.nodes.push_back(std::move(n));
  }

  void connect(NodeDef& n) {
    for (const wire::Field& f : wire::Message(n.bytes)) {
      if (f.number != field::node::input) continue;
      const std::string_view input = f.bytes();
      if (input.substr(0, 1) == "^")
        n.controls.push_back(find(input.substr(1)).node);
      else
        n.inputs.push_back(find(input));
    }
  }

  // In functions an output is called by the name that its operator gives it.
  uint32_t first_output(uint32_t node, std::string_view output) {
    const NodeDef& n = body_.nodes[node];
    if (const auto number = model_.output_number(n, output, scope_)) return *number;
    require(!model_.output_types(n, scope_), "it reads output '", output, "' of ", describe(n),
            ", which has none of this name");
    // Nothing is known of the operator: its outputs are counted as they are met.
    auto& names = met_[node];
    const auto at = static_cast<size_t>(std::find(names.begin(), names.end(), output) - names.begin());
    if (at == names.size()) names.push_back(output);
    return static_cast<uint32_t>(at);
  }

  TensorflowModel& model_;
  const Scope& scope_;
  Body body_;
  std::unordered_map<std::string_view, uint32_t> numbers_;
  std::unordered_map<uint32_t, std::vector<std::string_view>> met_;
};

}  // namespace

Body read_graph(TensorflowModel& model, Bytes graph_def, const Scope& scope) {
  BodyReader reader(model, scope);
  reader.read_nodes(graph_def, field::graph::node);
  Body body = reader.take();
  order_assignments(model, scope, body);
  make_flows_lists(model, body);
  return body;
}

Body read_function(TensorflowModel& model, const Scope& scope) {
  const auto function = model.function(scope.function);
  require(function.has_value(), "the model has no function '", scope.function, '\'');
  Bytes signature;
  for (const wire::Field& f : wire::Message(*function))
    if (f.number == field::function::signature) signature = f.bytes();
  BodyReader reader(model, scope);
  reader.add_arguments(signature);
  reader.read_nodes(*function, field::function::node);
  reader.add_outputs(signature, *function);
  Body body = reader.take();
  order_assignments(model, scope, body);
  make_flows_lists(model, body);
  return body;
}

}  // namespace mo::tensorflow
