#include "loader/graph_reader.hpp"

#include <algorithm>

namespace mo::paddle {

namespace {

// Constants of more elements become an operation that fills them.
constexpr int64_t most_filled = 4096;

Shape shape_of(const Value& v) {
  if (!v.dims) return Shape::unknown();
  std::vector<Dim> dims;
  for (const int64_t d : *v.dims) dims.push_back(d < 0 ? Dim() : Dim(d));
  return dims;
}

const std::string* text_attribute(const Operation& op, std::string_view name) {
  const Attribute* a = op.find(name);
  return a != nullptr ? std::get_if<std::string>(a) : nullptr;
}

std::optional<Ints> ints_attribute(const Operation& op, std::string_view name) {
  const Attribute* a = op.find(name);
  if (a == nullptr) return std::nullopt;
  if (const auto* list = std::get_if<Ints>(a)) return *list;
  if (const auto* one = std::get_if<int64_t>(a)) return Ints{*one};
  return std::nullopt;
}

ElementType type_attribute(const Operation& op) {
  if (const auto* name = text_attribute(op, "dtype")) return element_type(std::string_view(*name));
  return element_type(op.integer("dtype", -1));
}

std::vector<double> numbers_of(const Attribute& a) {
  if (const auto* list = std::get_if<std::vector<double>>(&a)) return *list;
  if (const auto* number = std::get_if<double>(&a)) return {*number};
  if (const auto* integer = std::get_if<int64_t>(&a)) return {static_cast<double>(*integer)};
  if (const auto* flag = std::get_if<bool>(&a)) return {*flag ? 1.0 : 0.0};
  std::vector<double> list;
  if (const auto* ints = std::get_if<Ints>(&a))
    for (const int64_t i : *ints) list.push_back(static_cast<double>(i));
  if (const auto* flags = std::get_if<std::vector<bool>>(&a))
    for (const bool f : *flags) list.push_back(f ? 1 : 0);
  return list;
}

bool has_operands(const Operation& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(), [](const Slot& s) { return !s.values.empty(); });
}

}  // namespace

std::string GraphReader::name_of(size_t id) const {
  const Value& v = program_.values[id];
  return text(prefix_, v.name.empty() ? text("value_", v.number) : v.name);
}

std::string GraphReader::node_name(const Operation& op) const {
  for (const Slot& s : op.outputs)
    for (const size_t id : s.values)
      return program_.values[id].name.empty() ? text(prefix_, op.type, '_', program_.values[id].number)
                                              : name_of(id);
  return text(prefix_, op.type);
}

// Only the rank is certain: users may give the inputs other shapes.
void GraphReader::set_type(const OutPort& p, const Value& v, size_t member) const {
  std::optional<size_t> rank;
  if (v.is_list)
    rank = member < v.ranks.size() ? v.ranks[member] : std::nullopt;
  else if (v.dims && !v.is_array)
    rank = v.dims->size();
  p.set_shape(v.type, rank ? Shape::of_rank(*rank) : Shape::unknown());
}

void GraphReader::set_array_type(const Operation& op, const OutPort& p, const Value& v) {
  const auto x = op.input(program_.is_pir ? "1" : "X");
  if (!x || (op.type != "array_write" && op.type != "write_to_array")) return;
  const Shape element = port(*x).shape();
  if (element.has_rank()) p.set_shape(v.type, Shape::of_rank(element.size() + 1));
}

void GraphReader::define(size_t id, Held held) {
  const auto before = held_.find(id);
  if (before != held_.end() && outer_ == nullptr && !program_.values[id].name.empty())
    for (const OutPort& p : before->second.ports)
      if (held.ports.empty() || p != held.ports.front()) p.set_tensor_names({});
  held_[id] = std::move(held);
}

void GraphReader::define_port(size_t id, const OutPort& p) { define(id, {{p}, false}); }

GraphReader::Held GraphReader::parameter(size_t id) {
  const Value& v = program_.values[id];
  const Node n = graph_.create_const(name_of(id), model_.parameters().value(id));
  if (outer_ == nullptr) n.out_port().set_tensor_names({v.name});
  return {{n.out_port()}, false};
}

GraphReader::Held GraphReader::captured(const Held& outside, size_t id) {
  Held inside{{}, outside.is_empty_array};
  for (const OutPort& from : outside.ports) {
    if (const auto value = from.value()) {
      inside.ports.push_back(graph_.create_const(name_of(id), *value).out_port());
      continue;
    }
    const auto same =
        std::find_if(captures_.begin(), captures_.end(), [&](const Capture& c) { return c.outside == from; });
    if (same != captures_.end()) {
      inside.ports.push_back(same->inside);
      continue;
    }
    const Node p = graph_.create_node("Parameter", "opset1", text(name_of(id), "/captured"));
    if (from.type() != ElementType::unknown) p.set("element_type", from.type());
    const Shape s = from.shape();
    p.out_port().set_shape(from.type(), s.has_rank() ? Shape::of_rank(s.size()) : s);
    captures_.push_back({from, p.out_port()});
    inside.ports.push_back(p.out_port());
  }
  return inside;
}

const GraphReader::Held* GraphReader::find(size_t id) {
  if (const auto found = held_.find(id); found != held_.end()) return &found->second;
  if (outer_ != nullptr) {
    const Held* outside = outer_->find(id);
    if (outside == nullptr) return nullptr;
    return &(held_[id] = captured(*outside, id));
  }
  // Nothing makes an array of ProgramDesc before it is written.
  if (!program_.is_pir && program_.values[id].is_array) return &(held_[id] = {{}, true});
  if (!program_.values[id].is_parameter) return nullptr;
  return &(held_[id] = parameter(id));
}

const GraphReader::Held& GraphReader::get(size_t id) {
  const Held* held = find(id);
  require(held != nullptr, "it reads '",
          program_.values[id].name.empty() ? text("%", program_.values[id].number) : program_.values[id].name,
          "', which no operator before it writes, and which is neither an input nor a parameter");
  return *held;
}

OutPort GraphReader::port(size_t id) {
  const Held& held = get(id);
  require(held.ports.size() == 1, "it reads a list of ", held.ports.size(), " tensors, expected one");
  return held.ports.front();
}

void GraphReader::add_inputs(const Block& block) {
  std::vector<const Operation*> feeds;
  for (const Operation& op : block.operations)
    if (op.type == "feed" || (program_.is_pir && op.type == "data")) feeds.push_back(&op);
  if (!program_.is_pir)
    std::stable_sort(feeds.begin(), feeds.end(), [](const Operation* a, const Operation* b) {
      return a->integer("col", 0) < b->integer("col", 0);
    });
  for (const Operation* op : feeds) {
    const auto id = op->output(program_.is_pir ? "0" : "Out");
    require(id.has_value(), describe(program_, *op), " makes nothing");
    const Value& v = program_.values[*id];
    require(v.type != ElementType::unknown, "input '", v.name, "' is of type ", v.type_name,
            ", which the IR does not have");
    const std::string* given = text_attribute(*op, "name");
    const std::string name = given != nullptr && program_.is_pir ? *given : name_of(*id);
    mo_node_init init{};
    init.op = str("Parameter");
    init.opset = str("opset1");
    init.name = str(name);
    init.n_outputs = 1;
    init.native = model_.add_node(*op, {}, {"Out"});
    const Node n = graph_.create_node(init);
    const Shape shape = shape_of(v);
    n.set("element_type", v.type).set("shape", shape);
    n.out_port().set_shape(v.type, shape);
    n.out_port().set_tensor_names({name});
    define_port(*id, n.out_port());
  }
}

void GraphReader::add_results(const Block& block) {
  std::vector<const Operation*> fetches;
  for (const Operation& op : block.operations)
    if (op.type == "fetch") fetches.push_back(&op);
  std::stable_sort(fetches.begin(), fetches.end(), [](const Operation* a, const Operation* b) {
    return a->integer("col", 0) < b->integer("col", 0);
  });
  require(!fetches.empty(), "the program has no outputs: it has no operator 'fetch'",
          hint("it may be the program of a training; export it with paddle.static.save_inference_model"));
  for (const Operation* op : fetches) {
    const auto id = op->input(program_.is_pir ? "0" : "X");
    require(id.has_value(), "an operator 'fetch' reads nothing");
    OutPort p;
    try {
      p = port(*id);
    } catch (const Error& e) {
      fail("output ", op->integer("col", 0), ": ", e.what());
    }
    if (const std::string* name = text_attribute(*op, "name"); name != nullptr && program_.is_pir) {
      auto names = p.tensor_names();
      names.push_back(*name);
      p.set_tensor_names(names);
    }
    const std::string name =
        p.node().out_count() > 1 ? text(p.node().name(), '.', p.index()) : p.node().name();
    graph_.create_node("Result", "opset1", text(name, "/sink_port_0"), {p}, 0);
  }
}

void GraphReader::read_main() {
  const Block& block = program_.blocks.front();
  add_inputs(block);
  add_operations(block);
  add_results(block);
}

void GraphReader::add_operations(const Block& block) {
  model_.charge(block);
  for (size_t i = 0; i < block.operations.size(); ++i) {
    try {
      add_operation(block, i);
    } catch (const Error& e) {
      throw Error(text(describe(program_, block.operations[i]), ": ", e.what()), e.status(), e.where(),
                  e.said());
    }
  }
}

void GraphReader::add_operation(const Block& block, size_t number) {
  const Operation& op = block.operations[number];
  if (op.type == "feed" || op.type == "fetch" || op.type == "yield" || (program_.is_pir && op.type == "data"))
    return;
  if (add_control_flow(block, number) || add_wiring(op) || add_array(op) || add_constant(op)) return;
  add_native(op);
}

bool GraphReader::add_wiring(const Operation& op) {
  if (!program_.is_pir) return false;
  if (op.type == "parameter") {
    const Value& v = program_.values[op.outputs.front().values.front()];
    if (v.is_parameter) (void)get(op.outputs.front().values.front());
    return true;
  }
  if (op.type == "combine") {
    Held list;
    for (const Slot& s : op.inputs) list.ports.push_back(port(s.values.front()));
    define(op.output("0").value(), std::move(list));
    return true;
  }
  if (op.type == "split" && op.inputs.size() == 1 && program_.values[op.inputs[0].values[0]].is_list) {
    const Ports ports = get(op.inputs[0].values[0]).ports;
    require(ports.size() == op.outputs.size(), "it takes ", op.outputs.size(), " tensors from a list of ",
            ports.size());
    for (size_t i = 0; i < ports.size(); ++i) define_port(op.outputs[i].values.front(), ports[i]);
    return true;
  }
  return false;
}

// Lists that attributes have become in PIR, and small fills: other operators want to know them.
bool GraphReader::add_constant(const Operation& op) {
  const bool fills = op.type == "full" || op.type == "fill_constant", lists = op.type == "full_int_array";
  const bool assigns = op.type == "assign_value";
  if (!fills && !lists && !assigns) return false;
  if (op.outputs.size() != 1 || op.outputs[0].values.size() != 1) return false;
  if (!assigns && has_operands(op)) return false;
  const ElementType type = type_attribute(op);
  if (type == ElementType::unknown) return false;
  std::vector<double> values;
  std::optional<Ints> exact;  // integers that are too large for doubles
  Ints dims;
  if (lists) {
    exact = ints_attribute(op, "value");
    if (!exact) return false;
    dims = {static_cast<int64_t>(exact->size())};
  } else {
    auto shape = ints_attribute(op, "shape");
    if (!shape) return false;
    dims = std::move(*shape);
  }
  int64_t count = 1;
  for (const int64_t d : dims)
    if (d < 0 || __builtin_mul_overflow(count, d, &count)) return false;
  if (assigns) {
    for (const char* key :
         {"values", "fp32_values", "fp64_values", "int32_values", "int64_values", "bool_values"}) {
      const Attribute* a = op.find(key);
      if (a == nullptr) continue;
      if (const auto* ints = std::get_if<Ints>(a); ints != nullptr && !ints->empty())
        exact = *ints;
      else
        values = numbers_of(*a);
      if (exact || !values.empty()) break;
    }
    const size_t have = exact ? exact->size() : values.size();
    require(static_cast<int64_t>(have) == count, "it has ", have, " values for a shape of ", count);
  } else if (fills) {
    if (count > most_filled) return false;
    double value = 0;
    const std::string* written = text_attribute(op, "str_value");
    if (written != nullptr && !written->empty()) {
      char* end = nullptr;
      value = std::strtod(written->c_str(), &end);
      require(*end == '\0', "attribute 'str_value' is '", *written, "', which is no number");
      if (is_integer(type))
        exact = Ints(static_cast<size_t>(count), std::strtoll(written->c_str(), nullptr, 10));
    } else if (const Attribute* a = op.find("value")) {
      const auto numbers = numbers_of(*a);
      require(numbers.size() == 1, "attribute 'value' is no number");
      value = numbers.front();
    }
    values.assign(static_cast<size_t>(count), value);
  }
  Tensor t;
  if (exact && type == ElementType::i64)
    t = Tensor::of<int64_t>(c_, *exact, dims);
  else
    t = Tensor::filled(c_, type, exact ? std::vector<double>(exact->begin(), exact->end()) : values, dims);
  const size_t id = op.outputs[0].values[0];
  const Node n = graph_.create_const(node_name(op), t, model_.add_node(op, {}, {op.outputs[0].name}));
  if (outer_ == nullptr && !program_.values[id].name.empty())
    n.out_port().set_tensor_names({program_.values[id].name});
  define_port(id, n.out_port());
  return true;
}

// Arrays are written in place: what is read later is the array as it is then.
bool GraphReader::add_array(const Operation& op) {
  if (op.type == "create_array") {
    define(op.output("0").value(), {{}, true});
    return true;
  }
  if (op.type == "array_write") {
    add_native(op);
    const auto array = op.input("0");
    require(array.has_value(), "it has no array");
    define(*array, get(op.output("0").value()));
    return true;
  }
  return false;
}

void GraphReader::add_native(const Operation& op) {
  std::vector<mo_port> inputs;
  std::vector<std::string> input_slots, output_slots;
  const auto add = [&](const std::string& slot, const Held& held) {
    for (const OutPort& p : held.ports) {
      inputs.push_back(p.abi());
      input_slots.push_back(slot);
    }
  };
  for (const Slot& s : op.inputs)
    for (const size_t id : s.values)
      if (!program_.values[id].is_state) add(s.name, get(id));
  if (op.type == "write_to_array")
    if (const auto array = op.output("Out"))
      if (const Held* held = find(*array)) add("Array", *held);
  uint32_t outputs = 0;
  for (const Slot& s : op.outputs)
    for (const size_t id : s.values)
      for (size_t i = 0; i < program_.values[id].members; ++i, ++outputs) output_slots.push_back(s.name);
  const std::string name = node_name(op);
  mo_node_init init{};
  init.op = str(op.type);
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = outputs;
  init.native = model_.add_node(op, std::move(input_slots), std::move(output_slots));
  const Node n = graph_.create_node(init);
  uint32_t at = 0;
  for (const Slot& s : op.outputs)
    for (const size_t id : s.values) {
      const Value& v = program_.values[id];
      Held made;
      for (size_t i = 0; i < v.members; ++i) {
        const OutPort p(c_, n.id(), at++);
        set_type(p, v, i);
        if (v.is_array) set_array_type(op, p, v);
        made.ports.push_back(p);
      }
      if (outer_ == nullptr && !v.name.empty() && !made.ports.empty()) {
        if (const auto before = held_.find(id); before != held_.end())
          for (const OutPort& p : before->second.ports) p.set_tensor_names({});
        made.ports.front().set_tensor_names({v.name});
      }
      define(id, std::move(made));
    }
}

}  // namespace mo::paddle
