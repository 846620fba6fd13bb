#include "support/registering.hpp"

namespace mo::mxnet {

namespace {

class ConvertOperator : public MatcherPass {
 public:
  ConvertOperator(MakeOperator make, std::string_view ops, std::string_view from, std::string_view to)
      : MatcherPass(MO_PHASE_FRONT) {
    std::vector<std::string> patterns;
    each_name(ops, [&](std::string_view op) { patterns.push_back(text("::", op)); });
    const std::string_view op = ops.substr(0, ops.find(' '));
    id = front_id("mxnet", "", plain(op));
    doc = text("what ", op, " means, in operations of the operation sets");
    before = from;
    after = to;
    group = operators_group;
    frameworks = {"mxnet"};
    register_matcher(wrap_type(patterns), [make](Graph g, Match& m) { replace(g, m.root(), make); });
  }

 private:
  // Without the name space that MXNet writes into the name.
  static std::string_view plain(std::string_view op) {
    for (const std::string_view space : {"_contrib_", "_linalg_", "_npi_", "_np_", "_"})
      if (op.starts_with(space)) return op.substr(space.size());
    return op;
  }
  static void replace(Graph g, const Node& n, MakeOperator make) {
    g.infer_marked();
    Build b(g, n);
    Ports ports = make(b, SourceNode(n));
    require_outputs(n, ports);
    ports.resize(std::min(ports.size(), n.out_count()));
    // Numbers of shapes are integers: that all is f32 is what was taken for granted before.
    for (size_t i = 0; i < ports.size(); ++i)
      if (ports[i]) n.out_port(i).set_shape(ports[i].type(), Shape::unknown());
    replace_node(n, ports);
  }
};

}  // namespace

void convert(Registry& r, MakeOperator make, std::string_view ops, std::string_view before,
             std::string_view after) {
  r.transformation<ConvertOperator>(make, ops, before, after);
}

}  // namespace mo::mxnet
