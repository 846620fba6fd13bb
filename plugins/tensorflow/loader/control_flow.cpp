#include "loader/control_flow.hpp"

#include "loader/encode.hpp"
#include "loader/flow.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace mo::tensorflow {

namespace {

using Types = std::vector<DataType>;

// Of a TensorProto with one element, or with one that stands for all.
std::optional<bool> boolean(Bytes tensor) {
  std::vector<uint64_t> values;
  Bytes content;
  DataType type = DataType::invalid;
  for (const wire::Field& f : wire::Message(tensor)) {
    if (f.number == field::tensor::dtype) type = data_type(f.integer());
    if (f.number == field::tensor::content) content = f.bytes();
    if (f.number == field::tensor::bool_val) wire::append_integers(f, values);
  }
  if (type != DataType::boolean || content.size() > 1 || values.size() > 1) return std::nullopt;
  return content.empty() ? !values.empty() && values[0] != 0 : content[0] != 0;
}

class Translation {
 public:
  Translation(TensorflowModel& model, const Scope& scope, const Body& from)
      : model_(model), scope_(scope), from_(from) {}

  FlowGraph flow() const {
    FlowGraph g;
    g.nodes.resize(from_.nodes.size());
    for (size_t i = 0; i < from_.nodes.size(); ++i) {
      const NodeDef& n = from_.nodes[i];
      FlowNode& f = g.nodes[i];
      f.name = n.name;
      f.op = n.op;
      f.origin = i;
      for (const Source& s : n.inputs) f.inputs.push_back({s.node, s.output});
      f.controls.assign(n.controls.begin(), n.controls.end());
      if (n.op == "Enter" || n.op == "RefEnter") f.frame = Attributes(model_, n, scope_).text("frame_name");
    }
    for (const uint32_t a : from_.arguments) g.arguments.push_back(a);
    for (const Body::Output& o : from_.outputs) g.results.push_back({o.from.node, o.from.output});
    return g;
  }

  std::optional<bool> known_boolean(const FlowNode& f) const {
    if (f.op != "Const" || f.origin == FlowNode::made) return std::nullopt;
    const auto value = model_.attribute(from_.nodes[f.origin], "value", scope_);
    if (!value) return std::nullopt;
    const AttrValue attribute = parse_attr_value(*value);
    if (attribute.kind != AttrValue::tensor || attribute.messages.size() != 1) return std::nullopt;
    return boolean(attribute.messages[0]);
  }

  Body whole(const FlowGraph& g) { return body(g, {}, true); }

 private:
  // `arguments`: types of the graph's own ones, when it is one that was made.
  Body body(const FlowGraph& g, const Types& arguments, bool whole = false) {
    std::vector<Types> types(g.nodes.size());
    for (size_t i = 0; i < arguments.size(); ++i) types[g.arguments.at(i)] = {arguments[i]};
    std::vector<uint32_t> place(g.nodes.size(), 0);
    Body made;
    // Arguments come first, in their order.
    std::vector<bool> placed(g.nodes.size(), false);
    const auto put = [&](size_t i) {
      if (g.nodes[i].gone || placed[i]) return;
      placed[i] = true;
      place[i] = static_cast<uint32_t>(made.nodes.size());
      made.nodes.emplace_back();
    };
    for (const size_t a : g.arguments) put(a);
    for (size_t i = 0; i < g.nodes.size(); ++i) put(i);
    // Types of nodes that are made follow from those of their inputs.
    const auto order = in_order(g);
    require(!order.empty() || made.nodes.empty(),
            "its nodes read one another in a circle that is not a loop");
    for (const size_t i : order) {
      const FlowNode& f = g.nodes[i];
      NodeDef& n = made.nodes[place[i]];
      if (f.origin != FlowNode::made) {
        n = from_.nodes[f.origin];
        if (types[i].empty()) types[i] = model_.output_types(n, scope_).value_or(Types{});
        if (f.op != n.op) n.op = model_.keep(f.op);
      } else {
        n.name = model_.keep(f.name);
        n.op = model_.keep(f.op == "Placeholder" ? "_Arg" : f.op);
        Types inputs;
        for (const FlowValue& v : f.inputs) inputs.push_back(type(types, v));
        types[i] = complete(n, f, inputs, types[i]);
      }
      n.inputs.clear();
      for (const FlowValue& v : f.inputs) n.inputs.push_back({place[v.node], v.output});
      n.controls.clear();
      for (const size_t c : f.controls)
        if (!g.nodes[c].gone) n.controls.push_back(place[c]);
    }
    for (const size_t a : g.arguments) made.arguments.push_back(place[a]);
    results_.clear();
    for (size_t i = 0; i < g.results.size(); ++i) {
      const FlowValue v = g.results[i];
      const std::string_view name = whole ? from_.outputs[i].name : model_.keep(text("result_", i));
      made.outputs.push_back({name, {place[v.node], v.output}});
      results_.push_back(type(types, v));
    }
    return made;
  }

  static DataType type(const std::vector<Types>& types, FlowValue v) {
    return v.output < types[v.node].size() ? types[v.node][v.output] : DataType::invalid;
  }
  void set_type(NodeDef& n, std::string_view name, DataType t) {
    if (t == DataType::invalid) return;
    n.made.emplace_back(name, model_.keep(encode::integer(field::attr::type, static_cast<uint64_t>(t))));
  }
  void set_types(NodeDef& n, std::string_view name, const Types& list) {
    std::string packed;
    for (const DataType t : list) encode::put_varint(packed, static_cast<uint64_t>(t));
    const std::string value = encode::bytes(field::attr::type, packed);
    n.made.emplace_back(name, model_.keep(encode::bytes(field::attr::list, value)));
  }
  // Attributes and bodies of a node that was made; returns the types of its outputs.
  Types complete(NodeDef& n, const FlowNode& f, const Types& inputs, Types known) {
    if (f.bodies.empty()) {
      if (!known.empty()) set_type(n, "T", known[0]);
      return known;
    }
    if (f.op == "While") {
      n.bodies.emplace_back("cond", model_.add_body(body(f.bodies[0], inputs)));
      n.bodies.emplace_back("body", model_.add_body(body(f.bodies[1], inputs)));
      set_types(n, "T", inputs);
      return inputs;
    }
    const Types arguments(inputs.begin() + 1, inputs.end());
    n.bodies.emplace_back("else_branch", model_.add_body(body(f.bodies[1], arguments)));
    const Types others = results_;
    n.bodies.emplace_back("then_branch", model_.add_body(body(f.bodies[0], arguments)));
    Types outputs = results_;
    for (size_t i = 0; i < outputs.size() && i < others.size(); ++i)
      if (outputs[i] == DataType::invalid) outputs[i] = others[i];
    set_types(n, "Tin", arguments);
    set_types(n, "Tout", outputs);
    set_type(n, "Tcond", inputs[0]);
    return outputs;
  }

  TensorflowModel& model_;
  const Scope& scope_;
  const Body& from_;
  Types results_;  // of the body made last
};

}  // namespace

void lower_control_flow(TensorflowModel& model, const Scope& scope, Body& body) {
  const bool any = std::any_of(body.nodes.begin(), body.nodes.end(), [](const NodeDef& n) {
    return n.op == "Switch" || n.op == "RefSwitch" || n.op == "Merge" || n.op == "RefMerge" ||
           n.op == "Enter" || n.op == "RefEnter";
  });
  if (!any) return;
  const Body from = std::move(body);
  Translation t(model, scope, from);
  FlowGraph g = t.flow();
  make_functional(g, [&](const FlowNode& n) { return t.known_boolean(n); });
  body = t.whole(g);
}

}  // namespace mo::tensorflow
