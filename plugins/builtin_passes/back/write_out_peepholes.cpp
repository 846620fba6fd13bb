// LSTMSequence-1, which no device computes, becomes version 5, or with peepholes or coupled gates its
// equations in a TensorIterator:
//   LSTMSequence-1(x, h, c, lengths, w, r, b, p)  ->  TensorIterator(x, h, c, w, r, b, p)
#include <mo/bodies.hpp>
#include <mo/build.hpp>

#include "support/eliminate.hpp"

namespace mo::builtin_passes {

namespace {

// What one step needs, inside the body.
struct PeepholeStep {
  const Build& b;
  ElementType type;
  double clip;
  bool coupled;
  std::vector<std::string> activations;

  OutPort op(std::string_view name, const OutPort& x, const OutPort& y) const {
    return b.op(name, "opset1", {x, y});
  }
  Ports split(const OutPort& x, int64_t axis, int64_t parts) const {
    const Node n = b.node("Split", "opset1", {x, b.integer(axis)}, static_cast<uint32_t>(parts));
    n.set("num_splits", parts);
    return n.out_ports();
  }
  OutPort product(const OutPort& x, const OutPort& w) const {
    const Node n = b.node("MatMul", "opset1", {x, w});
    n.set("transpose_a", false).set("transpose_b", true);
    return n.out_port();
  }
  OutPort function(size_t which, const OutPort& x) const {
    const std::string& f = activations.at(which);
    return b.op(f == "sigmoid" ? "Sigmoid" : f == "tanh" ? "Tanh" : "ReLU", "opset1", {x});
  }
  // What goes into a gate is limited, the state of the cell is not.
  OutPort gate(size_t which, OutPort x) const {
    if (clip > 0) {
      const Node n = b.node("Clamp", "opset1", {x});
      n.set("min", -clip).set("max", clip);
      x = n.out_port();
    }
    return function(which, x);
  }

  // {h, c} of the next step.
  Ports next(const OutPort& x, const OutPort& h, const OutPort& c, const Ports& weights) const {
    const OutPort all = op("Add", op("Add", product(x, weights[0]), product(h, weights[1])), weights[2]);
    const Ports g = split(all, 1, 4);  // f, i, c, o
    const Ports holes = weights.size() > 3 ? split(weights[3], 0, 3) : Ports(3);
    const auto seen = [&](const OutPort& y, const OutPort& hole, const OutPort& state) {
      return hole ? op("Add", y, op("Multiply", hole, state)) : y;
    };
    const OutPort forget = gate(0, seen(g[0], holes[0], c));
    const OutPort one = b.constant(Tensor::filled(b.context(), type, {1}, {}));
    const OutPort in = coupled ? op("Subtract", one, forget) : gate(0, seen(g[1], holes[1], c));
    const OutPort state = op("Add", op("Multiply", forget, c), op("Multiply", in, gate(1, g[2])));
    const OutPort out = gate(0, seen(g[3], holes[2], state));
    return {op("Multiply", out, function(2, state)), state};
  }
};

}  // namespace

class WriteOutPeepholes : public FrontReplacementOp {
 public:
  WriteOutPeepholes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.write_out_peepholes";
    doc = "LSTMSequence-1 as version 5, or with peepholes as its equations in a TensorIterator";
    before = R"(
      %x = Parameter -> f32[1,2,3]
      %h = Parameter -> f32[1,1,2]
      %n = Const -> i64[1] {2}
      %w = Const -> f32[1,8,3] {0.5...}
      %r = Const -> f32[1,8,2] {0.25...}
      %b = Const -> f32[1,8] {0...}
      %y = LSTMSequence@opset1 (%x, %h, %h, %n, %w, %r, %b) {hidden_size=2, direction="forward"} -> (_, _, _)
      Result (%y:0))";
    after = R"(
      %x = Parameter -> f32[1,2,3]
      %h = Parameter -> f32[1,1,2]
      %n = Const -> i64[1] {2}
      %w = Const -> f32[1,8,3] {0.5...}
      %r = Const -> f32[1,8,2] {0.25...}
      %b = Const -> f32[1,8] {0...}
      %y = LSTMSequence@opset5 (%x, %h, %h, %n, %w, %r, %b) {hidden_size=2, direction="forward"} -> (_, _, _)
      Result (%y:0))";
    op = "opset1::LSTMSequence";
    run_before = {"back.share_body_inputs"};  // and what else is done to loops
    force_clean_up = true;
    force_shape_inference = true;
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const Build b(g, n);
    const auto format = n.attr("weights_format", std::string("fico"));
    only_when(format == "fico", "its gates are in the order ", format,
              "; fico is the one that version 5 has");
    const bool coupled = n.attr("input_forget", false);
    const bool holes = b.has(7) && !is_uniform(b.in(7), 0);
    if (!coupled && !holes) {
      if (n.in_count() > 7) n.delete_input_port(7);
      for (const std::string& name : n.attr_names())
        if (name == "input_forget" || name == "weights_format") n.erase(name);
      n.set_op("LSTMSequence", "opset5");
      return {};
    }
    only_when(b.in(0).type() != ElementType::unknown && b.in(0).shape().size() == 3,
              "type or rank of the sequence is not known");
    const OutPort mask = is_whole(b) ? OutPort() : steps_of_samples(b);
    const auto direction = n.attr<std::string>("direction");
    std::vector<Ports> made;
    for (const bool reverse : {false, true})
      if (direction == "bidirectional" || (direction == "reverse") == reverse)
        made.push_back(iterated(b, n, mask, static_cast<int64_t>(made.size()), reverse, coupled, holes));
    Ports outputs(3);
    for (size_t i = 0; i < 3; ++i) {
      if (n.out_port(i).disconnected()) continue;
      Ports parts;
      for (const Ports& p : made) parts.push_back(b.unsqueeze(p[i], b.list({1})));
      outputs[i] = b.concat(parts, 1);
    }
    if (!outputs[0])
      if (const OutPort other = outputs[1] ? outputs[1] : outputs[2]) take_name(n, other.node());
    return outputs;
  }

 private:
  // All lengths are that of the sequence.
  static bool is_whole(const Build& b) {
    const Shape x = b.in(0).shape();
    const auto lengths = b.ints(3);
    return lengths && x.size() == 3 && x[1].is_static() &&
           std::all_of(lengths->begin(), lengths->end(), [&](int64_t l) { return l == x[1].value(); });
  }

  // [batch, time]: whether a sample is that long. Read from the end, too, each begins with its own last step.
  static OutPort steps_of_samples(const Build& b) {
    const OutPort time = b.reshape(b.dim(b.in(0), 1), b.list({}));
    const OutPort steps = b.unsqueeze(b.range(b.integer(0), time, 1), b.list({0}));
    const OutPort lengths = b.unsqueeze(b.convert(b.in(3), ElementType::i64), b.list({1}));
    return b.op("Less", "opset1", {steps, lengths});
  }

  // As the operation's outputs; nothing for those that nothing reads. `mask` is empty where all samples are
  // as long as the sequence.
  static Ports iterated(const Build& b, const Node& n, const OutPort& mask, int64_t direction, bool reverse,
                        bool coupled, bool holes) {
    const auto of_direction = [&](size_t input, int64_t axis) {
      return b.op("Gather", "opset1", {b.in(input), b.integer(direction), b.integer(axis)});
    };
    Ports inputs{b.in(0), of_direction(1, 1), of_direction(2, 1)};
    for (size_t i = 4; i < (holes ? 8U : 7U); ++i) inputs.push_back(of_direction(i, 0));
    const size_t weights_end = inputs.size();
    if (mask) inputs.push_back(mask);
    BodyBuilder body(b.graph().create_sub_graph("steps"));
    const ElementType type = b.in(0).type();
    const std::optional<Slices> all, steps = Slices{1, reverse};
    Ports inside;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ElementType own = i == weights_end ? ElementType::boolean : type;
      inside.push_back(body.in("in_", inputs[i], i == 0 || i == weights_end ? steps : all, own));
      inside[i].set_shape(own, i == 0             ? Shape{any_dim, 1, any_dim}
                               : i == weights_end ? Shape{any_dim, 1}
                                                  : inputs[i].shape());
    }
    const Build in(body.graph(), inside[0].node());
    const PeepholeStep step{in, type, n.attr("clip", 0.0), coupled,
                            n.attr<std::vector<std::string>>("activations")};
    const auto first_weight = inside.begin() + 3;
    Ports next = step.next(in.squeeze(inside[0], {1}), inside[1], inside[2],
                           Ports(first_weight, inside.begin() + static_cast<std::ptrdiff_t>(weights_end)));
    Ports results;
    if (!n.out_port(0).disconnected()) {
      OutPort shown = next[0];
      if (mask)
        shown = in.select(inside.back(), shown, in.constant(Tensor::filled(in.context(), type, {0}, {})));
      results.push_back(in.unsqueeze(shown, in.list({1})));
    }
    const auto state = static_cast<int64_t>(results.size());
    for (size_t i = 0; i < 2; ++i)
      results.push_back(mask ? in.select(inside.back(), next[i], inside[i + 1]) : next[i]);
    std::vector<size_t> read;  // outputs of the operation
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t output = i + 3 - results.size();
      const bool is_read = !n.out_port(output).disconnected();
      body.out("out_", results[i], is_read ? static_cast<int64_t>(read.size()) : -1,
               output == 0 ? steps : all);
      if (is_read) read.push_back(output);
    }
    body.next(state, inside[1]);
    body.next(state + 1, inside[2]);
    const Node made = b.node("TensorIterator", "opset1", inputs, static_cast<uint32_t>(read.size()));
    body.set(made);
    Ports outputs(3);
    for (size_t i = 0; i < read.size(); ++i) outputs[read[i]] = made.out_port(i);
    return outputs;
  }
};

void register_write_out_peepholes(Registry& r) { r.transformation<WriteOutPeepholes>(); }

}  // namespace mo::builtin_passes
