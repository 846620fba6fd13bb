// Newer versions of operations become older ones where these can do the same, so that more runtimes and IR
// v10 take the model:
//   SoftMax-8 with a negative axis      ->  SoftMax-1
//   Gather-8 with indices from 0 on     ->  Gather-7
#include <mo/sdk.hpp>

namespace mo::onnx {

class PreferOlderOperations : public ModelPass {
 public:
  PreferOlderOperations() : ModelPass(MO_PHASE_BACK) {
    id = "onnx.back.prefer_older_operations";
    doc = "operations of the oldest version that can do the same";
    before = "SoftMax-8(x), Gather-8(x, indices)";
    after = "SoftMax-1(x), Gather-7(x, indices)";
    frameworks = {"onnx"};
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("SoftMax")) older_softmax(n);
    const bool ir_v10 = option<std::string>(g.context(), "ir_version").value_or("11") == "10";
    for (const Node& n : g.get_op_nodes("Gather"))
      if (n.opset() == "opset8") older_gather(g, n, ir_v10);
  }

 private:
  static void older_softmax(const Node& n) {
    const Shape s = n.out_port().shape();
    if (n.opset() != "opset8" || !s.has_rank()) return;
    n.set("axis", static_cast<int64_t>(normalize_axis(n.attr<int64_t>("axis"), s.size())));
    n.set_op("SoftMax", "opset1");
  }

  // The size of the dimension that is gathered from, when it is known.
  static std::optional<int64_t> gathered_size(const Node& n) {
    const Shape s = n.in_port(0).get_source().shape();
    const auto axis = n.in_port(2).get_source().value();
    if (!s.has_rank() || !axis) return std::nullopt;
    const Dim d = s[normalize_axis(axis->integer(0), s.size())];
    return d.is_static() ? std::optional(d.value()) : std::nullopt;
  }

  static void older_gather(const Graph& g, const Node& n, bool always) {
    const OutPort indices = n.in_port(1).get_source();
    const auto size = gathered_size(n);
    const auto value = indices.value();
    if (value) {
      auto list = value->to_ints();
      const bool negative = std::any_of(list.begin(), list.end(), [](int64_t i) { return i < 0; });
      if (!negative) return n.set_op("Gather", "opset7");
      if (size && indices.node().op() == "Const") {
        for (int64_t& i : list) i = i < 0 ? i + *size : i;
        const std::vector<double> numbers(list.begin(), list.end());
        const Tensor t = Tensor::filled(g.context(), value->type(), numbers, value->dims());
        n.in_port(1).set_source(g.create_const(n.name() + "/indices", t).out_port());
        return n.set_op("Gather", "opset7");
      }
    }
    if (!always) return;
    // IR v10 has no later version: the remainder of a division counts from the start.
    OutPort limit;
    if (size) {
      const Tensor t = Tensor::filled(g.context(), indices.type(), {static_cast<double>(*size)}, {});
      limit = g.create_const(n.name() + "/size", t).out_port();
    } else {
      const Node shape = g.create_node("ShapeOf", "opset3", n.name() + "/shape", {n.in_port(0).get_source()});
      shape.set("output_type", indices.type());
      const OutPort zero = g.create_int(n.name() + "/zero", 0).out_port();
      limit = g.create_node("Gather", "opset1", n.name() + "/size",
                            {shape.out_port(), n.in_port(2).get_source(), zero})
                  .out_port();
    }
    const Node from_start = g.create_node("FloorMod", "opset1", n.name() + "/from_start", {indices, limit});
    n.in_port(1).set_source(from_start.out_port());
    n.set_op("Gather", "opset7");
  }
};

void register_prefer_older_operations(Registry& r) { r.transformation<PreferOlderOperations>(); }

}  // namespace mo::onnx
