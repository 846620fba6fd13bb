// Devices have one order of an LSTM's gates, and take numbers in any other for it: those of the first versions are put in that order.
//   LSTMCell-1(x, h, c, w, r, b) {icof}  ->  LSTMCell-1(x, h, c, w', r', b') {fico}
#include <mo/build.hpp>

namespace mo::builtin_passes {

class OrderGates : public FrontReplacementOp {
 public:
  OrderGates() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.order_gates";
    doc = "the gates of LSTMCell-1 and LSTMSequence-1 come in the order that devices have";
    before = R"(
      %x = Parameter -> f32[1,1]
      %h = Parameter -> f32[1,1]
      %c = Parameter -> f32[1,1]
      %w = Const -> f32[4,1] {1,2,3,4}
      %r = Const -> f32[4,1] {5,6,7,8}
      %b = Const -> f32[4] {1,2,3,4}
      %y = LSTMCell@opset1 (%x, %h, %c, %w, %r, %b) {hidden_size=1, weights_format="icof"} -> (_, _)
      Result (%y:0))";
    after = R"(
      %x = Parameter -> f32[1,1]
      %h = Parameter -> f32[1,1]
      %c = Parameter -> f32[1,1]
      %w = Const -> f32[4,1] {4,1,2,3}
      %r = Const -> f32[4,1] {8,5,6,7}
      %b = Const -> f32[4] {4,1,2,3}
      %y = LSTMCell@opset1 (%x, %h, %c, %w, %r, %b) {hidden_size=1, weights_format="fico"} -> (_, _)
      Result (%y:0))";
    ops = {"opset1::LSTMCell", "opset1::LSTMSequence"};
    run_before = {"back.write_out_peepholes", "back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const std::string wanted = "fico", given = n.attr("weights_format", wanted);
    only_when(given != wanted, "its gates are in the order ", wanted, " already");
    const Build b(g, n);
    const bool cell = n.is("LSTMCell");
    const auto hidden = n.attr<int64_t>("hidden_size");
    only_when(hidden > 0 && hidden <= most, "it has ", hidden, " elements of state");
    Ints rows;
    for (const char gate : wanted)
      for (int64_t i = 0; i < hidden; ++i)
        rows.push_back(static_cast<int64_t>(given.find(gate)) * hidden + i);
    const OutPort order = b.list(rows);
    // Weights, those of the state, and biases; peepholes have an order of their own, which is always the same.
    for (size_t i = cell ? 3 : 4, end = i + 3; i < end; ++i)
      if (b.has(i)) n.in_port(i).set_source(b.gather(b.in(i), order, cell ? 0 : 1));
    n.set("weights_format", wanted);
    return {};
  }

 private:
  static constexpr int64_t most = 1 << 20;
};

void register_order_gates(Registry& r) { r.transformation<OrderGates>(); }

}  // namespace mo::builtin_passes
