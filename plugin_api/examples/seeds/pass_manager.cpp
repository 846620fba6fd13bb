// ModelPass, GraphRewrite and Manager: two matchers in one traversal, and a pass that runs others; and the
// patterns of the documents, matched by hand.
#include "seeds.hpp"

namespace seeds {

namespace {

// Stands for what a pass does: it marks what it has seen.
struct MarkPass : mo::MatcherPass {
  MarkPass(std::string pass_id, std::string op, std::string mark) {
    id = std::move(pass_id);
    doc = "marks " + op;
    register_matcher(mo::wrap_type({op}), [mark](mo::Graph, mo::Match& m) {
      mo::only_when(!m.root().rt_info<std::string>("seen"), "it has been seen");
      m.root().set_rt_info("seen", mark);
    });
  }
};

struct MarkAll : mo::GraphRewrite {
  MarkAll() {
    id = "seeds.mark_all";
    enabled = false;
    add_matcher<MarkPass>("seeds.mark_relu", "ReLU", "relu");
    add_matcher<MarkPass>("seeds.mark_divide", "Divide", "divide");
  }
};

struct DecomposeAndMark : mo::ModelPass {
  DecomposeAndMark() {
    id = "seeds.decompose_and_mark";
    doc = "runs other passes, one after the other";
    enabled = false;
  }
  void run_on_model(mo::Graph graph) override {
    mo::Manager manager(graph.context());
    manager.register_pass("seeds.div_to_power_multiply").register_pass<MarkAll>();
    manager.run_passes(graph);
  }
};

// A Multiply or Add with a constant on either side, a Concat of any number of inputs, and a node found by its
// attributes: looked for on every node by hand, without a MatcherPass.
struct DescribeNodes : mo::ModelPass {
  DescribeNodes() {
    id = "seeds.describe_nodes";
    doc = "says which pattern each node fits";
    enabled = false;
  }
  void run_on_model(mo::Graph graph) override {
    const auto input = mo::any_input();
    mo::Matcher scaled(mo::wrap_type({"Multiply", "Add"}, {input, mo::constant()})->commutative());
    mo::Matcher concat(mo::wrap_type({"Concat"}));
    mo::Matcher last_axis(
        mo::any_of({mo::wrap_type({"SoftMax"})->with("axis", -1),
                    mo::wrap_type({"LogSoftmax"})->where<int64_t>("axis", [](const int64_t& axis) {
                      return axis < 0;
                    })}));
    for (const mo::Node& node : graph.nodes()) {
      if (scaled.match(node))
        node.set_rt_info("fits", mo::text("scaled ", scaled.state().port(input).node().name()));
      if (concat.match(node)) node.set_rt_info("fits", mo::text("concat of ", node.in_count()));
      if (last_axis.match(node)) node.set_rt_info("fits", "last axis");
    }
  }
};

// A MatcherPass on single nodes, from inside another transformation.
struct MarkOutputs : mo::ModelPass {
  MarkOutputs() {
    id = "seeds.mark_outputs";
    doc = "marks the ReLU that give an output";
    enabled = false;
  }
  void run_on_model(mo::Graph graph) override {
    MarkPass mark("seeds.mark_output", "ReLU", "output");
    for (const mo::Node& result : graph.results()) mark.apply(result.in_node(0));
  }
};

}  // namespace

void register_pass_manager(mo::Registry& registry) {
  registry.transformation<MarkAll>();
  registry.transformation<DecomposeAndMark>();
  registry.transformation<DescribeNodes>();
  registry.transformation<MarkOutputs>();
}

}  // namespace seeds
