// For releases without IRDFT: the half of the last axis that is its mirror image is put back, and what has no
// imaginary part is transformed:
//   IRDFT(x, {a})  ->  Gather(IDFT(Concat(x, conjugates of x in reverse), {a}), 0, -1)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerInverseRealFourier : public Lowering {
 public:
  LowerInverseRealFourier() {
    id = "back.lower_inverse_real_fourier";
    doc = "IRDFT as IDFT of both halves of the spectrum";
    before = R"(
      %x = Parameter -> f32[2,3,2]
      %a = Const -> i64[1] {1}
      %y = IRDFT@opset9 (%x, %a)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,2]
      %i = Const -> i64[1] {1}
      %axis = Const -> i64[] {1}
      %g = Gather@opset7 (%x, %i, %axis) {batch_dims=0}
      %c = Const -> f32[2] {1,-1}
      %m = Multiply@opset1 (%g, %c)
      %w = Concat@opset1 (%x, %m) {axis=1}
      %a = Const -> i64[1] {1}
      %t = IDFT@opset7 (%w, %a)
      %zero = Const -> i64[] {0}
      %last = Const -> i64[] {2}
      %y = Gather@opset7 (%t, %zero, %last) {batch_dims=0}
      Result (%y))";
    lowers("IRDFT", {9});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    OutPort x = b.in(0);
    const Shape s = x.shape(), out = n.out_port().shape();
    const auto axes = b.ints(1);
    const auto sizes = b.has(2) ? b.ints(2) : std::optional(Ints(axes ? axes->size() : 0, -1));
    only_when(s.has_rank() && out.has_rank() && x.type() != ElementType::unknown,
              "type or rank of the spectrum is not known");
    only_when(axes && sizes && !axes->empty() && sizes->size() == axes->size(),
              "its axes or sizes are not known");
    Ints counted;
    for (const int64_t a : *axes) counted.push_back(static_cast<int64_t>(normalize_axis(a, out.size())));
    const auto last = static_cast<size_t>(counted.back());
    only_when(s[last].is_static() && s[last] != Dim(0) && out[last].is_static(), "dimension ", last, " of ",
              s, " is mirrored, and its size is not known");
    const int64_t have = s[last].value(), size = out[last].value(), half = size / 2 + 1;
    counted.pop_back();
    if (!counted.empty()) {
      Ports inputs{x, b.list(counted)};
      if (b.has(2)) inputs.push_back(b.list(Ints(sizes->begin(), sizes->end() - 1)));
      x = b.op("IDFT", "opset7", inputs);
    }
    if (have < half) x = filled(b, x, s.size(), last, half - have);
    Ints kept, mirrored;
    for (int64_t k = 0; k < half; ++k) kept.push_back(k);
    for (int64_t k = half; k < size; ++k) mirrored.push_back(size - k);
    if (have > half) x = gather(b, x, b.list(kept), last);
    if (!mirrored.empty()) {
      const OutPort other = gather(b, x, b.list(mirrored), last);
      const OutPort conjugated = b.op("Multiply", "opset1", {other, b.like(b.in(0), {1, -1}, {2})});
      x = b.concat({x, conjugated}, static_cast<int64_t>(last));
    }
    const OutPort whole = b.op("IDFT", "opset7", {x, b.list({static_cast<int64_t>(last)})});
    return {gather(b, whole, b.integer(0), out.size())};
  }

  static OutPort gather(const Build& b, const OutPort& x, const OutPort& indices, size_t axis) {
    const Node g = b.node("Gather", "opset7", {x, indices, b.integer(static_cast<int64_t>(axis))});
    g.set("batch_dims", int64_t{0});
    return g.out_port();
  }

  // A spectrum that is shorter goes on with zeros.
  static OutPort filled(const Build& b, const OutPort& x, size_t rank, size_t axis, int64_t more) {
    Ints none(rank, 0), behind(rank, 0);
    behind[axis] = more;
    const Node p = b.node("Pad", "opset1", {x, b.list(none), b.list(behind), b.like(b.in(0), 0)});
    p.set("pad_mode", "constant");
    return p.out_port();
  }
};

void register_lower_inverse_real_fourier(Registry& r) { r.transformation<LowerInverseRealFourier>(); }

}  // namespace mo::builtin_passes
