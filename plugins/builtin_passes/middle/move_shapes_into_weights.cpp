// Quantized weights are stored in the shape in which they are used:
//   Transpose(Multiply(Convert(w), scale))  ->  Multiply(Convert(Transpose(w)), Transpose(scale))
// The same for Reshape, Squeeze and Unsqueeze, and for what FakeQuantize makes of constants.
#include "support/fuse_transposes.hpp"
#include "support/linear_steps.hpp"
#include "support/simplifying.hpp"
#include "support/weighted_operation.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class MoveShapesIntoWeights : public ModelPass {
 public:
  MoveShapesIntoWeights() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_shapes_into_weights";
    doc = "quantized weights are stored in the shape in which they are used";
    before = R"(
      %x = Parameter -> f32[1,3]
      %w = Const -> i8[2,3] {1,2,3,4,5,6}
      %c = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[2,1] {0.5,0.25}
      %m = Multiply@opset1 (%c, %s)
      %order = Const -> i64[2] {1,0}
      %t = Transpose@opset1 (%m, %order)
      %y = MatMul@opset1 (%x, %t) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3]
      %w = Const -> i8[3,2] {1,4,2,5,3,6}
      %c = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[1,2] {0.5,0.25}
      %m = Multiply@opset1 (%c, %s)
      %y = MatMul@opset1 (%x, %m) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"middle.reshape_transposes"};
    run_before = {"middle.fuse_linear"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const char* op : {"Transpose", "Reshape", "Squeeze", "Unsqueeze"})
      for (const Node& n : g.get_op_nodes(op)) move(g, n);
  }

 private:
  using Dims = std::vector<int64_t>;
  struct NewInput {
    InPort at;
    OutPort source;
  };

  // The input of an operation on weights that comes from them; the others are constants. Nothing when it is
  // another operation, or its result has another shape.
  static std::optional<size_t> weights_input(const Node& n) {
    const std::string op = n.op();
    if (op == "Convert") return 0;
    std::optional<size_t> found;
    if (op == "FakeQuantize" && n.attr<std::string>("auto_broadcast", "numpy") == "numpy") found = 0;
    if (op == "Multiply" || op == "Subtract" || op == "Add") found = n.in_node(1).op() == "Const" ? 0 : 1;
    if (!found) return std::nullopt;
    for (const InPort& in : n.in_ports())
      if (in.index() != *found && (!in.get_source() || in.get_source().node().op() != "Const"))
        return std::nullopt;
    const Shape s = n.in_port(*found).shape();
    return s.is_static() && s == n.out_port().shape() ? found : std::nullopt;
  }

  static void move(const Graph& g, const Node& n) {
    const OutPort top = n.in_port(0).get_source();
    const std::string above = top ? top.node().op() : std::string();
    if (above != "Multiply" && above != "FakeQuantize" && above != "Convert" && above != "Subtract" &&
        above != "Add")
      return;
    const bool turns = n.op() == "Transpose";
    const Shape result = n.out_port().shape();
    if (!weights_input(top.node()) || !result.is_static() || !top.shape().is_static()) return;
    if (turns && n.in_node(1).op() != "Const") return;
    const Dims dims = top.shape().to_static(), to = result.to_static();
    if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;

    // The same for each constant: what takes its place, or nothing.
    std::map<mo_node, OutPort> known;
    const auto made = [&](const OutPort& port) -> OutPort {
      const auto value = port.value();
      if (!value || value->rank() > dims.size() || bits(value->type()) < 8) return {};
      const std::string name = port.node().name() + "/moved";
      const auto reshaped = [&](const Dims& shape) {
        return g.create_const(name, value->reshaped(g.context(), shape)).out_port();
      };
      if (value->size() == 1 && dims.size() != value->rank()) return port;
      if (value->size() == 1) return reshaped({});
      Dims own(dims.size() - value->rank(), 1);
      for (const int64_t d : value->dims()) own.push_back(d);
      if (turns)
        return g.create_node("Transpose", "opset1", name, {reshaped(own), n.in_port(1).get_source()})
            .out_port();
      const auto list = spread_dims(own, dims, to);
      return list ? reshaped(*list) : OutPort();
    };
    const auto moved = [&](const OutPort& port) {
      const auto [at, is_new] = known.try_emplace(port.node().id());
      if (is_new) at->second = made(port);
      return at->second;
    };

    std::vector<NewInput> changes;
    OutPort port = top;
    for (int depth = 0; port.node().op() != "Const"; ++depth) {
      const Node inner = port.node();
      const auto data = weights_input(inner);
      if (!data || depth == 8 || !only_reader_of(port) || inner.out_count() != 1) return;
      for (const InPort& in : inner.in_ports()) {
        if (in.index() == *data) continue;
        changes.push_back({in, moved(in.get_source())});
        if (!changes.back().source) return;
      }
      port = inner.in_port(*data).get_source();
      if (!port) return;
      if (port.node().op() != "Const") continue;
      if (!only_reader_of(port) || port.shape() != top.shape()) return;
      const auto value = port.value();
      // A single number is as large as the result all the same.
      const OutPort weights =
          value && value->size() == 1
              ? g.create_const(port.node().name() + "/moved", value->reshaped(g.context(), to)).out_port()
              : moved(port);
      changes.push_back({inner.in_port(*data), weights});
      if (!changes.back().source) return;
    }
    for (const NewInput& c : changes) c.at.set_source(c.source);
    const Node last = top.node();
    copy_runtime_info({last, n}, {last});
    top.set_tensor_names({});  // of another shape
    for (const InPort& reader : n.out_port().get_destinations()) reader.set_source(top);
    give_tensor_names(n.out_port(), top);
    take_name(n, last);
    g.infer_marked();
  }

  // Dimensions of `own`, which is spread over `dims`, when these become `to`.
  static std::optional<Dims> spread_dims(const Dims& own, const Dims& dims, const Dims& to) {
    size_t begin = 0, end = own.size();
    while (begin < end && own[begin] == 1) ++begin;
    while (end > begin && own[end - 1] == 1) --end;
    ChannelView view;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i >= begin && i < end && own[i] != dims[i]) return std::nullopt;
      (i < begin ? view.outer : i < end ? view.a : view.inner) *= static_cast<size_t>(dims[i]);
    }
    return view.list_dims(to);
  }
};

void register_move_shapes_into_weights(Registry& r) { simplifying<MoveShapesIntoWeights>(r, Stage::weights); }

}  // namespace mo::builtin_passes
