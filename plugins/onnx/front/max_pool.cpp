// MaxPool with indices or dilations; any other is extract/pooling.cpp.
#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// Indices count along columns first: (n, c, h, w) is at w * H + h of its plane.
static OutPort column_major(const Build& b, const OutPort& indices) {
  const OutPort x = b.in(0), height = b.dim(x, 2), width = b.dim(x, 3);
  const auto op = [&](std::string_view type, const OutPort& l, const OutPort& r) {
    return b.op(type, "opset1", {l, r});
  };
  const OutPort column = op("FloorMod", indices, width);
  const OutPort above = op("Subtract", indices, column);  // a multiple of the width
  const OutPort rows = op("Divide", above, width);        // of all planes
  const OutPort row = op("FloorMod", rows, height);
  const OutPort plane = op("Multiply", op("Subtract", rows, row), width);
  return op("Add", plane, op("Add", op("Multiply", column, height), row));
}

static Ports max_pool(Build& b, const SourceNode& n) {
  const Windows w = read_windows(n);
  const bool dilated = is_dilated(w);
  const bool torch = w.rounding == "ceil_torch";
  if (!b.wants(1) && !dilated && !torch) {
    const Node p = b.node("MaxPool", "opset1", {b.in(0)});
    set_windows(p, w);
    return n.out_count() == 1 ? Ports{p.out_port()} : Ports{p.out_port(), OutPort()};
  }
  const Node p = b.node("MaxPool", torch ? "opset14" : "opset8", {b.in(0)}, 2);
  set_windows(p, w);
  // Indices count within one whole tensor.
  p.set("dilations", w.dilations).set("index_element_type", ElementType::i64).set("axis", 0);
  if (n.out_count() == 1) return {p.out_port()};
  const bool by_columns = n.native("storage_order", 0) != 0 && b.wants(1);
  require(!by_columns || w.kernel.size() == 2,
          "attribute 'storage_order' is 1, which is supported for images only");
  return {p.out_port(0), by_columns ? column_major(b, p.out_port(1)) : p.out_port(1)};
}

void register_max_pool(Registry& r) {
  replace<max_pool>(r, {"MaxPool", "y, indices = MaxPool(x)", "y, indices = MaxPool-8(x)"});
}

}  // namespace mo::onnx
