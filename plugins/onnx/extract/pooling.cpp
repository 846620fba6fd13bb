// MaxPool and AveragePool. What the operations of opset1 cannot do: front/max_pool.cpp and
// front/average_pool.cpp.
#include "support/extract.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

static void extract_max_pool(SourceNode& n) {
  const Windows w = read_windows(n);
  only_when(n.out_count() == 1 && !is_dilated(w) && w.rounding != "ceil_torch",
            "it gives indices or is dilated, or its last window may hold nothing but padding");
  n.set_op("MaxPool", "opset1");
  set_windows(n, w);
}

// Dilations came with version 19.
static void extract_average_pool(SourceNode& n) {
  const Windows w = read_windows(n);
  const bool count_padding = n.native("count_include_pad", 0) != 0;
  only_when(!count_padding || !is_padded(w) || w.rounding == "floor",
            "a last window that rounding cuts counts what lies in the pads only");
  const bool dilated = is_dilated(w);
  n.set_op("AvgPool", dilated ? "opset16" : w.rounding == "ceil_torch" ? "opset14" : "opset1");
  set_windows(n, w);
  if (dilated) n.set("dilations", w.dilations);
  n.set("exclude-pad", !count_padding);
}

void register_pooling(Registry& r) {
  extract<extract_max_pool>(r, "MaxPool");
  extract<extract_average_pool>(r, "AveragePool");
}

}  // namespace mo::onnx
