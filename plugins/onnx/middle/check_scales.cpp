// Scale and shift of a normalization have to fit into what is normalized. Multiply and Add spread the smaller one of
// their inputs, whichever that is, so that a scale that is too large would make the result larger.
#include <mo/sdk.hpp>

namespace mo::onnx {

class CheckScales : public FrontReplacementOp {
 public:
  CheckScales() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "onnx.middle.check_scales";
    doc = "scale and shift of a normalization fit into what is normalized";
    before = after = "Add(Multiply(MVN(x), scale), shift)";
    frameworks = {"onnx"};
    ops = {"Multiply", "Add"};
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    only_when(n.find_attr<bool>("onnx_keeps_shape").has_value(),
              "it is no scale or shift of a normalization");
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
    require(fits, "scale or bias of the normalization do not fit into its input: it has shape ", x,
            ", and with them it is ", y, "; export the model with a scale of the sizes from 'axis' on");
  }
};

void register_check_scales(Registry& r) { r.transformation<CheckScales>(); }

}  // namespace mo::onnx
