// Pooling in windows, of all places, and into as many places as are wanted.
#include "support/windows.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace pooling {

static Ints kernel_of(const Op& o, size_t count) {
  return per_dimension(o.fixed("1", "kernel_size ksize"), count, 1, "kernel_size");
}

static OutPort adaptive(const Op& o, const OutPort& x, bool is_max, const Ints& wanted) {
  Ports sizes;
  bool one = true, known = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    known = known && wanted[i] > 0;
    one = one && wanted[i] == 1;
    sizes.push_back(wanted[i] > 0 ? o.list({wanted[i]}) : o.dim(x, static_cast<int64_t>(i) + 2));
  }
  if (one) return o.reduce(is_max ? "ReduceMax" : "ReduceMean", x, o.axes(x, 2, INT64_MAX), true);
  const OutPort size = known ? o.list(wanted) : o.concat(sizes);
  if (!is_max) return o.op("AdaptiveAvgPool", "opset8", {x, size});
  return o.node("AdaptiveMaxPool", "opset8", {x, size}, 2)
      .set("index_element_type", ElementType::i32)  // runtimes give no others
      .out_port();
}

static Node windowed(const Op& o, std::string_view type, std::string_view opset, const OutPort& x,
                     const Windows& w, uint32_t outputs = 1) {
  const Node n = o.node(type, opset, {x}, outputs);
  set_pads(n, w);
  n.set("kernel", w.kernel).set("rounding_type", o.flag("ceil_mode", false) ? "ceil" : "floor");
  return n;
}

// What is padded counts where `exclusive` is false; what a last window has beyond that never does.
static OutPort mean(const Op& o, const OutPort& x, Windows w) {
  const bool exclusive = o.flag("exclusive", true), ceil = o.flag("ceil_mode", false);
  OutPort source = x;
  const auto is_zero = [](int64_t p) { return p == 0; };
  const bool pads = !std::all_of(w.begin.begin(), w.begin.end(), is_zero) ||
                    !std::all_of(w.end.begin(), w.end.end(), is_zero);
  if (!exclusive && ceil && pads) {
    Ints begin{0, 0}, end{0, 0};
    begin.insert(begin.end(), w.begin.begin(), w.begin.end());
    end.insert(end.end(), w.end.begin(), w.end.end());
    source = o.pad(x, o.list(begin), o.list(end), o.like(x, 0));
    w.begin.assign(w.kernel.size(), 0);
    w.end = w.begin;
  }
  const Node n = windowed(o, "AvgPool", "opset1", source, w);
  n.set("exclude-pad", exclusive || ceil);
  return n.out_port();
}

template <size_t Spatial>
static Ports pool(const Op& o) {
  const std::string type = o.word("pooling_type", "max");
  require(type == "max" || type == "avg", "attribute 'pooling_type' is '", type, "', expected max or avg");
  const bool is_max = type == "max";
  return {channels_first_of(o, o.in("0 X"), is_channels_last(o), [&](const OutPort& x) {
    if (o.flag("global_pooling", false)) return adaptive(o, x, is_max, Ints(Spatial, 1));
    const Ints kernel = kernel_of(o, Spatial);
    if (o.flag("adaptive", false)) return adaptive(o, x, is_max, kernel);
    const Windows w =
        read_windows(o, kernel, [&](size_t i) { return o.dim_of(x, static_cast<int64_t>(i) + 2); });
    return is_max ? windowed(o, "MaxPool", "opset1", x, w).out_port() : mean(o, x, w);
  })};
}

// With the places that the greatest have in their plane.
template <size_t Spatial>
static Ports with_index(const Op& o) {
  const OutPort x = o.in("0 X");
  Ints kernel = per_dimension(o.ints("kernel_size ksize"), Spatial, 1, "kernel_size");
  Node n;
  if (o.flag("adaptive", false)) {
    n = o.node("AdaptiveMaxPool", "opset8", {x, o.list(kernel)}, 2);
  } else {
    Windows w = o.flag("global_pooling", false) ? Windows{} : read_windows(o, kernel, {});
    if (w.kernel.empty()) {
      for (size_t i = 0; i < Spatial; ++i) w.kernel.push_back(o.dim_of(x, static_cast<int64_t>(i) + 2));
      w.strides.assign(Spatial, 1);
      w.dilations = w.strides;
      w.begin.assign(Spatial, 0);
      w.end = w.begin;
    }
    n = windowed(o, "MaxPool", "opset8", x, w, 2);
    n.set("dilations", w.dilations).set("axis", 2);
  }
  n.set("index_element_type", ElementType::i32);
  return o.give({{"0 Out", {n.out_port(0)}}, {"1 Mask", {n.out_port(1)}}});
}

}  // namespace pooling

void register_pooling(Registry& r) {
  using namespace pooling;
  convert<pool<2>>(r, "pool2d", "pool2d(x)", "MaxPool(x), AvgPool(x), ReduceMean(x) or AdaptiveAvgPool(x)");
  convert<pool<3>>(r, "pool3d", "pool3d(x)", "MaxPool(x), AvgPool(x), ReduceMean(x) or AdaptiveAvgPool(x)");
  convert<with_index<2>>(r, "max_pool2d_with_index", "max_pool2d_with_index(x)", "MaxPool(x)");
  convert<with_index<3>>(r, "max_pool3d_with_index", "max_pool3d_with_index(x)", "MaxPool(x)");
}

}  // namespace mo::paddle
