// Options, converters, interfaces.

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"
#include "core/support/contains.hpp"
#include "core/support/numbers.hpp"

namespace mo::core {

namespace {

void check_default(Check& check, const OptionDef& o) {
  const std::string& s = o.fallback;
  if (s.empty()) return;
  if (o.kind == MO_OPTION_FLAG)
    check.that(s == "true" || s == "false" || s == "1" || s == "0", Rule::option_default, "fallback",
               in_quotes(s), "true, false, 1 or 0, as the option is a flag");
  if (o.kind == MO_OPTION_INT)
    check.that(parse_number<int64_t>(s).has_value(), Rule::option_default, "fallback", in_quotes(s),
               "an integer, as the option is one");
  if (o.kind == MO_OPTION_FLOAT)
    check.that(parse_number<double>(s).has_value(), Rule::option_default, "fallback", in_quotes(s),
               "a number, as the option is one");
  if (!o.allowed.empty())
    check.that(contains(o.allowed, s), Rule::option_default, "fallback", in_quotes(s),
               "one of the allowed values");
}

}  // namespace

OptionDef read_option(const mo_option_def& def, const Plugin& plugin) {
  static constexpr TextForm help{"what the option does", nullptr, false, true};
  static constexpr TextForm fallback{"text", nullptr, true};
  Check check("option", plugin.abi_minor);
  const mo_option_def d = check.structure(&def);
  OptionDef o;
  o.name = check.string("name", d.name, form::option_name);
  check.about(text("option ", in_quotes(o.name)));
  o.help = check.string("help", d.help, help);
  o.group = check.string("group", d.group, form::optional_line);
  o.fallback = check.string("fallback", d.fallback, fallback);
  check.enumeration("kind", d.kind, MO_OPTION_FLAG, MO_OPTION_MODEL_FILE);
  check.zero("reserved", d.reserved);
  o.kind = d.kind;
  o.allowed = check.strings("allowed", d.allowed, d.n_allowed, form::choice);
  if (!o.allowed.empty() && d.kind != MO_OPTION_STRING)
    check.that(false, Rule::allowed_of_other_kind, "allowed", text("a list of ", o.allowed.size()),
               "nothing, as the option is no MO_OPTION_STRING");
  for (const std::string& a : o.allowed) o.choices += text(o.choices.empty() ? "" : "|", a);
  check_default(check, o);
  check.done();

  if (o.group.empty()) o.group = plugin.id;
  o.plugin = &plugin;
  return o;
}

Converter read_converter(const mo_converter_def& def, const Plugin& plugin) {
  Check check("converter", plugin.abi_minor);
  const mo_converter_def d = check.structure(&def);
  Converter c;
  c.type_name = check.string("type_name", d.type_name, form::line);
  check.about(text("converter of ", in_quotes(c.type_name)));
  check.callback("convert", d.convert != nullptr);
  check.done();

  adopt(d, c);
  c.convert = thunk<"convert", &mo_converter_def::convert>(d);
  c.release = thunk<"release", &mo_converter_def::release>(d);
  c.plugin = &plugin;
  return c;
}

Interface read_interface(mo_str name, uint32_t revision, const void* table, const Plugin& plugin) {
  Check check("interface", plugin.abi_minor);
  Interface i;
  i.name = check.string("name", name, form::interface_name);
  check.about(text("interface ", in_quotes(i.name)));
  check.that(table != nullptr, Rule::callback_missing, "table", "NULL", "a table of functions");
  check.done();

  i.revision = revision;
  i.table = table;
  i.plugin = &plugin;
  return i;
}

}  // namespace mo::core
