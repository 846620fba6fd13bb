// An If whose condition is known is the body that runs; runtimes of IR version 10 have no If.
//   If(true, x)  ->  the operations of the first body, with x where its Parameter was
// So is one of which the other body is wrong for these inputs: it can never run, and no runtime would read it.
#include <mo/sdk.hpp>

#include <mo/bodies.hpp>

#include "support/move_attributes.hpp"

#include <array>

namespace mo::builtin_passes {

class InlineKnownIf : public MatcherPass {
 public:
  InlineKnownIf() {
    id = "middle.inline_known_if";
    doc = "an If whose condition is known gives way to the operations of the body that runs";
    before = R"(
      %x = Parameter -> f32[2]
      %yes = Const -> boolean[] {true}
      %y = If@opset8 (%yes, %x) {
        then_port_map=["in 1 -> 0", "out 0 <- 0"],
        then_body=graph { %a = Parameter -> f32[2]
          %b = ReLU@opset1 (%a)
          Result (%b) },
        else_port_map=["in 1 -> 0", "out 0 <- 0"],
        else_body=graph { %a = Parameter -> f32[2]
          %b = Abs@opset1 (%a)
          Result (%b) }}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2]
      %y = ReLU@opset1 (%x)
      Result (%y))";
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"opset8::If"}),
                     [this](const Graph& g, const Match& m) { look_at(g, m.root()); });
  }

 private:
  using Ports = std::vector<OutPort>;
  using Nodes = std::vector<Node>;
  static constexpr std::array<const char*, 2> prefixes{"then_", "else_"};

  // What is wrong with a body for the inputs of n; nothing when it may run. The inference of an If takes what is
  // known of its inputs from a body that fails.
  static std::optional<std::string> given_up(const Node& n, const char* prefix) {
    const Graph body = body_of(n, prefix);
    const auto parameters = body.parameters();
    bool fewer = false;
    std::vector<std::pair<OutPort, OutPort>> fed;
    for (const PortMapEntry& e : port_map_of(n, prefix)) {
      if (e.output) continue;
      fed.emplace_back(parameters.at(static_cast<size_t>(e.internal)).out_port(),
                       n.in_port(static_cast<size_t>(e.external)).get_source());
      fewer = fewer || (!fed.back().first.shape().has_rank() && fed.back().second.shape().has_rank());
    }
    if (!fewer) return std::nullopt;
    for (const auto& [inside, outside] : fed) inside.set_shape(outside.type(), outside.shape());
    try {
      body.infer_all();
    } catch (const Error& e) {
      return e.what();
    }
    return std::nullopt;
  }

  // The only body that may run.
  const char* possible(const Node& n) const {
    const std::array<std::optional<std::string>, 2> wrong{given_up(n, prefixes[0]), given_up(n, prefixes[1])};
    only_when(wrong[0].has_value() != wrong[1].has_value(),
              "its condition is known only when the model runs");
    const size_t never = wrong[0] ? 0 : 1;
    n.context().warn(text("the ", never == 0 ? "then" : "else", " branch of '", n.name(),
                          "' cannot run with these inputs, and is left out: ", *wrong[never]));
    return prefixes[1 - never];
  }

  void look_at(const Graph& g, const Node& n) {
    const auto condition = n.in_port(0).get_source().value();
    const bool known = condition && condition->size() == 1;
    const Nodes made = inline_body(g, n, known ? prefixes[condition->integer(0) != 0 ? 0 : 1] : possible(n));
    // What comes out of a body may hold another If, whose condition is known when its inputs are inferred.
    g.infer_marked();
    for (const Node& inner : made)
      if (inner.is("opset8::If")) register_new_node(inner);
  }

  static void copy_attributes(const Node& from, const Node& to) {
    move_attributes(from, to);
    const Context c = from.context();
    const mo_node source = from.id(), target = to.id();
    c.check(c.graph().copy_rt_info(c.get(), &source, 1, &target, 1));
  }

  // The port outside of the body that has the value of this one inside.
  static OutPort outside(const std::map<mo_node, Ports>& made, const OutPort& inside) {
    return made.at(inside.node().id()).at(inside.index());
  }

  static Node copy(const Graph& g, const Node& from, const Ports& inputs) {
    if (from.is("Const")) return g.create_const(from.name(), *from.out_port().value());
    const Node to =
        g.create_node(from.op(), from.opset(), from.name(), inputs, static_cast<uint32_t>(from.out_count()));
    copy_attributes(from, to);
    for (size_t i = 0; i < from.out_count(); ++i) {
      const OutPort was = from.out_port(i), is = to.out_port(i);
      is.set_shape(was.type(), was.shape());
      is.set_tensor_names(was.tensor_names());
    }
    return to;
  }

  // Returns what has come out of the body.
  static Nodes inline_body(const Graph& g, const Node& n, const std::string& prefix) {
    const Graph body = body_of(n, prefix);
    const auto parameters = body.parameters(), results = body.results();
    std::map<mo_node, Ports> made;
    Nodes copies;
    std::vector<PortMapEntry> outputs;
    for (const PortMapEntry& e : port_map_of(n, prefix)) {
      if (e.output)
        outputs.push_back(e);
      else
        made[parameters.at(static_cast<size_t>(e.internal)).id()] = {
            n.in_port(static_cast<size_t>(e.external)).get_source()};
    }
    for (const Node& inner : body.topological()) {
      if (inner.is("Parameter") || inner.is("Result")) continue;
      Ports inputs;
      for (const InPort& p : inner.in_ports()) {
        const OutPort source = p.get_source();
        inputs.push_back(source ? outside(made, source) : OutPort());
      }
      copies.push_back(copy(g, inner, inputs));
      made[inner.id()] = copies.back().out_ports();
    }
    for (const PortMapEntry& e : outputs) {
      const OutPort source =
          outside(made, results.at(static_cast<size_t>(e.internal)).in_port(0).get_source());
      const OutPort port = n.out_port(static_cast<size_t>(e.external));
      port.get_connection().set_source(source, Names::merge);
    }
    n.remove();
    return copies;
  }
};

void register_inline_known_if(Registry& r) { r.transformation<InlineKnownIf>(); }

}  // namespace mo::builtin_passes
