// Means of as many places as are wanted.
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace adaptive_pooling {

static Ports adaptive(Build& b, const SourceNode& n) {
  Ints size = ints_of(n, "output_size", {1});
  if (size.empty()) size = {1};
  if (size.size() == 1) size.push_back(size.front());
  require(size.size() == 2 && size[0] > 0 && size[1] > 0, "attribute 'output_size' is ", size,
          "; expected one or two numbers");
  if (size == Ints{1, 1}) return {b.reduce("ReduceMean", b.in(0), b.list({2, 3}), true)};
  const Shape s = shape_of(b, b.in(0));
  Windows w{{}, {}, {0, 0}, {1, 1}};
  for (size_t i = 0; i < 2 && s.rank() == 4; ++i)
    if (s[i + 2].is_static() && s[i + 2].value() % size[i] == 0)
      w.kernel.push_back(s[i + 2].value() / size[i]);
  if (w.kernel.size() != 2) return {b.op("AdaptiveAvgPool", "opset8", {b.in(0), b.list(size)})};
  w.strides = w.kernel;
  const Node p = b.node("AvgPool", "opset1", {b.in(0)});
  p.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", "floor");
  p.set("pads_begin", w.pads).set("pads_end", w.pads);
  p.set("exclude-pad", false);
  return {p.out_port()};
}

}  // namespace adaptive_pooling

void register_adaptive_pooling(Registry& r) {
  convert<adaptive_pooling::adaptive>(r, "_contrib_AdaptiveAvgPooling2D", "_contrib_AdaptiveAvgPooling2D(x)",
                                      "AvgPool(x), ReduceMean(x) or AdaptiveAvgPool(x, size)");
}

}  // namespace mo::mxnet
