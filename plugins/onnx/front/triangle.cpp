// Trilu and EyeLike: what is above, below or on a diagonal of matrices.
#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

static OutPort count_up_to(const Build& b, const OutPort& size) {
  return b.range(b.integer(0), b.squeeze(size, {0}), 1);
}

// Kept are columns from row + k on, or up to it.
static Ports trilu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  OutPort rows = b.unsqueeze(count_up_to(b, b.dim(x, -2)), b.list({1}));
  const OutPort columns = count_up_to(b, b.dim(x, -1));
  if (b.has(1)) rows = b.add(rows, as_scalar(b, b.convert(b.in(1), ElementType::i64)));
  const bool upper = n.native("upper", 1) != 0;
  const OutPort kept = b.op(upper ? "GreaterEqual" : "LessEqual", "opset1", {columns, rows});
  return {b.select(kept, x, b.like(x, 0))};
}

static Ports eye_like(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const auto stated = n.find_native<int64_t>("dtype");
  const ElementType type = stated ? element_type_of_onnx(*stated) : x.type();
  require(type != ElementType::unknown, "its element type cannot be told from the model, or the IR has none");
  const auto size = [&](int64_t axis) { return b.squeeze(b.dim(x, axis), {0}); };
  const Node eye = b.node("Eye", "opset9", {size(0), size(1), b.integer(n.native("k", 0))});
  eye.set("output_type", type);
  return {eye.out_port()};
}

void register_triangle(Registry& r) {
  replace<trilu>(r, {"Trilu", "Trilu(x, k)", "Select(GreaterEqual(column, Add(row, k)), x, 0)"});
  replace<eye_like>(r, {"EyeLike", "EyeLike(x)", "Eye(rows, columns, k)"});
}

}  // namespace mo::onnx
