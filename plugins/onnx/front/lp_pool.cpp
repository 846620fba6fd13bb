#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// The mean of a window times its size is a sum when padding counts, too.
static Ports lp_pool(Build& b, const SourceNode& n) {
  const double p = n.version() < 2 ? n.native("p", 2.0) : static_cast<double>(n.native("p", 2));
  const Windows w = read_windows(n);
  require(w.dilations == Ints(w.strides.size(), 1), "a dilated LpPool is not supported");
  require(w.rounding == "floor", "attribute 'ceil_mode' is 1, which is not supported");
  const OutPort x = b.in(0), magnitude = b.op("Abs", "opset1", {x});
  const Node mean = b.node("AvgPool", "opset1", {b.op("Power", "opset1", {magnitude, b.like(x, p)})});
  set_windows(mean, w);
  mean.set("exclude-pad", false);
  double size = 1;
  for (const int64_t k : w.kernel) size *= static_cast<double>(k);
  const OutPort sum = b.op("Multiply", "opset1", {mean.out_port(), b.like(x, size)});
  return {b.op("Power", "opset1", {sum, b.like(x, 1 / p)})};
}

void register_lp_pool(Registry& r) {
  replace<lp_pool>(r, {"LpPool", "LpPool(x)", "Power(Multiply(AvgPool(Power(Abs(x), p)), size), 1 / p)"});
}

}  // namespace mo::onnx
