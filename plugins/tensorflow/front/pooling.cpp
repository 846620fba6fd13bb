// Pooling over windows, and blocks of space that become channels.
#include "support/known.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace pooling {

struct Pool {
  Ints kernel, strides;
};

static void set_attributes(const Node& p, const SourceNode& n, const Layout& l, const Pool& w) {
  p.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", "floor");
  set_padding(p, read_padding(n, l));
}

static Pool by_attributes(const SourceNode& n, const Layout& l) {
  return {native_spatial_part(n, l, "ksize"), native_spatial_part(n, l, "strides")};
}

template <auto& Type>
static Ports pooled(const Build& b, const SourceNode& n, const Layout& l, const Pool& w) {
  const Node p = b.node(Type, "opset1", {to_channels_first(b, l, b.in(0))});
  set_attributes(p, n, l, w);
  if (std::string_view(Type) == "AvgPool") p.set("exclude-pad", true);
  return {from_channels_first(b, l, p.out_port())};
}

template <auto& Type>
static Ports pool(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  return pooled<Type>(b, n, l, by_attributes(n, l));
}

template <auto& Type>
static Ports pool_v2(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  return pooled<Type>(b, n, l,
                      {spatial_part(l, required_ints(b, 1, "the size of the window"), "ksize"),
                       spatial_part(l, required_ints(b, 2, "the strides"), "strides")});
}

namespace types {
static constexpr char max[] = "MaxPool", average[] = "AvgPool";
}

}  // namespace pooling

// The place of each greatest element, counted in the picture with its channels, or in the whole batch.
static Ports max_pool_with_argmax(Build& b, const SourceNode& n) {
  const Layout l;
  const OutPort x = b.in(0);
  const Node p = b.node("MaxPool", "opset8", {to_channels_first(b, l, x)}, 2);
  pooling::set_attributes(p, n, l, pooling::by_attributes(n, l));
  p.set("dilations", Ints{1, 1}).set("index_element_type", ElementType::i64).set("axis", 2);
  if (!b.wants(1)) return {from_channels_first(b, l, p.out_port(0)), OutPort()};
  const auto op = [&](std::string_view t, const OutPort& left, const OutPort& right) {
    return b.op(t, "opset1", {left, right});
  };
  const OutPort channels = b.dim(x, 3);
  const OutPort channel = b.range(b.integer(0), b.squeeze(channels, {0}), 1);
  OutPort place = op("Add", op("Multiply", from_channels_first(b, l, p.out_port(1)), channels), channel);
  if (n.native("include_batch_in_index", false)) {
    const OutPort picture = b.reduce("ReduceProd", b.part(b.shape_of(x), 1, INT64_MAX), b.list({0}), true);
    const OutPort number = b.range(b.integer(0), b.squeeze(b.dim(x, 0), {0}), 1);
    place = op("Add", place, b.reshape(op("Multiply", number, picture), {-1, 1, 1, 1}));
  }
  return {from_channels_first(b, l, p.out_port(0)), b.convert(place, n.native("Targmax", ElementType::i64))};
}

template <auto& Type>
static Ports blocks_of_space(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  const Node m = b.node(Type, "opset1", {to_channels_first(b, l, b.in(0))});
  m.set("block_size", n.native<int64_t>("block_size")).set("mode", "blocks_first");
  return {from_channels_first(b, l, m.out_port())};
}

namespace block_types {
static constexpr char to_space[] = "DepthToSpace", to_depth[] = "SpaceToDepth";
}

void register_pooling(Registry& r) {
  using namespace pooling;
  const auto max = "MaxPool(x) between Transposes", average = "AvgPool(x) between Transposes";
  replace<pool<types::max>>(r, {"MaxPool", "MaxPool(x)", max});
  replace<pool<types::max>>(r, {"MaxPool3D", "MaxPool3D(x)", max});
  replace_late<pool_v2<types::max>>(r, {"MaxPoolV2", "MaxPoolV2(x, size, strides)", max});
  replace<pool<types::average>>(r, {"AvgPool", "AvgPool(x)", average});
  replace<pool<types::average>>(r, {"AvgPool3D", "AvgPool3D(x)", average});
  replace_late<pool_v2<types::average>>(r, {"AvgPoolV2", "AvgPoolV2(x, size, strides)", average});
  replace<max_pool_with_argmax>(r, {"MaxPoolWithArgmax", "y, places = MaxPoolWithArgmax(x)",
                                    "y, places = MaxPool-8(x) between Transposes"});
  replace<blocks_of_space<block_types::to_space>>(
      r, {"DepthToSpace", "DepthToSpace(x)", "DepthToSpace(x) between Transposes"});
  replace<blocks_of_space<block_types::to_depth>>(
      r, {"SpaceToDepth", "SpaceToDepth(x)", "SpaceToDepth(x) between Transposes"});
}

}  // namespace mo::tensorflow
