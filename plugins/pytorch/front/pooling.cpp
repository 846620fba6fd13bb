// Pooling over windows, and to given sizes. Data may come without the dimension of the batch.
#include "support/values.hpp"

#include <numeric>

namespace mo::pytorch {

namespace pooling {

struct Windows {
  Ints kernel, strides, pads, dilations;
  bool up = false;  // sizes are rounded up
};

template <size_t Spatial>
static Windows windows_of(const Call& c) {
  Windows w;
  w.kernel = c.spatial("kernel_size", Spatial, 1);
  w.strides = c.ints("stride", {});
  if (w.strides.empty()) w.strides = w.kernel;
  if (w.strides.size() == 1) w.strides.assign(Spatial, w.strides[0]);
  w.pads = c.spatial("padding", Spatial, 0);
  w.dilations = c.spatial("dilation", Spatial, 1);
  w.up = c.flag("ceil_mode", false);
  return w;
}

static const Node& set(const Node& n, const Windows& w) {
  n.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", w.up ? "ceil_torch" : "floor");
  return n.set("pads_begin", w.pads).set("pads_end", w.pads).set("auto_pad", "explicit");
}

static bool any_not(const Ints& list, int64_t value) {
  return std::any_of(list.begin(), list.end(), [&](int64_t v) { return v != value; });
}

template <size_t Spatial>
static OutPort with_batch(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x);
  require(rank == Spatial + 1 || rank == Spatial + 2, "it reads a tensor of ", rank, " dimensions, expected ",
          Spatial + 1, " or ", Spatial + 2);
  return rank == Spatial + 1 ? c.b.unsqueeze(x, c.b.list({0})) : x;
}
template <size_t Spatial>
static OutPort as_given(const Call& c, const OutPort& y) {
  return y && c.rank("self") == Spatial + 1 ? c.b.squeeze(y, {0}) : y;
}

template <size_t Spatial, bool Indices>
static Ports greatest(const Call& c) {
  const Windows w = windows_of<Spatial>(c);
  const OutPort x = with_batch<Spatial>(c);
  const bool indices = Indices && c.b.wants(1);
  Ports out;
  if (!indices && !w.up && !any_not(w.dilations, 1)) {
    const Node n = c.b.node("MaxPool", "opset1", {x});
    out = {set(n, w).out_port(), OutPort()};
  } else {
    const Node n = c.b.node("MaxPool", w.up ? "opset14" : "opset8", {x}, 2);
    set(n, w).set("dilations", w.dilations).set("index_element_type", ElementType::i64).set("axis", 2);
    out = n.out_ports();
  }
  for (OutPort& y : out) y = as_given<Spatial>(c, y);
  if (!Indices) out.resize(1);
  return out;
}

// Zeros around the data count as data do.
static OutPort with_zeros(const Call& c, const OutPort& x, const Windows& w) {
  Ints around{0, 0};
  around.insert(around.end(), w.pads.begin(), w.pads.end());
  return c.b.pad(x, c.b.list(around), c.b.list(around), c.like(x, 0));
}

static Node averaged(const Call& c, const OutPort& x, const Windows& w, bool without_pads) {
  const Node n = c.b.node("AvgPool", w.up ? "opset14" : "opset1", {x});
  set(n, w).set("exclude-pad", without_pads);
  return n;
}

template <size_t Spatial>
static Ports average(const Call& c) {
  Windows w = windows_of<Spatial>(c);
  const OutPort x = with_batch<Spatial>(c);
  const bool pads = any_not(w.pads, 0), counts = c.flag("count_include_pad", true) && pads;
  OutPort y;
  if (c.is_given("divisor_override")) {
    const auto divisor = c.number("divisor_override");
    require(divisor != 0, "argument 'divisor_override' is 0");
    require(!w.up,
            "arguments 'ceil_mode' and 'divisor_override' together are not supported: windows that the "
            "border cuts have sums that AvgPool does not give");
    const int64_t size = std::accumulate(w.kernel.begin(), w.kernel.end(), int64_t{1}, std::multiplies<>());
    OutPort data = x;
    if (pads) data = with_zeros(c, x, w);
    w.pads = Ints(Spatial, 0);
    y = averaged(c, data, w, false).out_port();
    y = c.b.multiply(y, c.like(y, static_cast<double>(size) / divisor));
  } else if (!counts) {
    y = averaged(c, x, w, true).out_port();
  } else if (!w.up) {
    y = averaged(c, x, w, false).out_port();
  } else {
    // A window that reaches beyond the zeros counts only what is there; one that begins in those at the end
    // is none.
    Windows inner = w;
    inner.pads = Ints(Spatial, 0);
    y = averaged(c, with_zeros(c, x, w), inner, true).out_port();
    const OutPort sizes = c.b.part(c.b.shape_of(averaged(c, x, w, false).out_port()), 2, INT64_MAX);
    Ints axes(Spatial);
    std::iota(axes.begin(), axes.end(), int64_t{2});
    y = c.b.op("Slice", "opset8",
               {y, c.b.list(Ints(Spatial, 0)), sizes, c.b.list(Ints(Spatial, 1)), c.b.list(axes)});
  }
  return {as_given<Spatial>(c, y)};
}

template <size_t Spatial>
static Ports adaptive_average(const Call& c) {
  const OutPort x = with_batch<Spatial>(c);
  const OutPort sizes = c.sizes("output_size");
  const auto known = c.known(sizes);
  Ints axes(Spatial);
  std::iota(axes.begin(), axes.end(), int64_t{2});
  OutPort y;
  if (known && !any_not(*known, 1))
    y = c.b.reduce("ReduceMean", x, c.b.list(axes), true);
  else
    y = c.b.op("AdaptiveAvgPool", "opset8", {x, sizes});
  return {as_given<Spatial>(c, y)};
}

template <size_t Spatial>
static Ports adaptive_greatest(const Call& c) {
  const Node n = c.b.node("AdaptiveMaxPool", "opset8", {with_batch<Spatial>(c), c.sizes("output_size")}, 2);
  n.set("index_element_type", ElementType::i32);  // runtimes give no others
  return {as_given<Spatial>(c, n.out_port(0)), as_given<Spatial>(c, n.out_port(1))};
}

// Each value goes back to the place that its index names; of all others nothing is known, and they are 0.
static Ports put_back(const Call& c) {
  const OutPort x = c.tensor("self"), sizes = c.sizes("output_size");
  const auto rank = static_cast<int64_t>(c.rank(x));
  const auto spatial = static_cast<int64_t>(c.target().find("3d") == std::string::npos ? 2 : 3);
  require(rank > spatial, "it reads a tensor of ", rank, " dimensions, expected ", spatial + 1, " or more");
  const OutPort lead = c.b.part(c.b.shape_of(x), 0, rank - spatial);
  const OutPort lines = c.b.concat({lead, c.b.list({-1})});
  const OutPort count = c.b.reduce("ReduceProd", sizes, c.b.list({0}), true);
  const OutPort zeros = c.b.broadcast(c.like(x, 0), c.b.concat({lead, count}));
  const OutPort y = c.b.op(
      "ScatterElementsUpdate", "opset3",
      {zeros, c.b.reshape(c.tensor("indices"), lines), c.b.reshape(x, lines), c.b.integer(rank - spatial)});
  return {c.b.reshape(y, c.b.concat({lead, sizes}))};
}

}  // namespace pooling

void register_pooling(Registry& r) {
  using namespace pooling;
  convert<greatest<1, false>>(r, "aten.max_pool1d.default", "max_pool1d(x)", "MaxPool(x)");
  convert<greatest<2, false>>(r, "aten.max_pool2d.default", "max_pool2d(x)", "MaxPool(x)");
  convert<greatest<3, false>>(r, "aten.max_pool3d.default", "max_pool3d(x)", "MaxPool(x)");
  convert<greatest<1, true>>(r, "aten.max_pool1d_with_indices.default", "max_pool1d_with_indices(x)",
                             "MaxPool-8(x)");
  convert<greatest<2, true>>(r, "aten.max_pool2d_with_indices.default", "max_pool2d_with_indices(x)",
                             "MaxPool-8(x)");
  convert<greatest<3, true>>(r, "aten.max_pool3d_with_indices.default", "max_pool3d_with_indices(x)",
                             "MaxPool-8(x)");
  convert<average<1>>(r, "aten.avg_pool1d.default", "avg_pool1d(x)",
                      "AvgPool(x), of Pad(x) when sizes are rounded up");
  convert<average<2>>(r, "aten.avg_pool2d.default", "avg_pool2d(x)",
                      "AvgPool(x), of Pad(x) when sizes are rounded up");
  convert<average<3>>(r, "aten.avg_pool3d.default", "avg_pool3d(x)",
                      "AvgPool(x), of Pad(x) when sizes are rounded up");
  convert<adaptive_average<1>>(r, "aten.adaptive_avg_pool1d.default aten._adaptive_avg_pool1d.default",
                               "adaptive_avg_pool1d(x, output_size)",
                               "AdaptiveAvgPool-8(x, output_size) or ReduceMean(x)");
  convert<adaptive_average<2>>(r, "aten.adaptive_avg_pool2d.default aten._adaptive_avg_pool2d.default",
                               "adaptive_avg_pool2d(x, output_size)",
                               "AdaptiveAvgPool-8(x, output_size) or ReduceMean(x)");
  convert<adaptive_average<3>>(r, "aten.adaptive_avg_pool3d.default aten._adaptive_avg_pool3d.default",
                               "adaptive_avg_pool3d(x, output_size)",
                               "AdaptiveAvgPool-8(x, output_size) or ReduceMean(x)");
  convert<adaptive_greatest<1>>(r, "aten.adaptive_max_pool1d.default", "adaptive_max_pool1d(x, output_size)",
                                "AdaptiveMaxPool-8(x, output_size)");
  convert<adaptive_greatest<2>>(r, "aten.adaptive_max_pool2d.default", "adaptive_max_pool2d(x, output_size)",
                                "AdaptiveMaxPool-8(x, output_size)");
  convert<put_back>(r, "aten.max_unpool2d.default aten.max_unpool3d.default",
                    "max_unpool2d(x, indices, output_size)",
                    "Reshape(ScatterElementsUpdate(0, Reshape(indices), Reshape(x)))");
  convert<adaptive_greatest<3>>(r, "aten.adaptive_max_pool3d.default", "adaptive_max_pool3d(x, output_size)",
                                "AdaptiveMaxPool-8(x, output_size)");
}

}  // namespace mo::pytorch
