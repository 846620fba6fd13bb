// Channels that are put into another order, by --reverse_input_channels or by the model, are put into it in
// constants instead, where all that read them end in convolutions:
//   Convolution(Add(Gather(x, {2, 1, 0}, 1), c), w)  ->  Convolution(Add(x, c'), w')
#include <mo/slices.hpp>
#include "support/eliminate.hpp"

#include <algorithm>

namespace mo::builtin_passes {

// What stands further on moves first, and all that reads it, however far, has to end in weights: no pattern
// says that.
class MoveChannelOrderToWeights : public ModelPass {
 public:
  MoveChannelOrderToWeights() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_channel_order_to_weights";
    doc = "channels whose order changes in front of convolutions have it changed in weights instead";
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
  void run_on_model(Graph g) override {
    // One may stand behind another, which can move when that is gone.
    std::vector<std::pair<Node, std::string>> stay;
    bool moved = true;
    while (std::exchange(moved, false)) {
      stay.clear();
      for (const char* op : {"Gather", "StridedSlice", "Slice"})
        for (const Node& n : g.get_op_nodes(op)) moved = move(g, n, stay) || moved;
    }
    for (const auto& [n, why] : stay) pass_over(n, why);
  }

 private:
  using Order = std::vector<int64_t>;
  struct Change {
    InPort constant;
    size_t axis;
  };
  static constexpr size_t channels = 1, rank = 4;
  static constexpr int64_t most_channels = 64;

  static bool move(const Graph& g, const Node& n, std::vector<std::pair<Node, std::string>>& stay) {
    const auto order = order_of(n);
    if (!order) return false;
    std::vector<Change> changes;
    std::string end;
    if (!follow(n.out_port(), order->size(), changes, end)) {
      stay.emplace_back(
          n, text("'", end, "' reads its channels, and has no weights that could have their order"));
      return false;
    }
    for (const Change& c : changes) {
      const std::string name = c.constant.get_source().node().name() + "/reversed";
      c.constant.set_source(g.create_const(name, reordered(g.context(), c, *order)).out_port());
    }
    n.out_port().get_connection().set_source(n.in_port(0).get_source(), Names::source);
    n.remove();
    return true;
  }

  // Where each channel comes from, when the node does nothing but give them another order.
  static std::optional<Order> order_of(const Node& n) {
    const Shape s = source_of(n, 0).shape();
    if (s.size() != rank || !s[channels].is_static() || s[channels].value() > most_channels)
      return std::nullopt;
    auto order = n.is("Gather") ? gathered(n, s[channels].value()) : reversed(n, s[channels].value());
    if (!order) return std::nullopt;
    Order sorted = *order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != static_cast<int64_t>(i)) return std::nullopt;
    return std::is_sorted(order->begin(), order->end()) ? std::nullopt : order;
  }
  static std::optional<Order> gathered(const Node& n, int64_t count) {
    auto order = constant_ints(n, 1);
    const auto axis = constant_ints(n, 2);
    if (!order || axis != Order{channels} || n.in_port(1).shape().rank() != 1 ||
        n.attr<int64_t>("batch_dims", 0) != 0 || order->size() != static_cast<size_t>(count))
      return std::nullopt;
    for (int64_t& i : *order) i = i < 0 ? i + count : i;
    return order;
  }
  static std::optional<Order> reversed(const Node& n, int64_t count) {
    const auto dims = sliced_dims(n);
    if (!dims || dims->size() != rank) return std::nullopt;
    for (size_t i = 0; i < rank; ++i)
      if (i != channels && ((*dims)[i].kind != SlicedDim::Kind::whole || (*dims)[i].axis != i))
        return std::nullopt;
    const SlicedDim& d = (*dims)[channels];
    if (d.kind != SlicedDim::Kind::part || d.axis != channels || d.stride != -1) return std::nullopt;
    const TakenElements all = taken(d, count);
    if (all.count != count) return std::nullopt;
    Order order;
    for (int64_t i = 0; i < count; ++i) order.push_back(all.at(i));
    return order;
  }

  // Collects the constants to reverse behind `port`; false when something else would see the other order.
  static bool follow(const OutPort& port, size_t count, std::vector<Change>& changes, std::string& end) {
    const auto readers = port.get_destinations();
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      const Node n = reader.node();
      const std::string_view op = op_of(n);
      end = n.name();
      if (op == "Convolution") return reader.index() == 0 && take(n.in_port(1), 1, count, changes);
      if (op != "Add" && op != "Subtract" && op != "Multiply" && op != "Divide") return false;
      const InPort other = n.in_port(1 - reader.index());
      const auto value = other.value();
      if (!value || value->rank() > rank) return false;
      const size_t missing = rank - value->rank();
      const bool per_channel = missing <= channels && value->dim(channels - missing) != 1;
      return (!per_channel || take(other, channels - missing, count, changes)) &&
             follow(n.out_port(), count, changes, end);
    });
  }

  static bool take(const InPort& in, size_t axis, size_t count, std::vector<Change>& changes) {
    const auto value = in.value();
    if (!value || !in.get_source().node().is("Const") || bits(value->type()) < 8) return false;
    changes.push_back({in, axis});
    return value->rank() > axis && value->dim(axis) == static_cast<int64_t>(count);
  }

  // What was for channel i is for the one that comes to be channel i.
  static Tensor reordered(Context c, const Change& change, const Order& order) {
    const Tensor from = *change.constant.value();
    auto [to, data] = Tensor::create_bytes(c, from.type(), from.dims());
    size_t outer = 1;
    for (size_t i = 0; i < change.axis; ++i) outer *= static_cast<size_t>(from.dim(i));
    const size_t channel = outer == 0 ? 0 : static_cast<size_t>(from.bytes()) / outer / order.size();
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < order.size(); ++i)
        std::memcpy(static_cast<char*>(data) + (o * order.size() + static_cast<size_t>(order[i])) * channel,
                    static_cast<const char*>(from.data()) + (o * order.size() + i) * channel, channel);
    return std::move(to);
  }
};

void register_move_channel_order_to_weights(Registry& r) { r.transformation<MoveChannelOrderToWeights>(); }

}  // namespace mo::builtin_passes
