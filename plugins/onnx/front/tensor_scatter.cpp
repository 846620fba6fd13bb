#include "support/build.hpp"

namespace mo::onnx {

// Entries of `update` take the place of those of the cache from the index on that each sequence of the batch
// has. Mode "circular" goes on at the beginning.
static Ports tensor_scatter(Build& b, const SourceNode& n) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort cache = b.in(0), update = b.in(1);
  const auto mode = n.native("mode", "linear");
  require(mode == "linear" || mode == "circular", "attribute 'mode' is '", mode,
          "', expected 'linear' or 'circular'");
  const int64_t axis = axis_of(n, -2);
  const Shape s = cache.shape();
  require(axis != 0 && (!s.has_rank() || axis + s.rank() != 0), "attribute 'axis' is ", axis,
          ", which is the dimension of the batch");
  const OutPort room = b.dim(cache, axis), length = b.dim(update, axis);
  // Where in `update` the entry of each place is, [batch, places].
  OutPort from = b.unsqueeze(b.range(b.integer(0), b.squeeze(room, {0}), 1), b.list({0}));
  if (b.has(2)) from = op("Subtract", from, b.unsqueeze(b.convert(b.in(2), ElementType::i64), b.list({1})));
  if (mode == "circular") from = op("FloorMod", from, room);
  const OutPort written = op("LogicalAnd", op("GreaterEqual", from, b.integer(0)), op("Less", from, length));
  const OutPort batch = b.dim(cache, 0);
  const Node all = b.node("Broadcast", "opset3", {from, b.concat({batch, room})});
  all.set("mode", "bidirectional");
  const OutPort inside =
      op("Maximum", b.integer(0), op("Minimum", all.out_port(), op("Subtract", length, b.list({1}))));
  const Node entries = b.node("Gather", "opset8", {update, inside, b.integer(axis)});
  entries.set("batch_dims", 1);
  // [batch, places] as [batch, 1.., places, 1..]
  const OutPort rank = b.rank(cache);
  const OutPort place = axis < 0 ? op("Add", rank, b.integer(axis)) : b.integer(axis);
  const auto ones = [&](const OutPort& count) {
    const Node list = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(count, Ints{1})});
    list.set("mode", "numpy");
    return list.out_port();
  };
  const OutPort shape = b.concat({b.list({-1}), ones(op("Subtract", place, b.integer(1))), room,
                                  ones(op("Subtract", op("Subtract", rank, place), b.integer(1)))});
  return {b.select(b.reshape(written, shape), entries.out_port(), cache)};
}

void register_tensor_scatter(Registry& r) {
  replace<tensor_scatter>(r, {"TensorScatter", "TensorScatter(cache, update, indices)",
                              "Select(written, Gather(update, places), cache)"});
}

}  // namespace mo::onnx
