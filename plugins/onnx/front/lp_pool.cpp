#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// The mean of a window times its size is a sum when padding counts, too. Sizes are rounded up by zeros at the
// end.
static Ports lp_pool(Build& b, const SourceNode& n) {
  const double p = n.version() < 2 ? n.native("p", 2.0) : static_cast<double>(n.native("p", 2));
  Windows w = read_windows(n);
  const OutPort x = b.in(0), magnitude = b.op("Abs", "opset1", {x});
  OutPort powers = b.op("Power", "opset1", {magnitude, b.like(x, p)});
  if (w.rounding != "floor") {
    Ints before(2, 0), behind(2, 0);
    for (size_t i = 0; i < w.kernel.size(); ++i) {
      before.push_back(w.pads_begin[i]);
      behind.push_back(w.pads_end[i] + w.strides[i] - 1);
    }
    const Node zeros = b.node("Pad", "opset1", {powers, b.list(before), b.list(behind), b.like(x, 0)});
    zeros.set("pad_mode", "constant");
    powers = zeros.out_port();
    w.pads_begin = w.pads_end = Ints(w.kernel.size(), 0);
    w.rounding = "floor";
  }
  const bool dilated = is_dilated(w);
  const Node mean = b.node("AvgPool", dilated ? "opset16" : "opset1", {powers});
  set_windows(mean, w);
  if (dilated) mean.set("dilations", w.dilations);
  mean.set("exclude-pad", false);
  double size = 1;
  for (const int64_t k : w.kernel) size *= static_cast<double>(k);
  const OutPort sum = b.multiply(mean.out_port(), b.like(x, size));
  return {b.op("Power", "opset1", {sum, b.like(x, 1 / p)})};
}

void register_lp_pool(Registry& r) {
  replace<lp_pool>(r, {"LpPool", "LpPool(x)", "Power(Multiply(AvgPool(Power(Abs(x), p)), size), 1 / p)"});
}

}  // namespace mo::onnx
