// Recurrent layers whose samples have lengths of their own become a TensorIterator where batch or time may
// change: devices pass the lengths over then, and read all samples to the end.
//   GRUSequence(x [?,?,C], h, lengths, w, r, b)
//     ->  TensorIterator(x, h, w, r, b, step < lengths) of Select(step < length, GRUCell(x[step], h), h)
#include <mo/bodies.hpp>
#include <mo/build.hpp>

#include "support/eliminate.hpp"
#include "support/expressions.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mo::builtin_passes {

class WriteOutLengths : public MatcherPass {
 public:
  WriteOutLengths() : MatcherPass(MO_PHASE_BACK) {
    id = "back.write_out_lengths";
    doc =
        "recurrent layers of lengths that are read, where sizes may change, as their cells in a "
        "TensorIterator";
    // What it makes has a body.
    before = R"(
      %x = Parameter -> f32[?,?,3]
      %h = Parameter -> f32[?,1,2]
      %n = Parameter -> i64[?]
      %w = Const -> f32[1,2,3] {0.5...}
      %r = Const -> f32[1,2,2] {0.25...}
      %b = Const -> f32[1,2] {0...}
      %y = RNNSequence@opset5 (%x, %h, %n, %w, %r, %b) {hidden_size=2, direction="forward"} -> (_, _)
      Result (%y:0))";
    after = before;
    run_after = {"back.write_out_peepholes"};
    run_before = {"back.share_body_inputs"};  // and what else is done to loops
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"opset5::LSTMSequence", "opset5::GRUSequence", "opset5::RNNSequence"}),
                     [](const Graph& g, const Match& m) { write_out(g, m.root()); });
  }

 private:
  struct Cell {
    std::string op, opset;
    size_t states, lengths;
  };
  static Cell cell_of(const Node& n) {
    if (n.is("LSTMSequence")) return {"LSTMCell", "opset4", 2, 3};
    return {n.is("GRUSequence") ? "GRUCell" : "RNNCell", "opset3", 1, 2};
  }

  static void write_out(const Graph& g, const Node& n) {
    const Cell cell = cell_of(n);
    const Build b(g, n);
    const OutPort x = b.in(0), lengths = b.in(cell.lengths);
    const Shape s = x.shape();
    only_when(s.rank() == 3 && x.type() != ElementType::unknown,
              "type or rank of what it reads is not known");
    only_when(!s[0].is_static() || !s[1].is_static(),
              "batch and time are numbers, and then devices read lengths");
    only_when(is_given(lengths, s[1]), "its lengths are all that of the sequence");
    const OutPort mask = steps_of_samples(b, cell.lengths);
    const auto direction = n.attr<std::string>("direction");
    std::vector<Ports> made;
    for (const bool reverse : {false, true})
      if (direction == "bidirectional" || (direction == "reverse") == reverse)
        made.push_back(iterated(b, n, cell, mask, static_cast<int64_t>(made.size()), reverse));
    bool named = false;
    for (uint32_t i = 0; i <= cell.states; ++i) {
      if (n.out_port(i).disconnected()) continue;
      Ports parts;
      for (const Ports& p : made) parts.push_back(b.unsqueeze(p[i], b.list({1})));
      const OutPort all = parts.size() == 1 ? parts[0] : b.concat(parts, 1);
      copy_runtime_info({n}, {all.node()});
      if (std::exchange(named, true) == false) take_name(n, all.node());
      n.out_port(i).get_connection().set_source(all, Names::merge);
    }
  }

  // Whether they come from data, or are numbers that say less than the whole of it. What comes from sizes does
  // not: front-ends that were told no lengths write that of the sequence.
  static bool is_given(const OutPort& lengths, const Dim& time) {
    Node n = lengths.node();
    while (n.is("Convert") || n.is("Broadcast")) n = n.in_node(0);
    if (n.is("Const")) {
      const auto value = n.out_port().value();
      if (!value || !is_integer(value->type())) return true;
      const auto list = value->to_ints();
      return !time.is_static() ||
             std::any_of(list.begin(), list.end(), [&](int64_t l) { return l < time.value(); });
    }
    constexpr size_t most = 200;
    std::set<mo_node> seen;
    std::vector<Node> open{n};
    while (!open.empty() && seen.size() < most) {
      const Node at = open.back();
      open.pop_back();
      if (!seen.insert(at.id()).second || at.is("ShapeOf") || at.is("Const")) continue;
      if (at.in_count() == 0) return true;
      for (const InPort& in : at.in_ports())
        if (in.get_source()) open.push_back(in.get_source().node());
    }
    return !open.empty();
  }

  // [batch, time]: whether a sample is that long. Read from the end, too, each begins with its own last step.
  static OutPort steps_of_samples(const Build& b, size_t lengths) {
    const OutPort time = b.reshape(b.dim(b.in(0), 1), b.list({}));
    const OutPort steps = b.unsqueeze(b.range(b.integer(0), time, 1), b.list({0}));
    const OutPort ends = b.unsqueeze(b.convert(b.in(lengths), ElementType::i64), b.list({1}));
    return b.op("Less", "opset1", {steps, ends});
  }

  // As the operation's outputs, without the dimension of the direction; nothing for those that nothing reads.
  static Ports iterated(const Build& b, const Node& n, const Cell& cell, const OutPort& mask,
                        int64_t direction, bool reverse) {
    const auto of_direction = [&](size_t input, int64_t axis) {
      return b.op("Gather", "opset1", {b.in(input), b.integer(direction), b.integer(axis)});
    };
    Ports inputs{b.in(0)};
    for (size_t i = 1; i <= cell.states; ++i) inputs.push_back(of_direction(i, 1));
    for (size_t i = 1; i <= 3; ++i) inputs.push_back(of_direction(cell.lengths + i, 0));
    inputs.push_back(mask);
    BodyBuilder body(b.graph().create_sub_graph("steps"));
    const ElementType type = b.in(0).type();
    const std::optional<Slices> all, steps = Slices{1, reverse};
    Ports inside;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool last = i + 1 == inputs.size();
      const ElementType own = last ? ElementType::boolean : type;
      inside.push_back(body.in("in_", inputs[i], i == 0 || last ? steps : all, own));
      inside[i].set_shape(own, i == 0 ? Shape{any_dim, 1, any_dim}
                               : last ? Shape{any_dim, 1}
                                      : inputs[i].shape());
    }
    const Build in(body.graph(), inside[0].node());
    Ports read(inside.begin() + 1, inside.end() - 1);
    read.insert(read.begin(), in.squeeze(inside[0], {1}));
    const Node step = in.node(cell.op, cell.opset, read, static_cast<uint32_t>(cell.states));
    step.set("hidden_size", n.attr<int64_t>("hidden_size")).set("clip", n.attr("clip", 0.0));
    if (const auto names = n.find_attr<std::vector<std::string>>("activations"))
      step.set("activations", *names);
    for (const char* numbers : {"activations_alpha", "activations_beta"})
      if (const auto list = n.find_attr<std::vector<double>>(numbers)) step.set(numbers, *list);
    if (n.is("GRUSequence")) step.set("linear_before_reset", n.attr("linear_before_reset", false));
    Ports results;
    const OutPort goes_on = inside.back();
    if (!n.out_port(0).disconnected()) {
      const OutPort zero = in.constant(Tensor::filled(in.context(), type, {0}, {}));
      results.push_back(in.unsqueeze(in.select(goes_on, step.out_port(0), zero), in.list({1})));
    }
    const auto state = static_cast<int64_t>(results.size());
    for (uint32_t i = 0; i < cell.states; ++i)
      results.push_back(in.select(goes_on, step.out_port(i), inside[i + 1]));
    std::vector<size_t> outputs;  // of the operation
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t output = i + 1 + cell.states - results.size();
      const bool is_read = !n.out_port(static_cast<uint32_t>(output)).disconnected();
      body.out("out_", results[i], is_read ? static_cast<int64_t>(outputs.size()) : -1,
               output == 0 ? steps : all);
      if (is_read) outputs.push_back(output);
    }
    for (size_t i = 0; i < cell.states; ++i) body.next(state + static_cast<int64_t>(i), inside[i + 1]);
    const Node made = b.node("TensorIterator", "opset1", inputs, static_cast<uint32_t>(outputs.size()));
    body.set(made);
    Ports given(1 + cell.states);
    for (size_t i = 0; i < outputs.size(); ++i) given[outputs[i]] = made.out_port(static_cast<uint32_t>(i));
    return given;
  }
};

void register_write_out_lengths(Registry& r) { r.transformation<WriteOutLengths>(); }

}  // namespace mo::builtin_passes
