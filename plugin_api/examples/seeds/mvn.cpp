// What a framework writes as Mean, StopGradient, SquaredDifference, Squeeze and FusedBatchNorm is one MVN:
// extensions/front/tf/mvn.py, a pattern of the front phase whose operation has an inference function of its
// own.
#include "seeds.hpp"

namespace seeds {

namespace {

using Ints = std::vector<int64_t>;

// The MVN of the pattern: the indices that are averaged over are inputs still, as they may be known late
// only. The Model Optimizer replaces the function `infer` of one node; here that is an operation of its own.
struct MvnOverInputs {
  static constexpr std::string_view type = "MVN", opset = seeds::opset;
  static void schema(mo::OpSchema& s) {
    s.doc("MVN whose reduction indices are inputs").inputs(3).outputs(1);
    s.attr<double>("eps").attr<Ints>("required_reduction_indices");
  }
  static void infer(mo::InferContext& c) {
    const auto required = c.attr<Ints>("required_reduction_indices");
    for (const size_t i : {size_t{1}, size_t{2}}) {
      const auto indices = c.ints(i);
      const char* what = i == 1 ? "mean" : "variance";
      c.require(indices.has_value(), "the reduction indices of the ", what, " are not constant");
      c.require(*indices == required, "the reduction indices of the ", what, " are not the required ones");
    }
    c.output(0, c.type(0), c.shape(0));
  }
};

struct Mvn : mo::FrontReplacementSubgraph {
  Mvn() {
    id = "seeds.front.mvn";
    doc = "mean, variance and FusedBatchNorm become MVN, Multiply and Add";
    before =
        "y = FusedBatchNorm(x, gamma, beta, Squeeze(ReduceMean(x)), "
        "Squeeze(ReduceMean(SquaredDifference(x, ReduceMean(x)))))";
    after = "y = Add(Multiply(MVN(x), gamma), beta)";
  }

  mo::SubgraphPattern pattern() override {
    using mo::edge;
    return {
        {{"mean", mo::wrap_type({"ReduceMean"})},  // TensorFlow's Mean has its name here by now
         {"stop_grad", mo::wrap_type({"StopGradient"})},
         {"sqdiff", mo::wrap_type({"SquaredDifference"})},
         {"variance", mo::wrap_type({"ReduceMean"})},
         {"squeeze_mean", mo::wrap_type({"Squeeze"})},
         {"squeeze_variance", mo::wrap_type({"Squeeze"})},
         {"fbn", mo::wrap_type({"FusedBatchNorm"})}},
        {edge("mean", "stop_grad").in(0), edge("stop_grad", "sqdiff").in(1), edge("sqdiff", "variance").in(0),
         edge("mean", "squeeze_mean").in(0), edge("variance", "squeeze_variance").in(0),
         edge("squeeze_mean", "fbn").in(3), edge("squeeze_variance", "fbn").in(4)}};
  }

  void replace_sub_graph(mo::Graph graph, mo::Match& match) override {
    const mo::Node fbn = match["fbn"], mean = match["mean"];
    const mo::OutPort input = fbn.in_port(0).get_source();
    mo::only_when(input == mean.in_port(0).get_source() && input == match["sqdiff"].in_port(0).get_source(),
                  "mean, variance and FusedBatchNorm read different tensors");
    const std::string name = fbn.name();
    const bool nhwc = attribute<std::string>(fbn, "data_format", "NHWC") == "NHWC";
    const mo::Node mvn =
        graph.create_node("MVN", seeds::opset, name + "/MVN_",
                          {input, mean.in_port(1).get_source(), match["variance"].in_port(1).get_source()});
    mvn.set("eps", attribute(fbn, "epsilon", 1e-4));
    mvn.set("required_reduction_indices", nhwc ? Ints{1, 2} : Ints{2, 3});
    // Gamma and beta have one element per channel, which is the last dimension or has two behind it.
    const auto per_channel = [&](size_t i) -> mo::OutPort {
      const mo::OutPort port = fbn.in_port(i).get_source();
      if (nhwc) return port;
      return graph.create_node("Unsqueeze", "opset1", name + "/Unsqueeze",
                               {port, graph.create_ints(name + "/axes", {1, 2})});
    };
    const mo::Node mul = graph.create_node("Multiply", "opset1", name + "/Mul_", {mvn, per_channel(1)});
    const mo::Node add = graph.create_node("Add", "opset1", name + "/Add_", {mul, per_channel(2)});
    mo::copy_runtime_info(match.nodes(), {mvn, mul, add});
    mo::replace_node(fbn, add);  // the other nodes are read by nothing now, and clean-up takes them
  }
};

// Once the indices have been checked, the operation of the operation set can do it.
struct MvnToOpset : mo::FrontReplacementOp {
  MvnToOpset() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "seeds.middle.mvn_to_opset";
    doc = "MVN with checked reduction indices becomes MVN-6";
    op = mo::text(seeds::opset, "::MVN");
  }
  std::vector<mo::OutPort> replace_op(mo::Graph graph, mo::Node node) override {
    const mo::Node mvn = graph.create_node("MVN", "opset6", node.name() + "/opset6",
                                           {node.in_port(0).get_source(), node.in_port(1).get_source()});
    mvn.set("eps", node.attr<double>("eps")).set("eps_mode", "inside_sqrt").set("normalize_variance", true);
    return {mvn};
  }
};

}  // namespace

void register_mvn(mo::Registry& registry) {
  registry.operation<MvnOverInputs>();
  registry.transformation<Mvn>();
  registry.transformation<MvnToOpset>();
}

}  // namespace seeds
