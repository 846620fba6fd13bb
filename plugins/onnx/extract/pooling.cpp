// MaxPool and AveragePool. What the operations of opset1 cannot do: front/max_pool.cpp.
#include "support/extract.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

static void extract_max_pool(SourceNode& n) {
  const Windows w = read_windows(n);
  only_when(n.out_count() == 1 && w.dilations == Ints(w.kernel.size(), 1), "it gives indices or is dilated");
  n.set_op("MaxPool", "opset1");
  set_windows(n, w);
}

static void extract_average_pool(SourceNode& n) {
  const Windows w = read_windows(n);
  require(w.dilations == Ints(w.kernel.size(), 1), "a dilated AveragePool is not supported");
  const bool count_padding = n.native("count_include_pad", 0) != 0;
  n.set_op("AvgPool", "opset1");
  set_windows(n, w);
  n.set("exclude-pad", !count_padding);
}

void register_pooling(Registry& r) {
  extract<extract_max_pool>(r, "MaxPool");
  extract<extract_average_pool>(r, "AveragePool");
}

}  // namespace mo::onnx
