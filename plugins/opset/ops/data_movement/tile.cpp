// Tile: the input repeated along each dimension; the shorter of shape and repeats gets 1s in front.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace tiling {
static Movement movement(const Dims& in, const Dims& repeats) {
  const size_t rank = std::max(in.size(), repeats.size());
  const Dims strides = dense_strides(in);
  Dims dims, counts, from;
  for (size_t i = 0; i < rank; ++i) {
    const size_t a = i + in.size() - rank, k = i + repeats.size() - rank;  // wrap around where there is none
    const int64_t d = a < in.size() ? in[a] : 1, n = k < repeats.size() ? repeats[k] : 1;
    dims.push_back(detail::checked_mul(d, n));
    counts.insert(counts.end(), {n, d});
    from.insert(from.end(), {0, a < in.size() ? strides[a] : 0});
  }
  return {dims, {Copy{counts, from, dense_strides(counts)}}};
}
static Dims checked(Dims repeats) {
  for (int64_t& n : repeats) n = std::max<int64_t>(n, 0);
  return repeats;
}
}  // namespace tiling

struct Tile {
  static constexpr std::string_view type = "Tile", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data repeated along each dimension")
        .input("data", Role::data)
        .input("repeats", Role::per_dimension)
        .takes_sizes()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"repeats are i64", "2025.4", "ngraph/core/src/op/tile.cpp:87", is_i64<1>}});
  }
  static void infer(InferContext& c) {
    Shape out = c.shape(0), repeats = shape_input(c, 1, "repeats");
    if (!out.has_rank() || !repeats.has_rank()) return c.output(0, c.type(0), Shape::unknown());
    while (out.size() < repeats.size()) out.insert(0, 1);
    while (repeats.size() < out.size()) repeats.insert(0, 1);
    for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] * repeats[i];
    output_moved(c, 0, out, [&](const Dims& dims) -> std::optional<Movement> {
      if (!repeats.is_static()) return std::nullopt;
      return tiling::movement(dims, repeats.to_static());
    });
  }
  // What is repeated once keeps its size.
  static void symbols(SymbolsContext& c) {
    const auto &in = c.dims(0), &repeats = c.values(1);
    if (!in || !repeats) return;
    Symbols out = c.own_dims();
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t a = i + in->size() - out.size(), k = i + repeats->size() - out.size();
      const Symbol one = Symbol::number(1), d = a < in->size() ? (*in)[a] : one;
      const Symbol n = k < repeats->size() ? (*repeats)[k] : one;
      if (n == one)
        out[i] = d;
      else if (d == one)
        out[i] = n;
    }
    c.output(0, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    c.output(0, moved(c, in, tiling::movement(in.dims(), tiling::checked(c.input(1).to_ints()))));
  }
};

void register_tile(Registry& r) { r.operation<Tile>(); }

}  // namespace mo::opset
