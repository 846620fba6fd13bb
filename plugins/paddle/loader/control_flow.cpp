// Operators that run other blocks: if and while of PIR, conditional blocks and while of ProgramDesc.
#include "loader/graph_reader.hpp"

#include <algorithm>

namespace mo::paddle {

struct GraphReader::Body {
  Graph graph;
  std::unique_ptr<GraphReader> reader;
};

struct GraphReader::Loop {
  std::unique_ptr<Body> body;
  OutPort first, next;      // conditions
  std::vector<size_t> ids;  // of outside, that hold the states in the end
  Ports initial, parameters, results;
};

std::unique_ptr<GraphReader::Body> GraphReader::begin_body(std::string_view name) {
  require(depth_ < PaddleModel::deepest_block, "blocks are nested deeper than ", PaddleModel::deepest_block,
          " levels");
  auto body = std::make_unique<Body>(Body{graph_.create_sub_graph(name), nullptr});
  body->reader = std::make_unique<GraphReader>(c_, model_, body->graph, this, text(name, '/'));
  return body;
}

const Block& GraphReader::block_of(const Operation& op, size_t i) const {
  require(i < op.blocks.size(), "it has ", op.blocks.size(), " blocks");
  return program_.blocks[op.blocks[i]];
}

void GraphReader::read_block(const Block& block) { add_operations(block); }

GraphReader::Ports GraphReader::yields(const Block& block) {
  Ports ports;
  if (block.operations.empty() || block.operations.back().type != "yield") return ports;
  for (const Slot& s : block.operations.back().inputs) ports.push_back(port(s.values.front()));
  return ports;
}

void GraphReader::find_written(const Block& block, std::vector<size_t>& all, int depth) const {
  require(depth < PaddleModel::deepest_block, "blocks are nested deeper than ", PaddleModel::deepest_block,
          " levels, or run one another");
  const auto add = [&](size_t id) {
    if (std::find(all.begin(), all.end(), id) == all.end()) all.push_back(id);
  };
  for (const Operation& op : block.operations) {
    for (const Slot& s : op.outputs) std::for_each(s.values.begin(), s.values.end(), add);
    if (op.type == "array_write")
      if (const auto array = op.input("0")) add(*array);
    for (const size_t b : op.blocks) find_written(program_.blocks[b], all, depth + 1);
  }
}

std::vector<size_t> GraphReader::written_outside(const Block& block) {
  std::vector<size_t> all, outside;
  find_written(block, all, 0);
  for (const size_t id : all)
    if (const Held* held = find(id); held != nullptr && (held->ports.size() == 1 || held->is_empty_array))
      outside.push_back(id);
  return outside;
}

const Value* GraphReader::element_of_array(size_t id, const Block& block, int depth) const {
  require(depth < PaddleModel::deepest_block, "blocks are nested too deep");
  for (const Operation& op : block.operations) {
    const bool pir = op.type == "array_write" && op.input("0") == id;
    const bool old = op.type == "write_to_array" && op.output("Out") == id;
    if (pir || old)
      if (const auto x = op.input(pir ? "1" : "X")) return &program_.values[*x];
    for (const size_t b : op.blocks)
      if (const Value* v = element_of_array(id, program_.blocks[b], depth + 1)) return v;
  }
  return nullptr;
}

OutPort GraphReader::initial(size_t id, const Block& body) {
  const Held& held = get(id);
  if (!held.is_empty_array) return port(id);
  const Value* element = element_of_array(id, body, 0);
  require(element != nullptr && element->dims.has_value(),
          "an array is empty in the beginning, and what its loop writes into it has no shape");
  Ints dims{0};
  for (const int64_t d : *element->dims) {
    require(d >= 0, "an array is empty in the beginning, and what its loop writes into it is of open shape ",
            *element->dims, hint("export the program with fixed input shapes"));
    dims.push_back(d);
  }
  return graph_.create_const(text(name_of(id), "/empty"), Tensor::create_bytes(c_, element->type, dims).first)
      .out_port();
}

bool GraphReader::add_control_flow(const Block& block, size_t number) {
  const Operation& op = block.operations[number];
  if (done_.count(number) != 0) return true;
  if (op.type == "if" && !op.blocks.empty())
    add_if(op);
  else if (op.type == "while" && !op.blocks.empty())
    program_.is_pir ? add_while(op) : add_while_block(op);
  else if (op.type == "conditional_block" && !op.blocks.empty())
    add_conditional_block(block, number);
  else if (op.type == "select_input")
    add_select(op);
  else
    return false;
  return true;
}

GraphReader::Ports GraphReader::make_if(const std::string& name, const OutPort& condition, Branch& yes,
                                        Branch& no) {
  std::vector<OutPort> inputs{condition};
  for (const Branch* b : {&yes, &no})
    for (const Capture& c : b->body->reader->captures_) inputs.push_back(c.outside);
  const Node n = graph_.create_node("If", "opset8", name, inputs, static_cast<uint32_t>(yes.results.size()));
  size_t before = 1;
  for (const Branch* b : {&yes, &no}) {
    BodyBuilder side(b->body->graph, std::vector<OutPort>(before));
    for (const Capture& c : b->body->reader->captures_) side.take(c.inside, {});
    for (size_t i = 0; i < b->results.size(); ++i)
      side.out(text("result_", i), b->results[i], static_cast<int64_t>(i));
    side.set(n, b == &yes ? "then_" : "else_");
    before += b->body->reader->captures_.size();
  }
  Ports ports = n.out_ports();
  for (size_t i = 0; i < ports.size(); ++i) {
    const OutPort a = yes.results[i], z = no.results[i];
    const Shape s = a.shape(), other = z.shape();
    const bool same = s.has_rank() && other.has_rank() && s.size() == other.size();
    ports[i].set_shape(a.type(), same ? Shape::of_rank(s.size()) : Shape::unknown());
  }
  return ports;
}

void GraphReader::add_if(const Operation& op) {
  const std::string name = node_name(op);
  require(op.blocks.size() == 2, "it has ", op.blocks.size(), " branches, expected 2");
  const auto condition = op.input("0");
  require(condition.has_value(), "it has no condition");
  std::vector<size_t> changed;
  for (size_t k = 0; k < 2; ++k)
    for (const size_t id : written_outside(block_of(op, k)))
      if (std::find(changed.begin(), changed.end(), id) == changed.end()) changed.push_back(id);
  std::vector<Branch> branches;
  for (size_t k = 0; k < 2; ++k) {
    Branch b{begin_body(text(name, k == 0 ? "/then" : "/else")), {}};
    b.body->reader->read_block(block_of(op, k));
    b.results = b.body->reader->yields(block_of(op, k));
    require(b.results.size() == op.outputs.size(), "a branch gives ", b.results.size(), " values, expected ",
            op.outputs.size());
    for (const size_t id : changed) b.results.push_back(b.body->reader->port(id));
    branches.push_back(std::move(b));
  }
  const Ports ports = make_if(name, port(*condition), branches[0], branches[1]);
  for (size_t i = 0; i < op.outputs.size(); ++i) define_port(op.outputs[i].values.front(), ports[i]);
  for (size_t i = 0; i < changed.size(); ++i) define_port(changed[i], ports[op.outputs.size() + i]);
}

void GraphReader::finish_loop(Loop& loop, const std::string& name) {
  const OutPort limit = graph_.create_int(text(name, "/limit"), -1).out_port();
  BodyBuilder body(loop.body->graph, {limit, loop.first});
  body.condition(loop.next);
  for (size_t i = 0; i < loop.parameters.size(); ++i) {
    body.take(loop.parameters[i], loop.initial[i]);
    body.next(body.out(text("result_", i), loop.results[i], static_cast<int64_t>(i)), loop.parameters[i]);
  }
  for (const Capture& c : loop.body->reader->captures_) body.take(c.inside, c.outside);
  const Node n =
      graph_.create_node("Loop", "opset5", name, body.inputs(), static_cast<uint32_t>(loop.ids.size()));
  body.set(n);
  for (size_t i = 0; i < loop.ids.size(); ++i) {
    const OutPort p = n.out_port(i);
    const Shape s = loop.initial[i].shape();
    p.set_shape(loop.initial[i].type(), s.has_rank() ? Shape::of_rank(s.size()) : s);
    if (outer_ == nullptr && !program_.values[loop.ids[i]].name.empty()) {
      if (const auto before = held_.find(loop.ids[i]); before != held_.end())
        for (const OutPort& port : before->second.ports)
          if (port.node().op() != "Parameter") port.set_tensor_names({});
    }
    held_[loop.ids[i]] = {{p}, false};
  }
}

static OutPort loop_parameter(const Graph& g, std::string_view name, const OutPort& from) {
  const Node p = g.create_node("Parameter", "opset1", name);
  if (from.type() != ElementType::unknown) p.set("element_type", from.type());
  const Shape s = from.shape();
  p.out_port().set_shape(from.type(), s.has_rank() ? Shape::of_rank(s.size()) : s);
  return p.out_port();
}

void GraphReader::add_while(const Operation& op) {
  const std::string name = node_name(op);
  const Block& block = block_of(op, 0);
  require(op.inputs.size() == block.arguments.size() + 1 && op.outputs.size() == block.arguments.size(),
          "it has ", op.inputs.size(), " operands and ", op.outputs.size(), " results for ",
          block.arguments.size(), " arguments of its block");
  Loop loop{begin_body(text(name, "/body")), port(op.inputs[0].values.front()), {}, {}, {}, {}, {}};
  GraphReader& inside = *loop.body->reader;
  const size_t count = block.arguments.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t id = op.inputs[i + 1].values.front();
    loop.initial.push_back(initial(id, block));
    loop.ids.push_back(op.outputs[i].values.front());
    loop.parameters.push_back(loop_parameter(loop.body->graph, text("state_", i), loop.initial.back()));
    inside.define_port(block.arguments[i], loop.parameters.back());
  }
  // Arrays that it writes into.
  const std::vector<size_t> arrays = written_outside(block);
  for (const size_t id : arrays) {
    loop.initial.push_back(initial(id, block));
    loop.ids.push_back(id);
    loop.parameters.push_back(loop_parameter(loop.body->graph, text("array_", id), loop.initial.back()));
    inside.define_port(id, loop.parameters.back());
  }
  inside.read_block(block);
  Ports next = inside.yields(block);
  require(next.size() == count + 1, "its block gives ", next.size(), " values, expected ", count + 1);
  loop.next = next.front();
  loop.results.assign(next.begin() + 1, next.end());
  for (const size_t id : arrays) loop.results.push_back(inside.port(id));
  finish_loop(loop, name);
}

void GraphReader::add_while_block(const Operation& op) {
  const std::string name = text(prefix_, "while_", op.place);
  const Block& block = block_of(op, 0);
  const auto condition = op.input("Condition");
  require(condition.has_value(), "it has no condition");
  Loop loop{begin_body(text(name, "/body")), port(*condition), {}, {}, {}, {}, {}};
  GraphReader& inside = *loop.body->reader;
  loop.ids = written_outside(block);
  for (const size_t id : loop.ids) {
    loop.initial.push_back(initial(id, block));
    loop.parameters.push_back(loop_parameter(loop.body->graph, text("state_", id), loop.initial.back()));
    inside.define_port(id, loop.parameters.back());
  }
  inside.read_block(block);
  for (const size_t id : loop.ids) loop.results.push_back(inside.port(id));
  loop.next = inside.port(*condition);
  finish_loop(loop, name);
}

OutPort GraphReader::placeholder(const Value& v) {
  const Ints dims(v.dims ? v.dims->size() : 0, 1);
  const ElementType type = v.type == ElementType::unknown ? ElementType::f32 : v.type;
  return graph_.create_const("nothing", Tensor::create_bytes(c_, type, dims).first).out_port();
}

// A choice is two blocks with opposite conditions, and a selection for each result; a block alone changes
// variables, or leaves them as they are.
void GraphReader::add_conditional_block(const Block& block, size_t number) {
  const Operation& op = block.operations[number];
  const auto condition = op.input("Cond");
  require(condition.has_value(), "it has no condition");
  const auto writer = [&](std::optional<size_t> id) -> const Operation* {
    for (size_t i = block.operations.size(); id && i-- > 0;)
      for (const Slot& s : block.operations[i].outputs)
        if (std::find(s.values.begin(), s.values.end(), *id) != s.values.end()) return &block.operations[i];
    return nullptr;
  };
  const auto writes = [](const Operation& o, size_t id) {
    const auto in = [id](const Slot& s) {
      return std::find(s.values.begin(), s.values.end(), id) != s.values.end();
    };
    return std::any_of(o.outputs.begin(), o.outputs.end(), in);
  };
  std::optional<size_t> other;
  for (size_t i = number + 1; i < block.operations.size() && !other; ++i) {
    const Operation& next = block.operations[i];
    if (next.type != "conditional_block" || next.blocks.empty()) continue;
    const Operation* opposite = writer(next.input("Cond"));
    if (opposite != nullptr && opposite->type == "logical_not" && opposite->input("X") == condition)
      other = i;
  }
  std::vector<size_t> selects;
  for (size_t i = other.value_or(block.operations.size()); i < block.operations.size(); ++i) {
    const Operation& next = block.operations[i];
    if (next.type != "select_input") continue;
    for (const Slot& s : next.inputs)
      if (s.name == "X" && s.values.size() == 2 && writes(block.operations[*other], s.values[0]) &&
          writes(op, s.values[1]))
        selects.push_back(i);
  }
  const std::string name = node_name(op);
  std::vector<size_t> changed = written_outside(block_of(op, 0));
  if (selects.empty()) {
    for (const Slot& s : op.outputs)
      for (const size_t id : s.values)
        if (s.name == "Out" && std::find(changed.begin(), changed.end(), id) == changed.end())
          changed.push_back(id);
    Branch yes{begin_body(text(name, "/then")), {}}, no{begin_body(text(name, "/else")), {}};
    yes.body->reader->read_block(block_of(op, 0));
    std::vector<size_t> ids;
    for (const size_t id : changed) {
      if (yes.body->reader->find(id) == nullptr) continue;
      yes.results.push_back(yes.body->reader->port(id));
      no.results.push_back(find(id) != nullptr ? no.body->reader->port(id)
                                               : no.body->reader->placeholder(program_.values[id]));
      ids.push_back(id);
    }
    const Ports ports = make_if(name, port(*condition), yes, no);
    for (size_t i = 0; i < ids.size(); ++i) define_port(ids[i], ports[i]);
    return;
  }
  // What stands between the two blocks does not read their results.
  const Operation& otherwise = block.operations[*other];
  for (const size_t id : written_outside(block_of(otherwise, 0)))
    if (std::find(changed.begin(), changed.end(), id) == changed.end()) changed.push_back(id);
  Branch yes{begin_body(text(name, "/then")), {}}, no{begin_body(text(name, "/else")), {}};
  yes.body->reader->read_block(block_of(op, 0));
  no.body->reader->read_block(block_of(otherwise, 0));
  std::vector<size_t> ids;
  for (const size_t i : selects)
    for (const Slot& s : block.operations[i].inputs) {
      if (s.name != "X") continue;
      no.results.push_back(no.body->reader->port(s.values[0]));
      yes.results.push_back(yes.body->reader->port(s.values[1]));
      const auto out = block.operations[i].output("Out");
      require(out.has_value(), "a selection of its results has no output");
      ids.push_back(*out);
      done_[i] = true;
    }
  for (const size_t id : changed) {
    yes.results.push_back(yes.body->reader->port(id));
    no.results.push_back(no.body->reader->port(id));
    ids.push_back(id);
  }
  done_[*other] = true;
  const Ports ports = make_if(name, port(*condition), yes, no);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (outer_ == nullptr) ports[i].set_tensor_names({program_.values[ids[i]].name});
    define_port(ids[i], ports[i]);
  }
}

// One of two values that are there already.
void GraphReader::add_select(const Operation& op) {
  const auto mask = op.input("Mask"), out = op.output("Out");
  require(mask && out, "it has no mask or no output");
  std::vector<size_t> values;
  for (const Slot& s : op.inputs)
    if (s.name == "X") values = s.values;
  require(values.size() == 2, "it selects from ", values.size(), " values, expected 2");
  const std::string name = node_name(op);
  Branch yes{begin_body(text(name, "/then")), {}}, no{begin_body(text(name, "/else")), {}};
  no.results.push_back(no.body->reader->port(values[0]));
  yes.results.push_back(yes.body->reader->port(values[1]));
  const Node condition = graph_.create_node("Convert", "opset1", text(name, "/condition"), {port(*mask)});
  condition.set("destination_type", ElementType::boolean);
  define_port(*out, make_if(name, condition.out_port(), yes, no).front());
}

}  // namespace mo::paddle
