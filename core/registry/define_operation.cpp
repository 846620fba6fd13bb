#include <mo/value.hpp>

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

namespace {

constexpr uint32_t known_operation_flags = MO_OP_SHAPE_SOURCE | MO_OP_NO_FOLD | MO_OP_SINK |
                                           MO_OP_ELEMENT_WISE | MO_OP_COMMUTATIVE | MO_OP_KEEPS_SHAPE |
                                           MO_OP_CHANNELS_FIRST;

void check_default(Check& check, const mo_attr_def& d, AttributeDef& a, Session& session) {
  constexpr std::string_view field = "fallback";
  if (!check.that(d.required == 0, Rule::default_of_required, field, "set",
                  "NULL, as the attribute is required"))
    return;
  if (!check.that(d.fallback->kind == d.kind, Rule::default_kind, field,
                  text("a value of kind ", kind_name(d.fallback->kind)), kind_name(d.kind)))
    return;
  a.fallback = check.value(field, *d.fallback, session);
  const auto* s = std::get_if<std::string>(&a.fallback);
  if (s != nullptr && !a.allowed.empty())
    check.that(std::find(a.allowed.begin(), a.allowed.end(), *s) != a.allowed.end(),
               Rule::default_not_allowed, field, in_quotes(*s), "one of the allowed values");
}

void check_role(Check& check, const mo_attr_def& d) {
  const bool is_mode = d.role == MO_ROLE_SPREAD;
  if (!is_mode && (d.role < MO_ROLE_PER_DIMENSION || d.role > MO_ROLE_REDUCED_AXES))
    check.that(false, Rule::unknown_value, "role", text(d.role),
               "MO_ROLE_SPREAD, PER_DIMENSION, AXES or REDUCED_AXES");
  else if (is_mode ? d.kind != MO_VALUE_STRING : d.kind != MO_VALUE_INT && d.kind != MO_VALUE_INTS)
    check.that(false, Rule::attribute_role, "role", text(d.role, " of a ", kind_name(d.kind)),
               is_mode ? "a string" : "an integer or a list of integers");
}

AttributeDef read_attribute(Check& check, const mo_attr_def& d, Session& session) {
  static constexpr TextForm allowed_value{"text", nullptr, true};
  AttributeDef a;
  a.name = check.string("name", d.name, form::attribute);
  const std::string ir_name = check.string("ir_name", d.ir_name, form::optional_ir_name);
  a.ir_name = ir_name.empty() ? a.name : ir_name == "-" ? std::string() : ir_name;
  a.key = session.space()->symbols.intern(a.name);
  a.kind = d.kind;
  if ((d.kind < MO_VALUE_INT || d.kind > MO_VALUE_BYTES) &&
      (d.kind < MO_VALUE_INTS || d.kind > MO_VALUE_GRAPHS))
    check.that(false, Rule::unknown_value, "kind", text(d.kind), "a MO_VALUE_ other than MO_VALUE_NONE");
  check.enumeration("required", d.required, 0, 1);
  a.required = d.required != 0;
  check.zero("reserved", d.reserved);
  a.role = d.role;
  if (d.role != MO_ROLE_NONE) check_role(check, d);
  a.allowed = check.strings("allowed", d.allowed, d.n_allowed, allowed_value);
  if (!a.allowed.empty() && d.kind != MO_VALUE_STRING)
    check.that(false, Rule::allowed_of_other_kind, "allowed", text("a list of ", a.allowed.size()),
               text("nothing, as the kind is ", kind_name(d.kind)));
  if (d.fallback != nullptr) check_default(check, d, a, session);
  return a;
}

// Short lists: looking at all pairs is faster than a set.
void check_repeated(Check& check, const std::vector<AttributeDef>& attributes) {
  const auto repeated = [&](std::string AttributeDef::*name, std::string_view what) {
    for (auto a = attributes.begin(); a != attributes.end(); ++a)
      if (!((*a).*name).empty() &&
          std::any_of(attributes.begin(), a, [&](const AttributeDef& b) { return b.*name == (*a).*name; }))
        check.that(false, Rule::attribute_repeated, "attrs",
                   text("a list with two of ", what, " ", in_quotes((*a).*name)), "each name once");
  };
  repeated(&AttributeDef::name, "name");
  repeated(&AttributeDef::ir_name, "IR name");
}

void check_ports(Check& check, std::string_view what, uint32_t least, uint32_t most) {
  if (least > most)
    check.that(false, Rule::port_range, text("min_", what), text(least),
               text("at most max_", what, ", which is ", most));
}

std::vector<PortDef> read_ports(Check& check, std::string_view list, const mo_port_def* items, uint64_t count,
                                uint32_t most) {
  static constexpr uint64_t known_types = (uint64_t{1} << element_types.size()) - 2;
  std::vector<PortDef> ports;
  if (count == 0) return ports;
  if (count > most)
    check.that(false, Rule::port_range, text("n_", list), text(count),
               text("at most max_", list, ", which is ", most));
  const auto given = check.structures(list, items, count);
  ports.reserve(given.size());
  for (const mo_port_def& d : given) {
    const Check::Element element(check, list, ports.size());
    if ((d.types & ~known_types) != 0)
      check.that(false, Rule::unknown_flag, "types", text(d.types), "a bit for each of the MO_ types");
    check.enumeration("role", d.role, MO_ROLE_NONE, list == "outputs" ? MO_ROLE_NONE : MO_ROLE_FIXED);
    check.flags("flags", d.flags, list == "outputs" ? 0 : MO_PORT_TAKES_SIZES);
    ports.push_back({check.string("name", d.name, form::optional_alias), d.types, d.role, d.flags});
  }
  return ports;
}

}  // namespace

Operation read_operation(const mo_operation_def& def, const Plugin& plugin, Session& session) {
  Check check("operation", plugin.abi_minor);
  const mo_operation_def d = check.structure(&def);
  Operation o;
  o.op = check.string("op", d.op, form::op);
  o.opset = check.string("opset", d.opset, form::opset);
  check.about(text("operation ", o.opset, "::", o.op));
  if (!is_operation_set(o.opset) &&
      (o.op == words::parameter || o.op == words::result || o.op == words::constant))
    check.that(false, Rule::type_of_host, "op", in_quotes(o.op),
               "another type: a node of this one would be taken for the host's own");
  o.doc = check.string("doc", d.doc, form::optional_line);
  const auto attributes = check.structures("attrs", d.attrs, d.n_attrs);
  o.attributes.reserve(attributes.size());
  for (const mo_attr_def& a : attributes) {
    const Check::Element element(check, "attrs", o.attributes.size());
    o.attributes.push_back(read_attribute(check, a, session));
  }
  check_repeated(check, o.attributes);
  check_ports(check, "inputs", d.min_inputs, d.max_inputs);
  check_ports(check, "outputs", d.min_outputs, d.max_outputs);
  check.flags("flags", d.flags, known_operation_flags);
  check.zero("reserved", d.reserved);
  o.inputs = read_ports(check, "inputs", d.inputs, d.n_inputs, d.max_inputs);
  o.outputs = read_ports(check, "outputs", d.outputs, d.n_outputs, d.max_outputs);
  check.done();

  o.min_inputs = d.min_inputs;
  o.max_inputs = d.max_inputs;
  o.min_outputs = d.min_outputs;
  o.max_outputs = d.max_outputs;
  o.flags = d.flags;
  adopt(d, o);
  o.infer = thunk<"infer", &mo_operation_def::infer>(d);
  o.evaluate = thunk<"evaluate", &mo_operation_def::evaluate>(d);
  o.ir_attrs = thunk<"ir_attrs", &mo_operation_def::ir_attrs>(d);
  o.symbols = thunk<"symbols", &mo_operation_def::symbols>(d);
  o.release = thunk<"release", &mo_operation_def::release>(d);
  o.plugin = &plugin;
  return o;
}

int32_t Operation::role(size_t input_index) const {
  const PortDef* p = input(input_index);
  if (p != nullptr && p->role != MO_ROLE_NONE) return p->role;
  return (flags & MO_OP_ELEMENT_WISE) != 0 ? MO_ROLE_SPREAD : MO_ROLE_NONE;
}

const mo_operation_def& Operation::abi() const {
  if (abi_view != nullptr) return *abi_view;
  const auto storage = std::make_shared<Scratch>();
  mo_operation_def& d = storage->keep(mo_operation_def{});
  d.size = sizeof d;
  d.op = str(op);
  d.opset = str(opset);
  d.doc = str(doc);
  auto* attrs = storage->array<mo_attr_def>(attributes.size());
  for (size_t i = 0; i < attributes.size(); ++i) {
    const AttributeDef& a = attributes[i];
    auto* allowed = storage->array<mo_str>(a.allowed.size());
    std::transform(a.allowed.begin(), a.allowed.end(), allowed, [](const std::string& s) { return str(s); });
    const bool has_default = !std::holds_alternative<std::monostate>(a.fallback);
    attrs[i] = {sizeof(mo_attr_def),
                str(a.name),
                a.ir_name.empty() ? str("-") : str(a.ir_name),
                has_default ? &storage->keep(to_abi(a.fallback, *storage)) : nullptr,
                allowed,
                a.allowed.size(),
                a.kind,
                a.required ? 1 : 0,
                a.role,
                0};
  }
  const auto ports = [&](const std::vector<PortDef>& list) {
    auto* items = storage->array<mo_port_def>(list.size());
    std::transform(list.begin(), list.end(), items, [](const PortDef& p) {
      return mo_port_def{sizeof(mo_port_def), str(p.name), p.types, p.role, p.flags};
    });
    return items;
  };
  d.attrs = attrs;
  d.n_attrs = attributes.size();
  d.min_inputs = min_inputs;
  d.max_inputs = max_inputs;
  d.min_outputs = min_outputs;
  d.max_outputs = max_outputs;
  d.flags = flags;
  d.inputs = ports(inputs);
  d.n_inputs = inputs.size();
  d.outputs = ports(outputs);
  d.n_outputs = outputs.size();
  abi_storage = storage;
  return *(abi_view = &d);
}

}  // namespace mo::core
