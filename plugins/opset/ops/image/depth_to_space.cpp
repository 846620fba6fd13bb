// DepthToSpace and SpaceToDepth: channels become blocks of pixels, and back.
#include "support/movement.hpp"

namespace mo::opset {

namespace blocks {

static int64_t power(int64_t base, size_t exponent) {
  int64_t p = 1;
  for (size_t i = 0; i < exponent; ++i) p = detail::checked_mul(p, base);
  return p;
}
static void schema(OpSchema& s) {
  s.input("data", Role::fixed).outputs(1).attr<int64_t>("block_size", 1);
  s.attr<std::string>("mode").one_of({"blocks_first", "depth_first"});
}
static Dim divided(const Dim& d, int64_t n, std::string_view what, const Shape& in) {
  const Dim r{ceil_div(Dim(d.min), n).value(), floor_div(d, n).max};
  require((!d.is_static() || d.value() % n == 0) && (r.is_unbounded() || r.min <= r.max), what, " of shape ",
          in, " cannot be divided by ", n);
  return r;
}

// Strides of the finer layout [N, C, D1, B1, D2, B2, …] in a tensor whose channels hold the blocks.
static Dims deep_strides(const Dims& deep, int64_t block, bool blocks_first) {
  const size_t k = deep.size() - 2;
  const int64_t channels = deep[1] / power(block, k), blocks = power(block, k);
  const Dims plain = dense_strides(deep);
  Dims strides{plain[0], blocks_first ? plain[1] : plain[1] * blocks};
  int64_t step = blocks_first ? plain[1] * channels : plain[1];
  Dims block_steps(k);
  for (size_t i = k; i-- > 0; step *= block) block_steps[i] = step;
  for (size_t i = 0; i < k; ++i) strides.insert(strides.end(), {plain[i + 2], block_steps[i]});
  return strides;
}
static Dims fine_counts(const Dims& deep, int64_t block) {
  const size_t k = deep.size() - 2;
  Dims counts{deep[0], deep[1] / power(block, k)};
  for (size_t i = 0; i < k; ++i) counts.insert(counts.end(), {deep[i + 2], block});
  return counts;
}

}  // namespace blocks

struct DepthToSpace {
  static constexpr std::string_view type = "DepthToSpace", opset = "opset1";
  static void schema(OpSchema& s) {
    blocks::schema(s);
    s.doc("[N, C, D1, ...] to [N, C / block_size^k, D1 * block_size, ...]");
  }
  static Shape shape_of(const Shape& in, int64_t block) {
    require_rank(in, "the data", 3, std::numeric_limits<int64_t>::max());
    Shape out = in;
    if (!in.has_rank()) return out;
    out[1] = blocks::divided(in[1], blocks::power(block, in.size() - 2), "dimension 1", in);
    for (size_t i = 2; i < in.size(); ++i) out[i] = in[i] * Dim(block);
    return out;
  }
  static void infer(InferContext& c) {
    c.output(0, c.type(0), shape_of(c.shape(0), int_attr(c, "block_size", 1)));
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const int64_t block = int_attr(c, "block_size", 1);
    const Dims out = shape_of(in.shape(), block).to_static(), deep = in.dims();
    const Dims counts = blocks::fine_counts(deep, block);
    const Dims from = blocks::deep_strides(deep, block, c.attr<std::string>("mode") == "blocks_first");
    c.output(0, moved(c, in, {out, {Copy{counts, from, dense_strides(counts)}}}));
  }
};

struct SpaceToDepth {
  static constexpr std::string_view type = "SpaceToDepth", opset = "opset1";
  static void schema(OpSchema& s) {
    blocks::schema(s);
    s.doc("[N, C, D1, ...] to [N, C * block_size^k, D1 / block_size, ...]");
  }
  static Shape shape_of(const Shape& in, int64_t block) {
    require_rank(in, "the data", 3, std::numeric_limits<int64_t>::max());
    Shape out = in;
    if (!in.has_rank()) return out;
    out[1] = in[1] * Dim(blocks::power(block, in.size() - 2));
    for (size_t i = 2; i < in.size(); ++i) out[i] = blocks::divided(in[i], block, text("dimension ", i), in);
    return out;
  }
  static void infer(InferContext& c) {
    c.output(0, c.type(0), shape_of(c.shape(0), int_attr(c, "block_size", 1)));
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const int64_t block = int_attr(c, "block_size", 1);
    const Dims out = shape_of(in.shape(), block).to_static();
    const Dims counts = blocks::fine_counts(out, block);
    const Dims to = blocks::deep_strides(out, block, c.attr<std::string>("mode") == "blocks_first");
    c.output(0, moved(c, in, {out, {Copy{counts, dense_strides(counts), to}}}));
  }
};

void register_depth_to_space(Registry& r) {
  r.operation<DepthToSpace>();
  r.operation<SpaceToDepth>();
}

}  // namespace mo::opset
