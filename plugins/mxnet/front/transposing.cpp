// Dimensions in another order, and blocks of them.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace transposing {

static Ports transpose(Build& b, const SourceNode& n) {
  Ints axes = ints_of(n, "axes");
  if (axes.empty())
    for (size_t i = rank_of(b, b.in(0)); i-- > 0;) axes.push_back(static_cast<int64_t>(i));
  for (int64_t& a : axes)
    if (a < 0) a += static_cast<int64_t>(axes.size());
  return {b.transpose(b.in(0), axes)};
}

static Ports swap(Build& b, const SourceNode& n) {
  Ints order;
  for (size_t i = 0, end = rank_of(b, b.in(0)); i < end; ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[axis_of(b, b.in(0), n.native("dim1", 0))], order[axis_of(b, b.in(0), n.native("dim2", 0))]);
  return {b.transpose(b.in(0), order)};
}

template <Name Type>
static Ports blocks(Build& b, const SourceNode& n) {
  const Node d = b.node(Type, "opset1", {b.in(0)});
  d.set("mode", "blocks_first").set("block_size", n.native<int64_t>("block_size"));
  return {d.out_port()};
}

static Ports reverse(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  for (const int64_t given : ints_of(n, "axis")) {
    const size_t axis = axis_of(b, x, given);
    Ints begin(axis + 1, 0), end(axis + 1, 0), step(axis + 1, 1), mask(axis + 1, 1);
    step[axis] = -1;
    const Node s = b.node("StridedSlice", "opset1", {x, b.list(begin), b.list(end), b.list(step)});
    s.set("begin_mask", mask).set("end_mask", mask);
    x = s.out_port();
  }
  return {x};
}

}  // namespace transposing

void register_transposing(Registry& r) {
  convert<transposing::transpose>(r, "transpose _np_transpose", "transpose(x)", "Transpose(x, axes)");
  convert<transposing::swap>(r, "SwapAxis swapaxes", "SwapAxis(x)", "Transpose(x, order)");
  convert<transposing::blocks<"DepthToSpace">>(r, "depth_to_space", "depth_to_space(x)", "DepthToSpace(x)");
  convert<transposing::blocks<"SpaceToDepth">>(r, "space_to_depth", "space_to_depth(x)", "SpaceToDepth(x)");
  convert<transposing::reverse>(r, "reverse flip _npi_flip", "reverse(x)",
                                "StridedSlice(x) with a step of -1");
}

}  // namespace mo::mxnet
