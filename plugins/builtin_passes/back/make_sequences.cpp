// A loop that does nothing but step a recurrent cell through a sequence is the operation for sequences:
//   TensorIterator(x, h, c) of LSTMCell(x[t], h, c)  ->  LSTMSequence(x, h, c, lengths)
#include <mo/build.hpp>

#include "support/cell_loop.hpp"
#include "support/move_attributes.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class MakeSequences : public FrontReplacementOp {
 public:
  MakeSequences() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.make_sequences";
    doc = "a loop around an LSTMCell, GRUCell or RNNCell becomes LSTMSequence, GRUSequence or RNNSequence";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %h = Parameter -> f32[2,1]
      %y = TensorIterator@opset1 (%x, %h) {
        port_map=["in 0 -> 0 axis=1", "in 1 -> 1", "out 0 <- 0 axis=1", "out 1 <- 1"],
        back_edges=[1,1],
        body=graph { %a = Parameter -> f32[2,1,4]
          %b = Parameter -> f32[2,1]
          %one = Const -> i64[1] {1}
          %s = Squeeze@opset1 (%a, %one)
          %w = Const -> f32[1,4] {0.5,-0.25,0.125,1}
          %r = Const -> f32[1,1] {0.5}
          %k = Const -> f32[1] {0.25}
          %c = RNNCell@opset3 (%s, %b, %w, %r, %k) {hidden_size=1}
          %u = Unsqueeze@opset1 (%c, %one)
          Result (%u)
          Result (%c) }} -> (_, _)
      Result (%y:0)
      Result (%y:1))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %h = Parameter -> f32[2,1]
      %one = Const -> i64[1] {1}
      %start = Unsqueeze@opset1 (%h, %one)
      %n = Const -> i64[2] {3,3}
      %w = Const -> f32[1,1,4] {0.5,-0.25,0.125,1}
      %r = Const -> f32[1,1,1] {0.5}
      %k = Const -> f32[1,1] {0.25}
      %y = RNNSequence@opset5 (%x, %start, %n, %w, %r, %k) {hidden_size=1, direction="forward"} -> (_, _)
      %first = Const -> i64[1] {1}
      %all = Squeeze@opset1 (%y:0, %first)
      %second = Const -> i64[1] {1}
      %last = Squeeze@opset1 (%y:1, %second)
      Result (%all)
      Result (%last))";
    ops = {"opset1::TensorIterator", "opset5::Loop"};
    run_before = {"back.simplify_again"};
    run_after = {"back.move_constants_into_bodies", "back.remove_unused_body_outputs"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const auto loop = cell_loop(n);
    if (!loop) return {};
    const Build b(g, n);
    const Node sequence = sequence_of(b, *loop);
    Ports outputs(n.out_count());
    for (size_t i = 0; i < outputs.size(); ++i)
      if (!n.out_port(i).disconnected()) outputs[i] = formed(b, sequence, loop->outputs[i]);
    if (!outputs[0]) take_name(n, sequence);
    copy_runtime_info({n, loop->cell}, {sequence});
    return outputs;
  }

 private:
  static Node sequence_of(const Build& b, const CellLoop& loop) {
    const auto hidden = loop.cell.attr<int64_t>("hidden_size");
    const OutPort x = loop.axis == 1 ? loop.x : b.transpose(loop.x, {1, 0, 2});
    Ports inputs{x};
    for (const OutPort& s : loop.states) {
      const Shape shape = s.shape();
      inputs.push_back(shape.size() == 2 && shape[1] == Dim(hidden) ? b.unsqueeze(s, b.list({1}))
                                                                    : b.reshape(s, {-1, 1, hidden}));
    }
    const Node lengths =
        b.node("Broadcast", "opset3", {b.dim(loop.x, loop.axis), b.dim(loop.x, 1 - loop.axis)});
    lengths.set("mode", "numpy");
    inputs.push_back(lengths.out_port());
    for (const OutPort& w : loop.weights) {
      const bool known = w.node().is("Const");
      inputs.push_back(b.unsqueeze(known ? b.constant(*w.value()) : w, b.list({0})));
    }
    std::string type = loop.cell.op();
    type.replace(type.find("Cell"), 4, "Sequence");
    const Node made = b.node(type, "opset5", inputs, static_cast<uint32_t>(1 + loop.states.size()));
    move_attributes(loop.cell, made);
    made.set("direction", loop.reverse ? "reverse" : "forward");
    return made;
  }

  // Y [batch, 1, time, hidden] or a last state [batch, 1, hidden], as the loop gave it.
  static OutPort formed(const Build& b, const Node& sequence, const CellLoop::Output& o) {
    const OutPort made = b.squeeze(sequence.out_port(o.axis ? 0 : 1 + o.state), {1});
    if (o.axis) return *o.axis == 1 ? made : b.transpose(made, {1, 0, 2});
    return o.one ? b.unsqueeze(made, b.list({static_cast<int64_t>(*o.one)})) : made;
  }
};

void register_make_sequences(Registry& r) { simplifying<MakeSequences>(r, Stage::weights); }

}  // namespace mo::builtin_passes
