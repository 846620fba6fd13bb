// Sums and products with constants are joined, and go into the weights before them:
//   Add(Add(x, a), b)                        ->  Add(x, a + b)
//   Multiply(Multiply(x, a), b)              ->  Multiply(x, a * b)
//   Multiply(Convolution(x, w), a)           ->  Convolution(x, w * a)
//   Multiply(Add(Convolution(x, w), a), b)   ->  Add(Convolution(x, w * b), a * b)
// MatMul and the other convolutions as well. New constants are computed when the graph is cleaned up.
#include "support/products.hpp"

namespace mo::builtin_passes {

class FuseLinear : public ModelPass {
 public:
  FuseLinear() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_linear";
    doc = "sums and products with constants go into one another and into weights";
    before = "Multiply(Add(Convolution(x, w), a), b), Add(Add(x, a), b)";
    after = "Add(Convolution(x, w * b), a * b), Add(x, a + b)";
    frameworks = {"tf"};
    run_after = {"middle.move_transposes"};
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override {
    return !option<bool>(g.context(), "disable_fusing").value_or(false);
  }
  void run_on_model(Graph g) override {
    // A constant that was joined is one when the graph has been cleaned up.
    for (bool changed = true; changed;) {
      changed = false;
      for (const char* op : {"Multiply", "Add"})
        for (const Node& n : g.get_op_nodes(op))
          if (const auto outer = operands_of(n)) changed |= fuse(g, n, *outer);
      if (changed) g.clean_up();
    }
  }

 private:
  struct Operands {
    OutPort data;
    Node constant;
    size_t place;  // in-port of the constant
  };

  // A sum or product of floats with a constant that leaves the shape alone.
  static std::optional<Operands> operands_of(const Node& n) {
    for (const size_t place : {size_t{1}, size_t{0}}) {
      const OutPort data = n.in_port(1 - place).get_source(), constant = n.in_port(place).get_source();
      if (!data || !constant || constant.node().op() != "Const" || data.node().op() == "Const") continue;
      const Shape shape = data.shape();
      if (!is_float(constant.type()) || !shape.has_rank() || shape != n.out_port().shape()) continue;
      return Operands{data, constant.node(), place};
    }
    return std::nullopt;
  }

  static bool fuse(const Graph& g, const Node& n, const Operands& outer) {
    const Node before = outer.data.node();
    const bool scales = n.op() == "Multiply";
    if (scales)
      if (const auto product = factor_for(outer.data, outer)) {
        product->multiply(g, outer.constant);
        leave_out(n, before);
        return true;
      }
    const std::string op = before.op();
    if ((op != "Add" && op != "Multiply") || outer.data.destination_count() != 1) return false;
    const auto inner = operands_of(before);
    if (!inner) return false;
    if (op != n.op()) {
      if (!scales) return false;
      const auto product = factor_for(inner->data, outer);
      if (!product) return false;
      product->multiply(g, outer.constant);
      product->node().out_port().set_tensor_names({});
    }
    const Node joined = g.create_node(n.op(), "opset1", inner->constant.name() + "/joined",
                                      {inner->constant.out_port(), outer.constant.out_port()});
    before.in_port(inner->place).set_source(joined.out_port());
    leave_out(n, before);
    return true;
  }

  static std::optional<Product> factor_for(const OutPort& output, const Operands& factors) {
    auto product = Product::behind(output);
    if (product && !product->takes(*factors.constant.out_port().value())) product.reset();
    return product;
  }

  // What read `n` reads `heir`, which gives the same now, and has its names.
  static void leave_out(const Node& n, const Node& heir) {
    const auto names = n.out_port().tensor_names();
    const std::string name = n.name();
    copy_runtime_info({n, heir}, {heir});
    n.out_port().get_connection().set_source(heir.out_port(), Names::merge);
    heir.out_port().set_tensor_names(names);
    n.remove();
    heir.rename(name);
  }
};

void register_fuse_linear(Registry& r) {
  r.option("disable_fusing", MO_OPTION_FLAG, "sums and products with constants stay operations of their own");
  r.transformation<FuseLinear>();
}

}  // namespace mo::builtin_passes
