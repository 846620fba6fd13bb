#include <mo/value.hpp>

#include "core/infer/infer.hpp"
#include "core/support/contains.hpp"

namespace mo::core {

const Operation* operation_of(const Session& session, const Graph& g, NodeId n) {
  const NodeRecord& r = g.node(n);
  return r.opset == 0 ? nullptr : session.registry().operation(r.op, r.opset);
}

namespace {

// Kinds that read as one another: see mo/value.hpp.
bool kind_fits(int32_t has, int32_t wanted, const Attribute& value) {
  if (has == wanted) return true;
  if (wanted == MO_VALUE_FLOAT || wanted == MO_VALUE_BOOL) return has == MO_VALUE_INT;
  if (wanted == MO_VALUE_INT) return has == MO_VALUE_BOOL;
  if (wanted == MO_VALUE_STRING) return has == MO_VALUE_BYTES;
  if (wanted == MO_VALUE_FLOATS && has == MO_VALUE_INTS) return true;
  // An empty list has no kind of its own.
  if (wanted >= MO_VALUE_INTS && has >= MO_VALUE_INTS)
    return std::visit(
        [](const auto& v) {
          if constexpr (requires { v.empty(); })
            return v.empty();
          else
            return false;
        },
        value);
  return false;
}

void check_attribute(const AttributeDef& d, const Attribute* value, std::vector<std::string>& problems) {
  if (value == nullptr) {
    if (d.required)
      problems.push_back(text("required attribute '", d.name, "' (", kind_name(d.kind), ") is missing"));
    return;
  }
  const int32_t kind = kind_of(*value);
  if (!kind_fits(kind, d.kind, *value)) {
    problems.push_back(
        text("attribute '", d.name, "' is ", kind_name(kind), ", expected ", kind_name(d.kind)));
    return;
  }
  const auto* s = std::get_if<std::string>(value);
  if (s == nullptr || d.allowed.empty() || contains(d.allowed, *s)) return;
  problems.push_back(text("attribute '", d.name, "' is '", *s, "', expected one of ", d.allowed));
}

std::string input_name(const Operation& op, size_t i) {
  const PortDef* p = op.input(i);
  return p == nullptr || p->name.empty() ? text("input ", i) : text("input ", i, " ('", p->name, "')");
}

std::string types_text(uint64_t types) {
  const auto is = [&](auto fits) {
    return std::all_of(element_types.begin() + 1, element_types.end(), [&](const auto& e) {
      return (types >> static_cast<unsigned>(e.type) & 1) == (fits(e.type) ? 1 : 0);
    });
  };
  if (is([](ElementType t) { return is_float(t); })) return "a floating-point type";
  if (is([](ElementType t) { return is_integer(t); })) return "an integer type";
  if (is([](ElementType t) { return is_float(t) || is_integer(t); })) return "a number";
  std::string names;
  for (const auto& e : element_types)
    if ((types >> static_cast<unsigned>(e.type) & 1) != 0) names += text(names.empty() ? "" : ", ", e.name);
  return names;
}

std::string range(uint32_t least, uint32_t most) {
  if (least == most) return text(least);
  return most == UINT32_MAX ? text("at least ", least) : text(least, " to ", most);
}

}  // namespace

std::vector<std::string> schema_problems(const Session& session, const Graph& g, NodeId n) {
  std::vector<std::string> problems;
  const Operation* op = operation_of(session, g, n);
  if (op == nullptr) return problems;
  const NodeRecord& r = g.node(n);
  size_t inputs = r.inputs.size();
  while (inputs > 0 && !r.inputs[inputs - 1].source) --inputs;  // optional ones at the end may be left out
  if (inputs < op->min_inputs || inputs > op->max_inputs)
    problems.push_back(text("it has ", inputs, " inputs, expected ", range(op->min_inputs, op->max_inputs)));
  for (size_t i = 0; i < std::min<size_t>(inputs, op->min_inputs); ++i)
    if (!r.inputs[i].source) problems.push_back(text(input_name(*op, i), " is not connected"));
  for (size_t i = 0; i < inputs && !op->inputs.empty(); ++i) {
    if (!r.inputs[i].source || op->input(i)->takes(g.out(r.inputs[i].source).tensor.type)) continue;
    problems.push_back(text(input_name(*op, i), " has element type ",
                            name(g.out(r.inputs[i].source).tensor.type), "; expected ",
                            types_text(op->input(i)->types)));
  }
  if (r.outputs.size() < op->min_outputs || r.outputs.size() > op->max_outputs)
    problems.push_back(
        text("it has ", r.outputs.size(), " outputs, expected ", range(op->min_outputs, op->max_outputs)));
  for (const AttributeDef& d : op->attributes) check_attribute(d, r.attributes.find(d.key), problems);
  return problems;
}

void check_schema(Session& session, const Graph& g) {
  std::string all;
  size_t count = 0;
  for (NodeId n : g.nodes())
    for (const auto& p : schema_problems(session, g, n)) {
      append_text(all, ++count == 1 ? "" : "\n");
      append_text(all, describe(g, n));
      append_text(all, ": ");
      append_text(all, p);
    }
  if (count != 0)
    throw Failure(Exit::model, "MO0502", text(count, " problems with operations")).with("nodes", all);
}

}  // namespace mo::core
