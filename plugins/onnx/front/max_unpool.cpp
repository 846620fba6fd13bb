#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// Indices count within the whole tensor that the attributes lead to; when another shape is asked for, the
// result is that tensor with zeros behind it.
static Ports max_unpool(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), shape = b.shape_of(x);
  const Windows w = read_windows(n);
  require(!w.kernel.empty(), "attribute 'kernel_shape' is missing");
  Ints added;
  for (size_t i = 0; i < w.kernel.size(); ++i)
    added.push_back(w.kernel[i] - w.strides[i] - w.pads_begin[i] - w.pads_end[i]);
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort spatial =
      op("Add", op("Multiply", b.part(shape, 2, INT64_MAX), b.list(w.strides)), b.list(added));
  const OutPort dims = b.concat({b.part(shape, 0, 2), spatial});
  const Node zeros =
      b.node("Broadcast", "opset3", {b.like(x, 0), b.reduce("ReduceProd", dims, b.list({0}), true)});
  zeros.set("mode", "numpy");
  const OutPort flat =
      b.op("ScatterElementsUpdate", "opset3",
           {zeros.out_port(), b.reshape(b.in(1), b.list({-1})), b.reshape(x, b.list({-1})), b.integer(0)});
  const OutPort y = b.reshape(flat, dims);
  if (!b.has(2)) return {y};
  const OutPort nothing = op("Multiply", dims, b.list({0}));
  const Node p =
      b.node("Pad", "opset1", {y, nothing, op("Subtract", b.convert(b.in(2), ElementType::i64), dims)});
  p.set("pad_mode", "constant");
  return {p.out_port()};
}

void register_max_unpool(Registry& r) {
  replace<max_unpool>(
      r, {"MaxUnpool", "MaxUnpool(x, indices)", "Reshape(ScatterElementsUpdate(0, indices, x))"});
}

}  // namespace mo::onnx
