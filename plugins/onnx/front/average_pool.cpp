// AveragePool whose pads count and whose sizes are rounded up; any other is extract/pooling.cpp. With pads
// the runtime divides by the whole kernel, also where the last window reaches beyond them, which counts only
// what is there: zeros around the data leave AvgPool without pads.
#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

namespace average_pooling {

static Node pool(const Build& b, const OutPort& x, const Windows& w) {
  const bool dilated = is_dilated(w);
  const Node n = b.node("AvgPool",
                        dilated                      ? "opset16"
                        : w.rounding == "ceil_torch" ? "opset14"
                                                     : "opset1",
                        {x});
  set_windows(n, w);
  if (dilated) n.set("dilations", w.dilations);
  n.set("exclude-pad", false);
  return n;
}

static OutPort with_zeros(const Build& b, const OutPort& x, const Windows& w) {
  Ints before{0, 0}, after{0, 0};
  before.insert(before.end(), w.pads_begin.begin(), w.pads_begin.end());
  after.insert(after.end(), w.pads_end.begin(), w.pads_end.end());
  const Node n = b.node("Pad", "opset1", {x, b.list(before), b.list(after), b.like(x, 0)});
  n.set("pad_mode", "constant");
  return n.out_port();
}

}  // namespace average_pooling

static Ports average_pool(Build& b, const SourceNode& n) {
  Windows w = read_windows(n);
  const OutPort x = b.in(0);
  const Windows stated = w;
  w.pads_begin = w.pads_end = Ints(w.kernel.size(), 0);
  const OutPort y = average_pooling::pool(b, average_pooling::with_zeros(b, x, stated), w).out_port();
  if (stated.rounding != "ceil_torch") return {y};
  // A window that begins in the pads at the end counts for AvgPool of the padded data, but not here.
  const OutPort sizes = b.shape_of(average_pooling::pool(b, x, stated).out_port());
  const Node cut =
      b.node("StridedSlice", "opset1",
             {y, b.list(Ints(w.kernel.size() + 2, 0)), sizes, b.list(Ints(w.kernel.size() + 2, 1))});
  cut.set("begin_mask", Ints(w.kernel.size() + 2, 1)).set("end_mask", Ints(w.kernel.size() + 2, 0));
  return {cut.out_port()};
}

void register_average_pool(Registry& r) {
  replace<average_pool>(r, {"AveragePool", "AveragePool(x)", "AvgPool(Pad(x))"});
}

}  // namespace mo::onnx
