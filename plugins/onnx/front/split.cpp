#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

// The same length for all parts but the last: ceil(dimension / parts), as num_outputs asks for.
static OutPort uneven_lengths(const Build& b, int64_t axis, int64_t parts) {
  const OutPort size = b.dim(b.in(0), axis);
  const OutPort rounded = b.op("Add", "opset1", {size, b.list({parts - 1})});
  const OutPort length = b.op("Divide", "opset1", {rounded, b.list({parts})});
  if (parts == 1) return b.list({-1});
  return b.concat({b.op("Tile", "opset1", {length, b.list({parts - 1})}), b.list({-1})});
}

static Ports split(Build& b, const SourceNode& n) {
  const auto axis = axis_of(n, 0);
  const auto parts = static_cast<uint32_t>(n.out_count());
  OutPort lengths;
  if (const auto list = n.find_native<Ints>("split"))
    lengths = b.list(*list);
  else if (b.has(1))
    lengths = b.in(1);
  else if (n.version() >= 18) {
    const Shape s = b.in(0).shape();
    const Dim d = s.has_rank() ? s[normalize_axis(axis, s.size())] : any_dim;
    if (!d.is_static() || d.value() % parts != 0) lengths = uneven_lengths(b, axis, parts);
  }
  if (lengths)
    return b.node("VariadicSplit", "opset1", {b.in(0), b.integer(axis), lengths}, parts).out_ports();
  const Node equal = b.node("Split", "opset1", {b.in(0), b.integer(axis)}, parts);
  equal.set("num_splits", int64_t{parts});
  return equal.out_ports();
}

void register_split(Registry& r) {
  says_rank({"Split"}, Rank::kept);
  replace<split>(r, {"Split", "Split(x, lengths)", "VariadicSplit(x, axis, lengths), or Split(x, axis)"});
}

}  // namespace mo::onnx
