// The functions of While, If and Case become bodies of their nodes.
#include "loader/control_flow.hpp"
#include "loader/graph_reader.hpp"

namespace mo::tensorflow {

void GraphReader::add_bodies() {
  if (holders_.empty()) return;
  for (const Node& node : graph_.topological()) {
    const auto found = holders_.find(node.id());
    if (found != holders_.end()) add_bodies(node, *found->second.node, *found->second.scope);
  }
}

static bool is_loop(std::string_view op) { return op == "While" || op == "StatelessWhile"; }

void GraphReader::add_body(const Node& node, std::string_view attribute, const Body& body,
                           const Scope& scope) {
  const Graph sub = graph_.create_sub_graph(text(node.name(), '/', attribute));
  std::vector<ElementType> types;
  for (const InPort& in : node.in_ports()) types.push_back(in.type());
  if (!is_loop(node.op()) && !types.empty()) types.erase(types.begin());  // what chooses the branch
  GraphReader(c_, model_, sub, false).read_function(body, scope, types);
  if (attribute != "cond") {
    const auto results = sub.results();
    for (size_t i = 0; i < std::min(results.size(), node.out_count()); ++i) {
      const OutPort out = node.out_port(i);
      const ElementType type = results[i].in_port(0).type();
      if (out.type() == ElementType::unknown && type != ElementType::unknown)
        out.set_shape(type, Shape::unknown());
    }
  }
  node.set(attribute, GraphHandle{sub.id()});
}

void GraphReader::add_function(const Node& node, std::string_view attribute, const NodeDef& n,
                               const Scope& scope, const FunctionValue& f) {
  require(model_.function(f.name).has_value(), describe(n), ": its attribute '", attribute, "' is function '",
          f.name, "', which the model does not have");
  // Functions in functions: twice as many bodies for each level.
  constexpr uint64_t for_each_body = 1 << 15;
  model_.charge(for_each_body);
  const Scope& inner = model_.enter(scope, f, text(scope.prefix, n.name, '/'));
  Body body = tensorflow::read_function(model_, inner);
  lower_control_flow(model_, inner, body);
  add_body(node, attribute, *model_.add_body(std::move(body)), inner);
}

void GraphReader::add_bodies(const Node& node, const NodeDef& n, const Scope& scope) {
  for (const auto& [attribute, body] : n.bodies) add_body(node, attribute, *body, scope);
  if (!n.bodies.empty()) return;
  const Attributes a(model_, n, scope);
  const auto add = [&](std::string_view attribute) {
    add_function(node, attribute, n, scope, a.function(attribute));
  };
  if (is_loop(n.op)) {
    add("cond");
    add("body");
  } else if (n.op == "If" || n.op == "StatelessIf") {
    add("then_branch");
    add("else_branch");
  } else {
    size_t i = 0;
    for (const FunctionValue& f : a.functions("branches"))
      add_function(node, text("branch_", i++), n, scope, f);
  }
}

}  // namespace mo::tensorflow
