#include <mo/value.hpp>

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

namespace {

constexpr uint32_t known_operation_flags = MO_OP_SHAPE_SOURCE | MO_OP_NO_FOLD | MO_OP_SINK;

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

std::shared_ptr<const LayoutDef> read_layout(Check& check, const mo_layout_def* given, const Operation& o) {
  if (given == nullptr) return nullptr;
  const auto one = check.structures("layout", given, 1);
  if (one.empty()) return nullptr;
  const mo_layout_def& d = one.front();
  auto layout = std::make_shared<LayoutDef>();
  const auto attributes = [&](std::string_view field, const mo_str* items, uint64_t count) {
    std::vector<std::string> names = check.strings(field, items, count, form::attribute);
    for (const std::string& name : names)
      check.that(name.empty() || std::any_of(o.attributes.begin(), o.attributes.end(),
                                             [&](const AttributeDef& a) { return a.name == name; }),
                 Rule::unknown_layout_attribute, field, in_quotes(name), "an attribute of attrs");
    return names;
  };
  check.enumeration("layout.kind", d.kind, MO_LAYOUT_AGNOSTIC, MO_LAYOUT_AGNOSTIC);
  check.zero("layout.reserved", d.reserved);
  layout->axes = attributes("layout.axes", d.axes, d.n_axes);
  layout->per_dimension = attributes("layout.per_dimension", d.per_dimension, d.n_per_dimension);
  const auto inputs = check.array("layout.fixed_inputs", d.fixed_inputs, d.n_fixed_inputs);
  layout->fixed_inputs.assign(inputs.begin(), inputs.end());
  for (const std::string& name : layout->axes) layout->axis_texts.push_back(str(name));
  for (const std::string& name : layout->per_dimension) layout->list_texts.push_back(str(name));
  layout->abi = {sizeof(mo_layout_def),
                 layout->axis_texts.data(),
                 layout->axis_texts.size(),
                 layout->list_texts.data(),
                 layout->list_texts.size(),
                 layout->fixed_inputs.data(),
                 layout->fixed_inputs.size(),
                 d.kind,
                 0};
  return layout;
}

}  // namespace

Operation read_operation(const mo_operation_def& def, const Plugin& plugin, Session& session) {
  Check check("operation", plugin.abi_minor);
  const mo_operation_def d = check.structure(&def);
  Operation o;
  o.op = check.string("op", d.op, form::op);
  o.opset = check.string("opset", d.opset, form::opset);
  check.about(text("operation ", o.opset, "::", o.op));
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
  o.layout = read_layout(check, d.layout, o);
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
  o.release = thunk<"release", &mo_operation_def::release>(d);
  o.plugin = &plugin;
  return o;
}

}  // namespace mo::core
