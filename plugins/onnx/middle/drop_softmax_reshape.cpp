// A softmax over the flattened dimensions from an axis on works on that axis alone when the others are 1:
//   Reshape(SoftMax(Reshape(x)), ShapeOf(x))  ->  SoftMax(x)
#include <mo/sdk.hpp>

namespace mo::onnx {

class DropSoftmaxReshape : public FrontReplacementOp {
 public:
  DropSoftmaxReshape() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "onnx.middle.drop_softmax_reshape";
    doc = "a softmax over flattened dimensions works on one axis where the others are 1";
    before = "Reshape(SoftMax(Reshape(x)), ShapeOf(x))";
    after = "SoftMax(x)";
    frameworks = {"onnx"};
    ops = {"SoftMax", "LogSoftmax"};
    run_after = {"middle.fold_ranks"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    if (const auto axis = n.find_attr<int64_t>("onnx_axis")) drop(n, *axis);
  }

 private:
  static void drop(const Node& softmax, int64_t axis) {
    softmax.erase("onnx_axis");
    const OutPort flat = softmax.in_port(0).get_source();
    if (!flat.node().is("Reshape") || softmax.out_port().destination_count() != 1) return;
    const Node back = softmax.out_port().get_destination().node();
    const OutPort x = flat.node().in_port(0).get_source();
    const Shape s = x.shape();
    if (!back.is("Reshape") || !s.has_rank()) return;
    const auto chosen = static_cast<int64_t>(axis < 0 ? axis + s.rank() : axis);
    if (chosen < 0 || chosen >= s.rank()) return;
    for (size_t i = static_cast<size_t>(chosen) + 1; i < s.size(); ++i)
      if (s[i] != Dim(1)) return;
    softmax.in_port(0).set_source(x);
    softmax.set("axis", chosen);
    const std::string name = back.name();
    back.rename(name + "/reshaped");
    softmax.rename(name);
    back.out_port().get_connection().set_source(softmax.out_port(), Names::merge);
  }
};

void register_drop_softmax_reshape(Registry& r) { r.transformation<DropSoftmaxReshape>(); }

}  // namespace mo::onnx
