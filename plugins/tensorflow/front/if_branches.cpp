// If, StatelessIf and Case, and what were branches of TensorFlow 1. Constants and what no branch reads are no
// inputs of the operation.
#include "support/clone.hpp"
#include "support/list_operators.hpp"

#include <mo/bodies.hpp>

#include <array>

namespace mo::tensorflow {

namespace if_branches {

static Graph body_of(const SourceNode& n, std::string_view attribute, size_t arguments) {
  const Graph body(n.context(), n.attr<GraphHandle>(attribute).id);
  const size_t parameters = body.parameters().size(), results = body.results().size();
  require(parameters == arguments, "attribute '", attribute, "': the graph has ", parameters,
          " inputs, expected ", arguments);
  require(results >= n.out_count(), "attribute '", attribute, "': the graph has ", results,
          " outputs, expected ", n.out_count());
  return body;
}

// Whatever is not zero or empty is true.
static OutPort as_boolean(const Build& b, const OutPort& x) {
  if (x.type() == ElementType::boolean) return x;
  if (x.type() == ElementType::unknown) return b.convert(x, ElementType::boolean);
  return b.op("NotEqual", "opset1", {x, b.like(x, 0)});
}

static void name_bodies(const SourceNode& n, const char* from, const char* to) {
  const auto handle = n.attr<GraphHandle>(from);
  n.erase(from);
  n.set(to, handle);
}

static void make_if(const Build& b, const SourceNode& n) {
  const size_t arguments = n.in_count() - 1;
  const std::array<Graph, 2> bodies{body_of(n, "then_branch", arguments),
                                    body_of(n, "else_branch", arguments)};
  std::array<std::vector<PortMapEntry>, 2> entries;
  Ports inputs{as_boolean(b, b.in(0))};
  std::array<std::vector<Node>, 2> parameters{bodies[0].parameters(), bodies[1].parameters()};
  std::vector<bool> kept(arguments, false);
  for (size_t i = 0; i < arguments; ++i) {
    const OutPort source = behind_identities(b.in(1 + i));
    for (const auto& list : parameters) {
      const OutPort inside = list[i].out_port();
      if (inside.disconnected()) continue;
      if (source.node().is("Const") && source.value())
        inside.get_connection().set_source(
            list[i].graph().create_const(source.node().name(), *source.value()), Names::source);
      else
        kept[i] = true;
    }
  }
  for (const auto& list : parameters)
    for (size_t i = 0; i < arguments; ++i)
      if (!kept[i]) list[i].remove();
  for (size_t i = 0; i < arguments; ++i)
    if (kept[i]) inputs.push_back(b.in(1 + i));
  std::vector<uint32_t> outputs;
  for (uint32_t i = 0; i < n.out_count(); ++i)
    if (n.is_out_port_connected(i)) outputs.push_back(i);
  for (size_t side = 0; side < 2; ++side) {
    for (size_t i = 1; i < inputs.size(); ++i)
      entries[side].push_back(input_entry(static_cast<int64_t>(i), static_cast<int64_t>(i) - 1));
    const auto results = bodies[side].results();
    for (uint32_t i = 0; i < results.size(); ++i)
      if (i >= n.out_count() || !n.is_out_port_connected(i)) results[i].remove();
    for (size_t i = 0; i < outputs.size(); ++i)
      entries[side].push_back(output_entry(static_cast<int64_t>(i), static_cast<int64_t>(i)));
  }
  for (size_t i = n.out_count(); i-- != 0;)
    if (!n.is_out_port_connected(i)) n.delete_output_port(i);
  for (size_t i = n.in_count(); i-- > inputs.size();) n.delete_input_port(i);
  for (size_t i = 0; i < inputs.size(); ++i) n.in_port(i).set_source(inputs[i]);
  name_bodies(n, "then_branch", "then_body");
  name_bodies(n, "else_branch", "else_body");
  set_port_map(n, entries[0], "then_");
  set_port_map(n, entries[1], "else_");
  n.set_op("If", "opset8");
}

static void inline_only_branch(const Build& b, const SourceNode& n) {
  Ports arguments;
  for (size_t i = 1; i < n.in_count(); ++i) arguments.push_back(b.in(i));
  const Ports results = clone_into(b.graph(), body_of(n, "branch_0", arguments.size()), arguments);
  for (size_t i = 0; i < n.out_count(); ++i)
    n.out_port(i).get_connection().set_source(results[i], Names::merge);
  n.remove();
}

// Case(i, …) is If(i == 0, …) with the other branches in the else_branch; the last one is for all other
// numbers. The graphs have the number as one more argument.
static void make_case(const Build& b, const SourceNode& n) {
  size_t count = 0;
  while (n.has(text("branch_", count))) ++count;
  require(count != 0 && count <= 256, "it has ", count, " branches, expected 1 to 256");
  if (count == 1) return inline_only_branch(b, n);
  const auto taken = [&](size_t i) {
    const auto handle = n.attr<GraphHandle>(text("branch_", i));
    n.erase(text("branch_", i));
    const Node index = Graph(n.context(), handle.id).create_node("Parameter", "opset1", "branch_index");
    index.out_port().set_shape(ElementType::i32, Shape::unknown());
    return handle;
  };
  const auto is = [](const Build& in, const OutPort& index, size_t i) {
    const OutPort equal =
        in.op("Equal", "opset1", {in.convert(index, ElementType::i64), in.integer(static_cast<int64_t>(i))});
    equal.set_shape(ElementType::boolean, Shape::unknown());
    return equal;
  };
  const size_t arguments = n.in_count() - 1;
  const auto outputs = static_cast<uint32_t>(n.out_count());
  GraphHandle others = taken(count - 1);
  for (size_t i = count - 1; i-- > 1;) {
    const Graph g = n.graph().create_sub_graph(text(n.name(), "/branches"));
    Ports inputs{OutPort()};
    for (size_t a = 0; a <= arguments; ++a) {
      const Node p = g.create_node("Parameter", "opset1", text("argument_", a));
      const ElementType type = b.in(a < arguments ? 1 + a : 0).type();
      if (type != ElementType::unknown) p.set("element_type", type);
      p.out_port().set_shape(type, Shape::unknown());
      inputs.push_back(p.out_port());
    }
    inputs[0] = is(Build(g, inputs.back().node()), inputs.back(), i);
    const Node choice = g.create_node("If", "opset8", text(n.name(), "/branch_", i), inputs, outputs);
    for (uint32_t o = 0; o < outputs; ++o)
      g.create_node("Result", "opset1", text("result_", o), {choice.out_port(o)});
    choice.set("then_branch", taken(i)).set("else_branch", others);
    make_if(Build(g, choice), SourceNode(choice));
    others = GraphHandle{g.id()};
  }
  const OutPort index = b.in(0);
  n.add_input_port().set_source(index);
  n.in_port(0).set_source(is(b, index, 0));
  n.set("else_branch", others).set("then_branch", taken(0));
  make_if(b, n);
}

}  // namespace if_branches

class Branches : public FrontReplacementOp {
 public:
  Branches() {
    id = "tf.front.if";
    doc = "If, and what was a Switch with a Merge, is an If";
    before = "Merge(f(Switch(x, p):0), g(Switch(x, p):1))";
    after = "If(p, x)";
    frameworks = {"tf"};
    ops = {"::If", "::StatelessIf", "::Case", "::StatelessCase"};
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const SourceNode n(m["op"]);
    bool read = false;
    for (size_t i = 0; i < n.out_count(); ++i) read |= n.is_out_port_connected(i);
    if (!read) return;
    if (const std::string type = n.op(); type == "Case" || type == "StatelessCase")
      if_branches::make_case(Build(g, n), n);
    else
      if_branches::make_if(Build(g, n), n);
  }
};

void register_if_branches(Registry& r) { r.transformation<Branches>(); }

}  // namespace mo::tensorflow
