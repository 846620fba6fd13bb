// Scale and shift of a normalization have to fit into what is normalized. Multiply and Add spread the smaller one of
// their inputs, whichever that is, so that a scale that is too large would make the result larger.
// Which products and sums are scales is a mark on them and no pattern: a candidate each would cost every model.
#include <mo/sdk.hpp>

namespace mo::onnx {

class CheckScales : public ModelPass {
 public:
  CheckScales() : ModelPass(MO_PHASE_MIDDLE) {
    id = "onnx.middle.check_scales";
    doc = "scale and shift of a normalization fit into what is normalized";
    before = after = "Add(Multiply(MVN(x), scale), shift)";
    frameworks = {"onnx"};
  }
  void run_on_model(Graph g) override {
    for (const char* op : {"Multiply", "Add"})
      for (const Node& n : g.get_op_nodes(op))
        if (n.has("onnx_keeps_shape")) check(n);
  }

 private:
  static void check(const Node& n) {
    n.erase("onnx_keeps_shape");
    Node norm = n;
    while (!norm.is("MVN")) {
      if (!norm.is("Multiply") && !norm.is("Add")) return;
      norm = norm.in_port(0).get_source().node();
    }
    const Shape x = norm.out_port().shape(), y = n.out_port().shape();
    if (!x.has_rank() || !y.has_rank()) return;
    bool fits = x.rank() == y.rank();
    for (size_t i = 0; fits && i < x.size(); ++i) fits = intersect(x[i], y[i]).has_value();
    if (!fits)
      throw Error(
          text("scale or bias of the normalization do not fit into its input: it has shape ", x,
               ", and with them it is ", y, "; export the model with a scale of the sizes from 'axis' on"),
          MO_ERROR, n.id());
  }
};

void register_check_scales(Registry& r) { r.transformation<CheckScales>(); }

}  // namespace mo::onnx
