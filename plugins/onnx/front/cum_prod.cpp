#include "support/build.hpp"

namespace mo::onnx {

namespace cum_prod_parts {

// Each entry along dimension 1 of [rows, lines, rest] is the product of a line with the others taken for 1.
static OutPort products(const Build& b, const SourceNode& n, const OutPort& x) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort size = b.dim(x, 1);
  const OutPort places = b.range(b.integer(0), b.squeeze(size, {0}), 1);
  const OutPort from = b.unsqueeze(places, b.list({0})), to = b.unsqueeze(places, b.list({1}));
  const bool reverse = n.native("reverse", 0) != 0, exclusive = n.native("exclusive", 0) != 0;
  const OutPort distance = reverse ? op("Subtract", from, to) : op("Subtract", to, from);
  const OutPort factors =
      b.unsqueeze(op("GreaterEqual", distance, b.integer(exclusive ? 1 : 0)), b.list({2}));
  const OutPort kept = b.select(factors, b.unsqueeze(x, b.list({1})), b.like(b.in(0), 1));
  return b.reduce("ReduceProd", kept, b.list({2}), false);
}

}  // namespace cum_prod_parts

static Ports cum_prod(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), shape = b.shape_of(x);
  // Dimensions in front of the axis and behind it become one each.
  const OutPort axis = b.reshape(b.convert(b.in(1), ElementType::i64), Ints{1});
  const OutPort place = b.op("FloorMod", "opset1", {axis, b.rank(x)});
  const OutPort behind = b.add(place, b.list({1}));
  const auto part = [&](const OutPort& begin, const OutPort& end) {
    return b.op("Slice", "opset8", {shape, begin, end, b.list({1}), b.list({0})});
  };
  const auto product = [&](const OutPort& dims) { return b.reduce("ReduceProd", dims, b.list({0}), true); };
  const OutPort lines = b.concat(
      {product(part(b.list({0}), place)), part(place, behind), product(part(behind, b.list({INT64_MAX})))});
  return {b.reshape(cum_prod_parts::products(b, n, b.reshape(x, lines)), shape)};
}

void register_cum_prod(Registry& r) {
  replace<cum_prod>(
      r, {"CumProd", "CumProd(x, axis)", "ReduceProd(Select(GreaterEqual(to, from), Unsqueeze(x), 1))"});
}

}  // namespace mo::onnx
