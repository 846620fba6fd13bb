// For releases without RDFT: the transform of complex numbers without imaginary parts, of which the last axis
// keeps the half that is not its mirror image:
//   RDFT(x, axes)  ->  StridedSlice(DFT(Pad(Unsqueeze(x, -1)), axes), 0 : n / 2 + 1)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerRealFourier : public Lowering {
 public:
  LowerRealFourier() {
    id = "back.lower_real_fourier";
    doc = "RDFT as DFT of complex numbers without imaginary parts";
    before = R"(
      %x = Parameter -> f32[2,6]
      %axes = Const -> i64[1] {1}
      %y = RDFT@opset9 (%x, %axes)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,6]
      %last = Const -> i64[1] {2}
      %u = Unsqueeze@opset1 (%x, %last)
      %b = Const -> i64[3] {0,0,0}
      %e = Const -> i64[3] {0,0,1}
      %zero = Const -> f32[] {0}
      %c = Pad@opset1 (%u, %b, %e, %zero) {pad_mode="constant"}
      %axes = Const -> i64[1] {1}
      %d = DFT@opset7 (%c, %axes)
      %from = Const -> i64[3] {0,0,0}
      %to = Const -> i64[3] {0,4,0}
      %one = Const -> i64[3] {1,1,1}
      %y = StridedSlice@opset1 (%d, %from, %to, %one) {begin_mask=[1,0,1], end_mask=[1,0,1]}
      Result (%y))";
    lowers("RDFT", {9});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const OutPort x = b.in(0);
    const Shape s = x.shape(), out = n.out_port().shape();
    const auto axes = b.ints(1);
    only_when(s.has_rank() && x.type() != ElementType::unknown,
              "type or rank of what is transformed is not known");
    only_when(axes && !axes->empty(), "its axes are not known");
    const size_t rank = s.size(), last = normalize_axis(axes->back(), rank);
    only_when(out.size() == rank + 1 && out[last].is_static(), "half of dimension ", last, " of ", s,
              " is kept, and its size is not known");
    // Counted from the end an axis would be another one behind the new dimension.
    Ints counted;
    for (const int64_t a : *axes) counted.push_back(static_cast<int64_t>(normalize_axis(a, rank)));
    Ints none(rank + 1, 0), more = none, open(rank + 1, 1), to = none;
    more.back() = 1;
    open[last] = 0;
    to[last] = out[last].value();
    const OutPort complex = b.unsqueeze(x, b.list({static_cast<int64_t>(rank)}));
    const Node padded = b.node("Pad", "opset1", {complex, b.list(none), b.list(more), b.like(x, 0)});
    padded.set("pad_mode", "constant");
    Ports inputs{padded.out_port(), b.list(counted)};
    if (b.has(2)) inputs.push_back(b.in(2));
    const OutPort whole = b.op("DFT", "opset7", inputs);
    const Node half =
        b.node("StridedSlice", "opset1", {whole, b.list(none), b.list(to), b.list(Ints(rank + 1, 1))});
    half.set("begin_mask", open).set("end_mask", open);
    return {half.out_port()};
  }
};

void register_lower_real_fourier(Registry& r) { r.transformation<LowerRealFourier>(); }

}  // namespace mo::builtin_passes
