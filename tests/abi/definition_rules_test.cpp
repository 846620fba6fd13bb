// Every field a vendor fills, filled wrongly: each is refused by its own rule. The definition that is varied
// is right.
#include <gmock/gmock.h>

#include <cstring>

#include "core/host/host_tables.hpp"
#include "core/registry/rules.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::HasSubstr;

mo_str s(std::string_view text) { return str(text); }

// What load() does in the test at hand.
std::function<mo_status(mo_context*)>& load_action() {
  static std::function<mo_status(mo_context*)> action;
  return action;
}
mo_status load(mo_context* c) { return load_action()(c); }

const mo_plugin* entry() {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_ABI_MINOR,
                                   MO_LOWEST_MINOR,
                                   MO_ABI_CANDIDATE,
                                   s("org.example.tested"),
                                   s("1.0.0"),
                                   s("tests"),
                                   s("Apache-2.0"),
                                   s("one field is wrong"),
                                   s(""),
                                   load,
                                   nullptr};
  return &plugin;
}

// The text with which the registration is refused; "" when it is not.
template <class Register>
std::string refusal_of(Register register_it) {
  Session session{host_table()};
  load_action() = [&](mo_context* c) { return register_it(*c->host->registry, c); };
  try {
    load_plugin(session, entry, "tested.mo.so", false, "");
    return "";
  } catch (const Failure& f) {
    return f.code() + " " + f.message();
  }
}

template <class Def>
struct Rule1 {
  const char* name;
  Rule rule;
  std::function<void(Def&)> change;
  std::string says = "";
};

template <class Def, class Make, class Register>
void check_all(const std::vector<Rule1<Def>>& table, Make make, Register register_it) {
  Def right = make();
  EXPECT_EQ(refusal_of([&](const mo_registry_api& r, mo_context* c) { return register_it(r, c, right); }), "")
      << "the definition that is varied must be right";
  for (const auto& row : table) {
    SCOPED_TRACE(row.name);
    Def d = make();
    row.change(d);
    const std::string text =
        refusal_of([&](const mo_registry_api& r, mo_context* c) { return register_it(r, c, d); });
    EXPECT_THAT(text, HasSubstr(rule_name(row.rule)));
    EXPECT_THAT(text, HasSubstr("expected"));
    EXPECT_THAT(text, HasSubstr(row.says));
  }
}

mo_status infer(void*, mo_context*, const mo_infer_args*) { return MO_OK; }
mo_status on_node(void*, mo_context*, mo_node) { return MO_OK; }
mo_status on_graph(void*, mo_context*, mo_graph) { return MO_OK; }
mo_status on_match(void*, mo_context*, mo_match*) { return MO_OK; }

mo_value int_value(int64_t i) {
  mo_value v{};
  v.kind = MO_VALUE_INT;
  v.u.i = i;
  return v;
}
mo_value string_value(std::string_view text) {
  mo_value v{};
  v.kind = MO_VALUE_STRING;
  v.u.s = s(text);
  return v;
}

struct OperationDef : mo_operation_def {
  std::vector<mo_attr_def> list;
};

mo_attr_def attribute(std::string_view name, int32_t kind) {
  mo_attr_def a{};
  a.size = sizeof a;
  a.name = s(name);
  a.kind = kind;
  return a;
}

OperationDef right_operation() {
  OperationDef d{};
  d.size = sizeof(mo_operation_def);
  d.op = s("Right");
  d.opset = s("org.example");
  d.doc = s("as it should be");
  d.min_inputs = 1;
  d.max_inputs = UINT32_MAX;
  d.min_outputs = d.max_outputs = 1;
  d.flags = MO_OP_SINK | MO_OP_NO_FOLD;
  d.infer = infer;
  d.list = {attribute("axis", MO_VALUE_INT), attribute("mode", MO_VALUE_STRING)};
  return d;
}

mo_status register_operation(const mo_registry_api& r, mo_context* c, OperationDef& d) {
  if (d.attrs == nullptr && d.n_attrs == 0) {
    d.attrs = d.list.data();
    d.n_attrs = d.list.size();
  }
  return r.operation(c, &d);
}

TEST(DefinitionRules, Operation) {
  static const mo_value five = int_value(5), text = string_value("linear"), graph = [] {
    mo_value v{};
    v.kind = MO_VALUE_GRAPH;
    v.u.graph = 1;
    return v;
  }();
  static const mo_value odd_bool = [] {
    mo_value v = int_value(2);
    v.kind = MO_VALUE_BOOL;
    return v;
  }();
  static const mo_value counted = [] {
    mo_value v = int_value(2);
    v.count = 2;
    return v;
  }();
  static const mo_value reserved = [] {
    mo_value v = int_value(2);
    v.reserved = 1;
    return v;
  }();
  static const mo_value no_list = [] {
    mo_value v{};
    v.kind = MO_VALUE_INTS;
    v.count = 3;
    return v;
  }();
  static const mo_value bad_type = [] {
    mo_value v{};
    v.kind = MO_VALUE_TYPE;
    v.u.i = 77;
    return v;
  }();
  static const mo_dim backwards{4, 2};
  static const mo_value bad_shape = [] {
    mo_value v{};
    v.kind = MO_VALUE_SHAPE;
    v.u.shape = {&backwards, 1};
    return v;
  }();
  static const mo_value no_tensor = [] {
    mo_value v{};
    v.kind = MO_VALUE_TENSOR;
    return v;
  }();
  static const mo_str modes[] = {s("cubic"), s("nearest")}, twice[] = {s("cubic"), s("cubic")};
  using D = OperationDef;
  check_all<D>(
      {
          {"size 0", Rule::size_too_small, [](D& d) { d.size = 0; }, "size is 0"},
          {"size cut", Rule::size_too_small, [](D& d) { d.size = offsetof(mo_operation_def, infer); }},
          {"size garbage", Rule::size_impossible, [](D& d) { d.size = SIZE_MAX; }},
          {"size too big for 0.3", Rule::size_impossible,
           [](D& d) { d.size = sizeof(mo_operation_def) + 8; }},
          {"no op", Rule::text_form, [](D& d) { d.op = s(""); }, "op is empty"},
          {"op with space", Rule::text_form, [](D& d) { d.op = s("Two words"); }, "\"Two words\""},
          {"op with colons", Rule::text_form, [](D& d) { d.op = s("a::b"); }},
          {"op that the host knows by name", Rule::type_of_host, [](D& d) { d.op = s("Const"); },
           "\"Const\""},
          {"op NULL", Rule::text_pointer,
           [](D& d) {
             d.op = {nullptr, 3};
           }},
          {"op endless", Rule::text_pointer,
           [](D& d) {
             d.op = {"x", SIZE_MAX};
           }},
          {"op not UTF-8", Rule::not_utf8, [](D& d) { d.op = s("R\xff"); }, "\\xff"},
          {"op cut inside a letter", Rule::not_utf8, [](D& d) { d.op = s("R\xc3"); }},
          {"no opset", Rule::text_form, [](D& d) { d.opset = s(""); }, "opset is empty"},
          {"doc of two lines", Rule::text_form, [](D& d) { d.doc = s("a\nb"); }},
          {"doc with escape", Rule::text_form, [](D& d) { d.doc = s("\x1b[31mred"); }, "\\x1b"},
          {"attrs NULL", Rule::list_pointer, [](D& d) { d.n_attrs = 2; }},
          {"attrs endless", Rule::list_size,
           [](D& d) {
             d.attrs = d.list.data();
             d.n_attrs = 1ULL << 40U;
           }},
          {"attr size 0", Rule::size_too_small, [](D& d) { d.list[0].size = 0; }, "attrs[0].size"},
          {"attr sizes differ", Rule::list_stride, [](D& d) { d.list[1].size += 16; }, "attrs[1].size"},
          {"attr without name", Rule::text_form, [](D& d) { d.list[0].name = s(""); }, "attrs[0].name"},
          {"attr twice", Rule::attribute_repeated, [](D& d) { d.list[1].name = s("axis"); }, "\"axis\""},
          {"IR name twice", Rule::attribute_repeated, [](D& d) { d.list[1].ir_name = s("axis"); }, "IR name"},
          {"IR name odd", Rule::text_form, [](D& d) { d.list[1].ir_name = s("<b>"); }},
          {"attr kind unknown", Rule::unknown_value, [](D& d) { d.list[0].kind = 12; },
           "attrs[0].kind is 12"},
          {"attr kind none", Rule::unknown_value, [](D& d) { d.list[0].kind = 0; }},
          {"required 2", Rule::unknown_value, [](D& d) { d.list[0].required = 2; }},
          {"default of other kind", Rule::default_kind, [](D& d) { d.list[0].fallback = &text; },
           "kind string; expected int"},
          {"default of required", Rule::default_of_required,
           [](D& d) {
             d.list[0].fallback = &five;
             d.list[0].required = 1;
           }},
          {"default graph", Rule::bad_value,
           [](D& d) {
             d.list[0].kind = MO_VALUE_GRAPH;
             d.list[0].fallback = &graph;
           }},
          {"default bool 2", Rule::bad_value,
           [](D& d) {
             d.list[0].kind = MO_VALUE_BOOL;
             d.list[0].fallback = &odd_bool;
           }},
          {"default with count", Rule::bad_value, [](D& d) { d.list[0].fallback = &counted; }},
          {"default with reserved", Rule::reserved_not_zero, [](D& d) { d.list[0].fallback = &reserved; }},
          {"default list NULL", Rule::list_pointer,
           [](D& d) {
             d.list[0].kind = MO_VALUE_INTS;
             d.list[0].fallback = &no_list;
           }},
          {"default type", Rule::bad_value,
           [](D& d) {
             d.list[0].kind = MO_VALUE_TYPE;
             d.list[0].fallback = &bad_type;
           },
           "77"},
          {"default shape", Rule::bad_value,
           [](D& d) {
             d.list[0].kind = MO_VALUE_SHAPE;
             d.list[0].fallback = &bad_shape;
           }},
          {"default tensor", Rule::bad_value,
           [](D& d) {
             d.list[0].kind = MO_VALUE_TENSOR;
             d.list[0].fallback = &no_tensor;
           }},
          {"allowed of an int", Rule::allowed_of_other_kind,
           [](D& d) {
             d.list[0].allowed = modes;
             d.list[0].n_allowed = 2;
           }},
          {"allowed twice", Rule::repeated_in_list,
           [](D& d) {
             d.list[1].allowed = twice;
             d.list[1].n_allowed = 2;
           }},
          {"default not allowed", Rule::default_not_allowed,
           [](D& d) {
             d.list[1].allowed = modes;
             d.list[1].n_allowed = 2;
             d.list[1].fallback = &text;
           },
           "\"linear\""},
          {"inputs", Rule::port_range,
           [](D& d) {
             d.min_inputs = 3;
             d.max_inputs = 2;
           },
           "min_inputs is 3; expected at most max_inputs, which is 2"},
          {"outputs", Rule::port_range, [](D& d) { d.min_outputs = 2; }},
          {"flags", Rule::unknown_flag, [](D& d) { d.flags |= 1024; }},
          {"reserved", Rule::reserved_not_zero, [](D& d) { d.reserved = 1; }},
      },
      right_operation, register_operation);
}

struct OperationWithPorts : OperationDef {
  mo_port_def in[2]{}, out{};
  bool missing = false;
};

TEST(DefinitionRules, PortsAndRoles) {
  using D = OperationWithPorts;
  const auto right = [] {
    D d{};
    static_cast<OperationDef&>(d) = right_operation();
    for (mo_port_def* p : {&d.in[0], &d.in[1], &d.out}) p->size = sizeof *p;
    d.in[0].name = s("data");
    d.in[0].types = 1U << MO_F32 | 1U << MO_F16;
    d.in[1].role = MO_ROLE_PER_DIMENSION;
    d.in[1].flags = MO_PORT_TAKES_SIZES;
    d.min_inputs = d.max_inputs = 2;
    d.list[0].role = MO_ROLE_AXES;
    return d;
  };
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.in[0].size = 8; }, "inputs[0].size"},
          {"role", Rule::unknown_value, [](D& d) { d.in[1].role = 8; }, "inputs[1].role is 8"},
          {"role of an output", Rule::unknown_value, [](D& d) { d.out.role = MO_ROLE_DATA; }},
          {"type that does not exist", Rule::unknown_flag, [](D& d) { d.in[0].types = uint64_t{1} << 40U; }},
          {"type 0", Rule::unknown_flag, [](D& d) { d.in[0].types = 1; }},
          {"flag", Rule::unknown_flag, [](D& d) { d.in[0].flags = 2; }},
          {"flag of an output", Rule::unknown_flag, [](D& d) { d.out.flags = MO_PORT_TAKES_SIZES; }},
          {"more than there may be", Rule::port_range, [](D& d) { d.max_inputs = d.min_inputs = 1; },
           "n_inputs is 2; expected at most max_inputs, which is 1"},
          {"NULL", Rule::list_pointer, [](D& d) { d.missing = true; }},
          {"attribute of no such role", Rule::unknown_value, [](D& d) { d.list[0].role = MO_ROLE_DATA; }},
          {"axes that are a text", Rule::attribute_role, [](D& d) { d.list[1].role = MO_ROLE_AXES; }},
          {"a mode that is a number", Rule::attribute_role, [](D& d) { d.list[0].role = MO_ROLE_SPREAD; }},
          {"reserved", Rule::reserved_not_zero, [](D& d) { d.list[0].reserved = 1; }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) {
        d.inputs = d.missing ? nullptr : d.in;
        d.n_inputs = 2;
        d.outputs = &d.out;
        d.n_outputs = 1;
        return register_operation(r, c, d);
      });
}

TEST(DefinitionRules, Extractor) {
  using D = mo_extractor_def;
  const auto right = [] {
    D d{};
    d.size = sizeof d;
    d.framework = s("some_framework");
    d.domain = s("org.example");
    d.op = s("aten::add");
    d.since = 2;
    d.until = 7;
    d.extract = on_node;
    return d;
  };
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.size -= 8; }},
          {"framework", Rule::text_form, [](D& d) { d.framework = s("Some Framework"); }},
          {"domain", Rule::text_form, [](D& d) { d.domain = s("a b"); }},
          {"op", Rule::text_form, [](D& d) { d.op = s(""); }},
          {"negative since", Rule::version_range, [](D& d) { d.since = -1; }},
          {"negative until", Rule::version_range, [](D& d) { d.until = -1; }},
          {"backwards", Rule::version_range, [](D& d) { d.since = 8; },
           "since is 8; expected at most until, which is 7"},
          {"no extract", Rule::callback_missing, [](D& d) { d.extract = nullptr; }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) { return r.extractor(c, &d); });
}

TEST(DefinitionRules, Transformation) {
  static const mo_str ops[] = {s("A"), s("opset1::B"), s("::aten::c")}, bad_ops[] = {s("a b")},
                      ids[] = {s("other.pass")}, own[] = {s("tested.pass")}, spaced[] = {s("other pass")};
  using D = mo_transformation_def;
  const auto right = [] {
    D d{};
    d.size = sizeof d;
    d.id = s("tested.pass");
    d.before = s("two\nlines");
    d.ops = ops;
    d.n_ops = 3;
    d.run_before = ids;
    d.n_run_before = 1;
    d.phase = MO_PHASE_FRONT;
    d.kind = MO_TRANSFORM_OP;
    d.on_node = on_node;
    return d;
  };
  static mo_pattern_node node = [] {
    mo_pattern_node n{};
    n.size = sizeof n;
    n.kind = MO_PATTERN_OP;
    return n;
  }();
  static const mo_pattern_edge edge{sizeof(mo_pattern_edge), 0, 0, MO_ANY_PORT, MO_ANY_PORT};
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.size = 16; }},
          {"id", Rule::text_form, [](D& d) { d.id = s("Tested Pass"); }},
          {"id with empty part", Rule::text_form, [](D& d) { d.id = s("tested..pass"); }},
          {"anchor", Rule::anchor_as_id, [](D& d) { d.id = s("post_middle.finish"); }},
          {"before with bell", Rule::text_form, [](D& d) { d.before = s("\a"); }},
          {"before itself", Rule::orders_itself, [](D& d) { d.run_before = own; }},
          {"before and after one", Rule::orders_itself,
           [](D& d) {
             d.run_after = ids;
             d.n_run_after = 1;
           }},
          {"order ids", Rule::text_form, [](D& d) { d.run_before = spaced; }, "run_before[0]"},
          {"frameworks NULL", Rule::list_pointer, [](D& d) { d.n_frameworks = 1; }},
          {"ops form", Rule::text_form,
           [](D& d) {
             d.ops = bad_ops;
             d.n_ops = 1;
           },
           "ops[0]"},
          {"no ops", Rule::pattern_missing, [](D& d) { d.n_ops = 0; }},
          {"ops of a graph pass", Rule::foreign_field,
           [](D& d) {
             d.kind = MO_TRANSFORM_GRAPH;
             d.on_graph = on_graph;
           }},
          {"nodes of an op pass", Rule::foreign_field,
           [](D& d) {
             d.nodes = &node;
             d.n_nodes = 1;
           }},
          {"edges of an op pass", Rule::foreign_field,
           [](D& d) {
             d.edges = &edge;
             d.n_edges = 1;
           }},
          {"group of an op pass", Rule::foreign_field, [](D& d) { d.group = s("some"); }},
          {"group form", Rule::text_form, [](D& d) { d.group = s("Some"); }},
          {"phase", Rule::unknown_value, [](D& d) { d.phase = 8; }, "phase is 8; expected 1 to 7"},
          {"forgotten phase", Rule::unknown_value, [](D& d) { d.phase = 0; },
           "phase is 0, as if it had been forgotten; expected 1 to 7"},
          {"negative phase", Rule::unknown_value, [](D& d) { d.phase = -1; }},
          {"kind", Rule::unknown_value, [](D& d) { d.kind = 8; }},
          {"forgotten kind", Rule::unknown_value, [](D& d) { d.kind = 0; }},
          {"enabled", Rule::unknown_value, [](D& d) { d.enabled = 3; }},
          {"recursive", Rule::unknown_value, [](D& d) { d.recursive = 3; }},
          {"clean up", Rule::unknown_value, [](D& d) { d.force_clean_up = -1; }},
          {"shapes", Rule::unknown_value, [](D& d) { d.force_shape_inference = 9; }},
          {"no on_node", Rule::callback_missing, [](D& d) { d.on_node = nullptr; }, "on_node"},
          {"no on_graph", Rule::callback_missing,
           [](D& d) {
             d.kind = MO_TRANSFORM_CONFIG_GENERAL;
             d.n_ops = 0;
           },
           "on_graph"},
          {"no on_match", Rule::callback_missing,
           [](D& d) {
             d.kind = MO_TRANSFORM_CONFIG_SCOPE;
             d.n_ops = 0;
           },
           "on_match"},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) { return r.transformation(c, &d); });
}

struct TreeDef : mo_transformation_def {
  std::vector<mo_pattern_node> list;
  std::vector<mo_pattern_input> inputs;
};

mo_pattern_node pattern_node(int32_t kind) {
  mo_pattern_node n{};
  n.size = sizeof n;
  n.kind = kind;
  return n;
}

mo_pattern_input input(uint32_t node, int32_t out_port = MO_ANY_PORT) {
  return {sizeof(mo_pattern_input), node, out_port};
}
mo_pattern_edge edge(uint32_t producer, uint32_t consumer, int32_t in_port = MO_ANY_PORT) {
  return {sizeof(mo_pattern_edge), producer, consumer, MO_ANY_PORT, in_port};
}

// nodes[0] reads nodes[1] and nodes[2].
TreeDef right_tree() {
  TreeDef d{};
  d.size = sizeof(mo_transformation_def);
  d.id = s("tested.tree");
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_MATCHER;
  d.group = s("tested");
  d.on_match = on_match;
  d.list = {pattern_node(MO_PATTERN_OP), pattern_node(MO_PATTERN_ANY), pattern_node(MO_PATTERN_OP)};
  d.list[0].flags = MO_PATTERN_COMMUTATIVE;
  d.list[0].alias = s("root");
  d.inputs = {input(1), input(2, 0)};
  return d;
}

mo_status register_tree(const mo_registry_api& r, mo_context* c, TreeDef& d) {
  if (d.list[0].n_inputs == 0) {
    d.list[0].inputs = d.inputs.data();
    d.list[0].n_inputs = d.inputs.size();
  }
  d.nodes = d.list.data();
  d.n_nodes = d.list.size();
  return r.transformation(c, &d);
}

TEST(DefinitionRules, TreePattern) {
  static const mo_pattern_input to_root = input(0), to_any = input(1);
  static const mo_str ops[] = {s("A")};
  static const mo_pattern_attr no_name{sizeof(mo_pattern_attr), s(""), string_value("x")},
      no_value{sizeof(mo_pattern_attr), s("x"), mo_value{}}, no_size{0, s("x"), string_value("x")};
  using D = TreeDef;
  check_all<D>(
      {
          {"node size", Rule::size_too_small, [](D& d) { d.list[0].size = 8; }, "nodes[0].size"},
          {"node sizes differ", Rule::list_stride, [](D& d) { d.list[2].size -= 8; }, "nodes[2].size"},
          {"alias twice", Rule::repeated_in_list, [](D& d) { d.list[1].alias = s("root"); },
           "nodes[1].alias"},
          {"alias not UTF-8", Rule::not_utf8, [](D& d) { d.list[1].alias = s("\xc0\x80"); }},
          {"kind", Rule::unknown_value, [](D& d) { d.list[1].kind = 6; }},
          {"forgotten kind", Rule::unknown_value, [](D& d) { d.list[1].kind = 0; }},
          {"flags", Rule::unknown_flag, [](D& d) { d.list[1].flags = 16; }},
          {"data", Rule::pattern_kind, [](D& d) { d.list[1].kind = MO_PATTERN_DATA; }, "MO_PATTERN_DATA"},
          {"any with ops", Rule::pattern_kind,
           [](D& d) {
             d.list[1].ops = ops;
             d.list[1].n_ops = 1;
           }},
          {"any with inputs", Rule::pattern_inputs,
           [](D& d) {
             d.list[1].inputs = &to_any;
             d.list[1].n_inputs = 1;
           }},
          {"or of nothing", Rule::pattern_inputs, [](D& d) { d.list[1].kind = MO_PATTERN_OR; }},
          {"optional without types", Rule::pattern_kind, [](D& d) { d.list[2].kind = MO_PATTERN_OPTIONAL; }},
          {"commutative with one", Rule::pattern_inputs,
           [](D& d) {
             d.inputs.pop_back();
             d.list.pop_back();
           },
           "commutative"},
          {"input size", Rule::size_too_small, [](D& d) { d.inputs[0].size = 8; }, "inputs[0].size"},
          {"attr size", Rule::size_too_small,
           [](D& d) {
             d.list[0].attrs = &no_size;
             d.list[0].n_attrs = 1;
           }},
          {"index", Rule::pattern_index, [](D& d) { d.inputs[1].node = 3; },
           "nodes[0].inputs[1].node is 3; expected the index of one of 3 nodes"},
          {"port", Rule::pattern_index, [](D& d) { d.inputs[1].out_port = -2; }},
          {"cycle", Rule::pattern_cycle,
           [](D& d) {
             d.list[2].inputs = &to_root;
             d.list[2].n_inputs = 1;
           }},
          {"unreachable", Rule::pattern_unreachable, [](D& d) { d.inputs[1].node = 1; }, "nodes[2]"},
          {"inputs NULL", Rule::list_pointer, [](D& d) { d.list[0].n_inputs = 2; }},
          {"edges", Rule::foreign_field,
           [](D& d) {
             static const mo_pattern_edge foreign = edge(0, 1);
             d.edges = &foreign;
             d.n_edges = 1;
           }},
          {"attr name", Rule::text_form,
           [](D& d) {
             d.list[0].attrs = &no_name;
             d.list[0].n_attrs = 1;
           }},
          {"attr value", Rule::unknown_value,
           [](D& d) {
             d.list[0].attrs = &no_value;
             d.list[0].n_attrs = 1;
           }},
      },
      right_tree, register_tree);
}

struct GraphDef : mo_transformation_def {
  std::vector<mo_pattern_node> list;
  std::vector<mo_pattern_edge> edge_list;
};

TEST(DefinitionRules, GraphPattern) {
  using D = GraphDef;
  const auto right = [] {
    D d{};
    d.size = sizeof(mo_transformation_def);
    d.id = s("tested.graph");
    d.phase = MO_PHASE_BACK;
    d.kind = MO_TRANSFORM_PATTERN;
    d.on_match = on_match;
    d.list = {pattern_node(MO_PATTERN_OP), pattern_node(MO_PATTERN_DATA), pattern_node(MO_PATTERN_OP)};
    d.edge_list = {edge(0, 1), edge(1, 2, 0)};
    return d;
  };
  static const mo_pattern_input to_second = input(1);
  check_all<D>(
      {
          {"producer", Rule::pattern_index, [](D& d) { d.edge_list[0].producer = 9; },
           "edges[0].producer is 9"},
          {"consumer", Rule::pattern_index, [](D& d) { d.edge_list[1].consumer = 3; }},
          {"edge size", Rule::size_too_small, [](D& d) { d.edge_list[0].size = 8; }, "edges[0].size"},
          {"in port", Rule::pattern_index, [](D& d) { d.edge_list[1].in_port = -2; }},
          {"out port", Rule::pattern_index, [](D& d) { d.edge_list[1].out_port = -7; }},
          {"loop", Rule::pattern_cycle, [](D& d) { d.edge_list[1] = edge(2, 2); }},
          {"cycle", Rule::pattern_cycle, [](D& d) { d.edge_list.push_back(edge(2, 0)); }},
          {"inputs", Rule::foreign_field,
           [](D& d) {
             d.list[0].inputs = &to_second;
             d.list[0].n_inputs = 1;
           }},
          {"or", Rule::pattern_kind, [](D& d) { d.list[0].kind = MO_PATTERN_OR; }},
          {"commutative", Rule::pattern_inputs, [](D& d) { d.list[0].flags = MO_PATTERN_COMMUTATIVE; }},
          {"no nodes", Rule::pattern_missing,
           [](D& d) {
             d.list.clear();
             d.edge_list.clear();
           }},
          {"group", Rule::foreign_field, [](D& d) { d.group = s("some"); }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) {
        d.nodes = d.list.data();
        d.n_nodes = d.list.size();
        d.edges = d.edge_list.data();
        d.n_edges = d.edge_list.size();
        return r.transformation(c, &d);
      });
}

TEST(DefinitionRules, FrontEnd) {
  static const mo_str aliases[] = {s("t"), s("tst")}, own[] = {s("tested")}, twice[] = {s("t"), s("t")},
                      extensions[] = {s(".t"), s(".tar.t")}, no_dot[] = {s("t")}, upper[] = {s(".T")};
  using D = mo_frontend_def;
  const auto right = [] {
    D d{};
    d.size = sizeof d;
    d.name = s("tested");
    d.aliases = aliases;
    d.n_aliases = 2;
    d.extensions = extensions;
    d.n_extensions = 2;
    d.probe = [](void*, mo_context*, const mo_probe_args*, int32_t*) -> mo_status { return MO_OK; };
    d.load = [](void*, mo_context*, const mo_model_source*, mo_graph, void**) -> mo_status { return MO_OK; };
    d.native_attr = [](void*, mo_context*, void*, uint64_t, mo_str) -> mo_status { return MO_OK; };
    d.native_attr_names = [](void*, mo_context*, void*, uint64_t) -> mo_status { return MO_OK; };
    d.native_key = [](void*, mo_context*, void*, uint64_t, mo_str*, int32_t*, mo_str*) -> mo_status {
      return MO_OK;
    };
    return d;
  };
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.size = 0; }},
          {"name", Rule::text_form, [](D& d) { d.name = s("Tested"); }},
          {"alias is name", Rule::repeated_in_list,
           [](D& d) {
             d.aliases = own;
             d.n_aliases = 1;
           }},
          {"alias twice", Rule::repeated_in_list, [](D& d) { d.aliases = twice; }},
          {"extension without dot", Rule::text_form,
           [](D& d) {
             d.extensions = no_dot;
             d.n_extensions = 1;
           }},
          {"extension upper", Rule::text_form,
           [](D& d) {
             d.extensions = upper;
             d.n_extensions = 1;
           }},
          {"no probe", Rule::callback_missing, [](D& d) { d.probe = nullptr; }},
          {"no load", Rule::callback_missing, [](D& d) { d.load = nullptr; }},
          {"no native_attr", Rule::callback_missing, [](D& d) { d.native_attr = nullptr; }},
          {"no native_attr_names", Rule::callback_missing, [](D& d) { d.native_attr_names = nullptr; }},
          {"no native_key", Rule::callback_missing, [](D& d) { d.native_key = nullptr; }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) { return r.frontend(c, &d); });
}

TEST(DefinitionRules, Option) {
  static const mo_str choices[] = {s("few"), s("many")}, with_bar[] = {s("a"), s("b|c")};
  using D = mo_option_def;
  const auto right = [] {
    D d{};
    d.size = sizeof d;
    d.name = s("tested_option");
    d.help = s("what it does");
    d.fallback = s("12");
    d.kind = MO_OPTION_INT;
    return d;
  };
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.size = 1; }},
          {"name", Rule::text_form, [](D& d) { d.name = s("--tested"); }},
          {"no help", Rule::text_form, [](D& d) { d.help = s(""); }},
          {"group", Rule::text_form, [](D& d) { d.group = s("a\tb"); }},
          {"kind", Rule::unknown_value, [](D& d) { d.kind = 9; }},
          {"forgotten kind", Rule::unknown_value, [](D& d) { d.kind = 0; }},
          {"reserved", Rule::reserved_not_zero, [](D& d) { d.reserved = 1; }},
          {"int", Rule::option_default, [](D& d) { d.fallback = s("12px"); }, "\"12px\""},
          {"float", Rule::option_default,
           [](D& d) {
             d.fallback = s("much");
             d.kind = MO_OPTION_FLOAT;
           }},
          {"flag", Rule::option_default,
           [](D& d) {
             d.fallback = s("maybe");
             d.kind = MO_OPTION_FLAG;
           }},
          {"no text is allowed", Rule::allowed_of_other_kind,
           [](D& d) {
             d.allowed = choices;
             d.n_allowed = 2;
           }},
          {"default not allowed", Rule::option_default,
           [](D& d) {
             d.kind = MO_OPTION_STRING;
             d.allowed = choices;
             d.n_allowed = 2;
           },
           "\"12\"; expected one of the allowed values"},
          {"allowed with a bar", Rule::text_form,
           [](D& d) {
             d.fallback = s("a");
             d.kind = MO_OPTION_STRING;
             d.allowed = with_bar;
             d.n_allowed = 2;
           }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) { return r.option(c, &d); });
}

TEST(DefinitionRules, ConverterAndInterface) {
  using D = mo_converter_def;
  const auto right = [] {
    D d{};
    d.size = sizeof d;
    d.type_name = s("their.Type");
    d.convert = [](void*, mo_context*, const void*, uint64_t) -> mo_status { return MO_OK; };
    return d;
  };
  check_all<D>(
      {
          {"size", Rule::size_too_small, [](D& d) { d.size = 1; }},
          {"name", Rule::text_form, [](D& d) { d.type_name = s(""); }},
          {"no convert", Rule::callback_missing, [](D& d) { d.convert = nullptr; }},
      },
      right, [](const mo_registry_api& r, mo_context* c, D& d) { return r.converter(c, &d); });

  static const int table = 0;
  EXPECT_EQ(refusal_of([](const mo_registry_api& r, mo_context* c) {
              return r.add_interface(c, s("org.example.i"), 1, &table);
            }),
            "");
  EXPECT_THAT(refusal_of([](const mo_registry_api& r, mo_context* c) {
                return r.add_interface(c, s(""), 1, &table);
              }),
              HasSubstr("MOX-044"));
  EXPECT_THAT(refusal_of([](const mo_registry_api& r, mo_context* c) {
                return r.add_interface(c, s("i"), 1, nullptr);
              }),
              HasSubstr("MOX-051"));
}

TEST(DefinitionRules, EverythingWrongIsToldAtOnce) {
  const std::string text = refusal_of([](const mo_registry_api& r, mo_context* c) {
    OperationDef d = right_operation();
    d.op = s("");
    d.flags = 1U << 30U;
    d.list[1].name = s("axis");
    return register_operation(r, c, d);
  });
  for (const char* part : {"MOX-044", "MOX-050", "MOX-061"}) EXPECT_THAT(text, HasSubstr(part));
}

TEST(DefinitionRules, MatchersOfOneGroupHaveOnePhase) {
  const auto refusal_in = [](int32_t phase) {
    return refusal_of([&](const mo_registry_api& r, mo_context* c) {
      TreeDef first = right_tree(), second = right_tree();
      second.id = s("tested.other");
      second.phase = phase;
      const mo_status status = register_tree(r, c, first);
      return status != MO_OK ? status : register_tree(r, c, second);
    });
  };
  EXPECT_EQ(refusal_in(MO_PHASE_MIDDLE), "");
  const std::string text = refusal_in(MO_PHASE_BACK);
  EXPECT_THAT(text, HasSubstr(rule_name(Rule::group_phase)));
  EXPECT_THAT(text, HasSubstr("phase is 6; expected 4"));
}

TEST(DefinitionRules, OptionsOfTheHostAreTaken) {
  Session session{host_table()};
  session.registry().reserve_option("input_model");
  load_action() = [](mo_context* c) {
    mo_option_def d{};
    d.size = sizeof d;
    d.name = s("input_model");
    d.help = s("mine");
    d.kind = MO_OPTION_PATH;
    return c->host->registry->option(c, &d);
  };
  try {
    load_plugin(session, entry, "tested.mo.so", false, "");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), rule_name(Rule::option_of_host));
  }
  Session without{host_table()};
  load_plugin(without, entry, "tested.mo.so", false, "");
  EXPECT_EQ(without.registry().options().size(), 1U);
}

}  // namespace

}  // namespace mo::core
