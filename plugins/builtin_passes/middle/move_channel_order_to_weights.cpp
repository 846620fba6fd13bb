// What --reverse_input_channels does to the input is done to constants instead, where all that read it end in
// convolutions:
//   Convolution(Add(Gather(x, {2, 1, 0}, 1), c), w)  ->  Convolution(Add(x, c'), w')
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

class MoveChannelOrderToWeights : public ModelPass {
 public:
  MoveChannelOrderToWeights() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_channel_order_to_weights";
    doc = "channels that --reverse_input_channels reverses are reversed in weights instead";
    before = R"(
      %x = Parameter -> f32[1,3,2,2]
      %order = Const -> i64[3] {2,1,0}
      %axis = Const -> i64[] {1}
      %r = Gather@opset1 (%x, %order, %axis)
      %m = Const -> f32[1,3,1,1] {-1,-2,-3}
      %s = Add@opset1 (%r, %m)
      %w = Const -> f32[1,3,1,1] {4,5,6}
      %y = Convolution@opset1 (%s, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,2,2]
      %m = Const -> f32[1,3,1,1] {-3,-2,-1}
      %s = Add@opset1 (%x, %m)
      %w = Const -> f32[1,3,1,1] {6,5,4}
      %y = Convolution@opset1 (%s, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      Result (%y))";
    run_after = {"middle.reverse_input_channels", "middle.move_transposes"};
    run_not_recursively = true;
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override {
    return option<bool>(g.context(), "reverse_input_channels").value_or(false);
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Gather")) {
      if (!reverses_channels(n)) continue;
      std::vector<Change> changes;
      if (!follow(n.out_port(), changes)) continue;
      for (const Change& c : changes) {
        const std::string name = c.constant.get_source().node().name() + "/reversed";
        c.constant.set_source(g.create_const(name, reversed(g.context(), c)).out_port());
      }
      n.out_port().get_connection().set_source(n.in_port(0).get_source(), Names::source);
    }
  }

 private:
  struct Change {
    InPort constant;
    size_t axis;
  };
  static constexpr size_t channels = 1, rank = 4;

  static bool reverses_channels(const Node& n) {
    const auto order = n.in_port(1).value(), axis = n.in_port(2).value();
    return order && axis && order->to_ints() == std::vector<int64_t>{2, 1, 0} &&
           axis->to_ints() == std::vector<int64_t>{channels} && n.in_port(0).shape().size() == rank &&
           n.in_port(0).shape()[channels] == Dim(3);
  }

  // Collects the constants to reverse behind `port`; false when something else would see the other order.
  static bool follow(const OutPort& port, std::vector<Change>& changes) {
    const auto readers = port.get_destinations();
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      const Node n = reader.node();
      const std::string op = n.op();
      if (op == "Convolution") return reader.index() == 0 && take(n.in_port(1), 1, changes);
      if (op != "Add" && op != "Subtract" && op != "Multiply" && op != "Divide") return false;
      const InPort other = n.in_port(1 - reader.index());
      const auto value = other.value();
      if (!value || value->rank() > rank) return false;
      const size_t missing = rank - value->rank();
      const bool per_channel = missing <= channels && value->dim(channels - missing) != 1;
      return (!per_channel || take(other, channels - missing, changes)) && follow(n.out_port(), changes);
    });
  }

  static bool take(const InPort& in, size_t axis, std::vector<Change>& changes) {
    const auto value = in.value();
    if (!value || in.get_source().node().op() != "Const" || bits(value->type()) < 8) return false;
    changes.push_back({in, axis});
    return value->rank() > axis && value->dim(axis) == 3;
  }

  static Tensor reversed(Context c, const Change& change) {
    const Tensor from = *change.constant.value();
    auto [to, data] = Tensor::create_bytes(c, from.type(), from.dims());
    size_t outer = 1;
    for (size_t i = 0; i < change.axis; ++i) outer *= static_cast<size_t>(from.dim(i));
    const size_t channel = outer == 0 ? 0 : static_cast<size_t>(from.bytes()) / outer / 3;
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < 3; ++i)
        std::memcpy(static_cast<char*>(data) + (o * 3 + i) * channel,
                    static_cast<const char*>(from.data()) + (o * 3 + 2 - i) * channel, channel);
    return std::move(to);
  }
};

void register_move_channel_order_to_weights(Registry& r) { r.transformation<MoveChannelOrderToWeights>(); }

}  // namespace mo::builtin_passes
