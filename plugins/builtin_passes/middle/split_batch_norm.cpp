// Batch normalisation with constant parameters goes into the weights in front of it, which rounds once, or
// becomes a product and a sum:
//   BatchNormInference(x, gamma, beta, mean, variance)  ->  Add(Multiply(x, factor), term)
#include "support/fuse_transposes.hpp"
#include "support/fusing_filter.hpp"
#include "support/linear_fusion.hpp"
#include "support/linear_steps.hpp"

namespace mo::builtin_passes {

class SplitBatchNorm : public MatcherPass {
 public:
  SplitBatchNorm() {
    id = "middle.split_batch_norm";
    doc = "batch normalisation with constant parameters is a product and a sum";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %g = Const -> f32[2] {1,2}
      %b = Const -> f32[2] {3,4}
      %m = Const -> f32[2] {5,6}
      %v = Const -> f32[2] {4,16}
      %y = BatchNormInference@opset5 (%x, %g, %b, %m, %v) {epsilon=0.0}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %f = Const -> f32[1,2,1,1] {0.5,0.5}
      %p = Multiply@opset1 (%x, %f)
      %t = Const -> f32[1,2,1,1] {0.5,1}
      %y = Add@opset1 (%p, %t)
      Result (%y))";
    force_clean_up = true;
    register_matcher(wrap_type({"BatchNormInference"}),
                     [this](const Graph& g, const Match& m) { take_apart(g, m.root()); });
  }
  bool graph_condition(Graph) override {
    shared_ = {};
    return true;
  }

 private:
  void take_apart(const Graph& g, const Node& n) {
    if (fusing_is_wanted(g.context())) fuse_linear_chains(g, {n}, shared_);
    if (n.out_port().disconnected()) return;
    LinearChain chain;
    if (chain.append(n)) return split(g, n, chain);
    size_t constants = 0;
    for (const InPort& in : n.in_ports()) constants += in.get_source().node().is("Const") ? 1 : 0;
    only_when(constants >= 4, "not all of its parameters are constants");
    decline("its parameters, or the epsilon ", n.attr<double>("epsilon"), ", give a factor or a term that ",
            mo::name(n.out_port().type()), " does not hold");
  }

  static void split(const Graph& g, const Node& n, const LinearChain& chain) {
    const OutPort out = n.out_port();
    const auto applied = [&](std::string_view op, const OutPort& x, const ChannelValues& values) {
      std::vector<int64_t> dims(out.shape().size(), 1);
      dims[1] = static_cast<int64_t>(values.size());
      const std::string name = text(n.name(), '/', op);
      const Node constant =
          g.create_const(name + "/constant", Tensor::filled(g.context(), out.type(), values, dims));
      const Node made = g.create_node(op, "opset1", name, {x, constant.out_port()});
      made.out_port().set_shape(out.type(), out.shape());
      return made;
    };
    const Node product = applied("Multiply", chain.x, chain.factor);
    const Node sum = applied("Add", product.out_port(), chain.term);
    copy_runtime_info({n}, {product, sum});
    for (const InPort& reader : out.get_destinations()) reader.set_source(sum.out_port());
    give_tensor_names(out, sum.out_port());
    take_name(n, sum);
  }

  SharedWeights shared_;
};

void register_split_batch_norm(Registry& r) { r.transformation<SplitBatchNorm>(); }

}  // namespace mo::builtin_passes
