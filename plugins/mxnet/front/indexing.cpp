// Elements by their number. Indices are floats in MXNet, and those beyond the end count as the last one.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace indexing {

// Indices within a dimension of `size`, a list of one element. Constants become constants.
static OutPort within(const Build& b, const OutPort& given, const OutPort& size, const std::string& mode) {
  require(mode == "clip" || mode == "wrap" || mode == "raise", "attribute 'mode' is '", mode,
          "'; expected clip or wrap");
  const OutPort indices = as_index(b, given);
  if (mode == "wrap") return b.op("FloorMod", "opset1", {indices, size});
  if (mode == "raise") return indices;
  const OutPort last = b.subtract(size, b.list({1}));
  return b.op("Maximum", "opset1", {b.op("Minimum", "opset1", {indices, last}), b.integer(0)});
}

static Ports take(Build& b, const SourceNode& n) {
  const auto axis = static_cast<int64_t>(axis_of(b, b.in(0), n.native("axis", 0)));
  const OutPort indices = within(b, b.in(1), b.dim(b.in(0), axis), n.native("mode", "clip"));
  return {b.gather(b.in(0), indices, axis)};
}

static Ports embedding(Build& b, const SourceNode&) {
  (void)shape_of(b, b.in(1));
  return {b.gather(b.in(1), within(b, b.in(0), b.dim(b.in(1), 0), "clip"), 0)};
}

// One element of each row of an axis.
static Ports pick(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const size_t axis = axis_of(b, x, n.native("axis", -1));
  const auto at = static_cast<int64_t>(axis);
  OutPort indices = within(b, b.in(1), b.dim(x, at), n.native("mode", "clip"));
  if (rank_of(b, b.in(1)) != rank_of(b, x)) indices = b.unsqueeze(indices, b.list({at}));
  const Node g = b.node("GatherElements", "opset6", {x, indices});
  g.set("axis", at);
  return {n.native("keepdims", false) ? g.out_port() : b.squeeze(g.out_port(), {at})};
}

// The numbers of an element are along the first dimension of the indices.
static Ports gather_nd(Build& b, const SourceNode&) {
  const size_t rank = rank_of(b, b.in(1));
  require(rank >= 1, "its indices are a scalar");
  Ints order;
  for (size_t i = 1; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  order.push_back(0);
  const Node g = b.node("GatherND", "opset5", {b.in(0), b.transpose(as_index(b, b.in(1)), order)});
  g.set("batch_dims", 0);
  return {g.out_port()};
}

static Ports one_hot(Build& b, const SourceNode& n) {
  const OutPort indices = as_index(b, b.in(0));
  const auto number = [&](double v) {
    return b.constant(Tensor::scalar<float>(b.context(), static_cast<float>(v)));
  };
  const Node o = b.node("OneHot", "opset1",
                        {indices, b.integer(n.native<int64_t>("depth")), number(n.native("on_value", 1.0)),
                         number(n.native("off_value", 0.0))});
  o.set("axis", -1);
  return {o.out_port()};
}

// A condition of one dimension chooses whole rows.
static Ports where(Build& b, const SourceNode&) {
  OutPort condition = as_truth(b, b.in(0));
  const size_t rank = rank_of(b, b.in(1));
  if (rank_of(b, b.in(0)) == 1 && rank > 1) condition = along(b, condition, 0, rank);
  return {b.select(condition, b.in(1), b.in(2))};
}

}  // namespace indexing

void register_indexing(Registry& r) {
  convert<indexing::take>(r, "take _npi_take", "take(x, indices)",
                          "Gather(x, indices within the dimension, axis)");
  convert<indexing::embedding>(r, "Embedding _contrib_SparseEmbedding _npx_embedding",
                               "Embedding(indices, weights)",
                               "Gather(weights, indices within the dimension, 0)");
  convert<indexing::pick>(r, "pick choose_element_0index _npx_pick", "pick(x, indices)",
                          "Squeeze(GatherElements(x, indices))");
  convert<indexing::gather_nd>(r, "gather_nd _npx_gather_nd", "gather_nd(x, indices)",
                               "GatherND(x, Transpose(indices))");
  convert<indexing::one_hot>(r, "one_hot _npx_one_hot", "one_hot(indices)",
                             "OneHot(indices, depth, on_value, off_value)");
  convert<indexing::where>(r, "where _npi_where", "where(condition, x, y)",
                           "Select(NotEqual(condition, 0), x, y)");
}

}  // namespace mo::mxnet
