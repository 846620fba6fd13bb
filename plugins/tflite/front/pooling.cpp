// Pooling over windows, and blocks of space that become channels.
#include "support/windows.hpp"

namespace mo::tflite {

namespace pooling {

static constexpr char max[] = "MaxPool", average[] = "AvgPool", to_space[] = "DepthToSpace",
                      to_depth[] = "SpaceToDepth";

// Pads are never counted.
static OutPort pooled(const Build& b, const SourceNode& n, std::string_view type, const OutPort& x) {
  const Node p = b.node(type, "opset1", {b.channels_first(x, 4)});
  Ints kernel{n.native<int64_t>("filter_height"), n.native<int64_t>("filter_width")};
  require(kernel[0] > 0 && kernel[1] > 0, "its window is ", kernel, ", expected at least 1");
  p.set("kernel", kernel).set("rounding_type", "floor");
  set_windows(p, n, 2, false);
  if (type == average) p.set("exclude-pad", true);
  return b.channels_last(p.out_port(), 4);
}

template <auto& Type>
static Ports pool(Build& b, const SourceNode& n) {
  return {activated(b, n, pooled(b, n, Type, b.in(0)))};
}

template <auto& Type>
static Ports blocks(Build& b, const SourceNode& n) {
  const Node m = b.node(Type, "opset1", {b.channels_first(b.in(0), 4)});
  m.set("block_size", n.native<int64_t>("block_size")).set("mode", "blocks_first");
  return {b.channels_last(m.out_port(), 4)};
}

}  // namespace pooling

static Ports root_of_mean_square(Build& b, const SourceNode& n) {
  const OutPort squares = op1(b, "Multiply", {b.in(0), b.in(0)});
  return {activated(b, n, op1(b, "Sqrt", {pooling::pooled(b, n, pooling::average, squares)}))};
}

void register_pooling(Registry& r) {
  using namespace pooling;
  replace<pool<max>>(r, {"MAX_POOL_2D", "MAX_POOL_2D(x)", "activation(MaxPool(x)) between Transposes"});
  replace<pool<average>>(
      r, {"AVERAGE_POOL_2D", "AVERAGE_POOL_2D(x)", "activation(AvgPool(x)) between Transposes"});
  replace<root_of_mean_square>(r,
                               {"L2_POOL_2D", "L2_POOL_2D(x)", "activation(Sqrt(AvgPool(Multiply(x, x))))"});
  replace<blocks<to_space>>(r, {"DEPTH_TO_SPACE", "DEPTH_TO_SPACE(x)", "DepthToSpace(x) between Transposes"});
  replace<blocks<to_depth>>(r, {"SPACE_TO_DEPTH", "SPACE_TO_DEPTH(x)", "SpaceToDepth(x) between Transposes"});
}

}  // namespace mo::tflite
