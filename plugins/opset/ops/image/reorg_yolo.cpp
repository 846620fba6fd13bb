// ReorgYolo: [N, C, H, W] to [N, C * stride^2, H / stride, W / stride] in Darknet's order.
#include "support/floats.hpp"

namespace mo::opset {

struct ReorgYolo {
  static constexpr std::string_view type = "ReorgYolo", opset = "opset2";
  static void schema(OpSchema& s) {
    s.doc("blocks of stride x stride elements become channels")
        .input("data", Role::fixed)
        .outputs(1)
        .attr<int64_t>("stride");
  }
  static void infer(InferContext& c) {
    const int64_t stride = int_attr(c, "stride", 1);
    const Shape in = c.shape(0);
    require_rank(in, "the data", 4);
    if (!in.has_rank()) return c.output(0, c.type(0), Shape::of_rank(4));
    const int64_t block = detail::checked_mul(stride, stride);
    require(in[1].is_unbounded() || in[1].max >= block, "the data has ", in[1],
            " channels; expected at least ", block);
    const Dim channels{std::max(in[1].min, block), in[1].max};
    c.output(0, c.type(0), {in[0], channels * Dim(block), divided(in[2], stride), divided(in[3], stride)});
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const int64_t s = int_attr(c, "stride", 1);
    const Dims d = in.dims();
    const int64_t n = d[0], channels = d[1], h = d[2], w = d[3], group = channels / (s * s);
    // Channel k of the input's layout comes from every s-th element of a finer picture of group * s * s
    // planes.
    std::vector<Copy> copies;
    for (int64_t k = 0; k < channels; ++k) {
      const int64_t offset = k / group, row = offset / s;
      const int64_t start = ((k % group) * h * s + row) * w * s + offset % s;
      const int64_t last = start + (h - 1) * s * w * s + (w - 1) * s;
      if (h > 0 && w > 0 && last >= channels * h * w)
        no_value(channels, " channels are not a multiple of ", s * s);
      copies.push_back(
          {{n, h, w}, {channels * h * w, s * w * s, s}, {channels * h * w, w, 1}, start, k * h * w});
    }
    c.output(0, moved(c, in, {{n, channels * s * s, h / s, w / s}, copies}));
  }

 private:
  static Dim divided(const Dim& d, int64_t n) {
    const Dim r{ceil_div(Dim(d.min), n).value(), floor_div(d, n).max};
    require(r.is_unbounded() || r.min <= r.max, "a dimension of the data is ", d, "; expected a multiple of ",
            n);
    return r;
  }
};

void register_reorg_yolo(Registry& r) { r.operation<ReorgYolo>(); }

}  // namespace mo::opset
