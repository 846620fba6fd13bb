// For releases whose Pad takes nothing away:
//   Pad-12(x, {-1,0}, {0,2})  ->  Pad-1(StridedSlice(x, {1,0} : end), {0,0}, {0,2})
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerPad : public Lowering {
 public:
  LowerPad() {
    id = "back.lower_pad";
    doc = "what a negative pad takes away is sliced off first";
    before = R"(
      %x = Parameter -> f32[3,4]
      %b = Const -> i64[2] {-1,0}
      %e = Const -> i64[2] {0,2}
      %zero = Const -> f32[] {0}
      %y = Pad@opset12 (%x, %b, %e, %zero) {pad_mode="constant"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3,4]
      %from = Const -> i64[2] {1,0}
      %to = Const -> i64[2] {0,0}
      %one = Const -> i64[2] {1,1}
      %s = StridedSlice@opset1 (%x, %from, %to, %one) {begin_mask=[0,0], end_mask=[1,1]}
      %b = Const -> i64[2] {0,0}
      %e = Const -> i64[2] {0,2}
      %zero = Const -> f32[] {0}
      %y = Pad@opset1 (%s, %b, %e, %zero) {pad_mode="constant"}
      Result (%y))";
    lowers("Pad", {12});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    auto begins = b.ints(1), ends = b.ints(2);
    const auto negative = [](const Ints& list) {
      return std::any_of(list.begin(), list.end(), [](int64_t p) { return p < 0; });
    };
    only_when(begins && ends && begins->size() == ends->size(), "its pads are not known");
    only_when(negative(*begins) || negative(*ends), "it takes nothing away: no pad is below 0");
    const auto mode = n.attr<std::string>("pad_mode");
    only_when(mode == "constant", "its mode is ", mode,
              ", where what is taken away first would be missing from what is repeated");
    const size_t rank = begins->size();
    Ints from(rank, 0), to(rank, 0), open(rank, 1);
    for (size_t i = 0; i < rank; ++i) {
      from[i] = std::max<int64_t>(0, -(*begins)[i]);
      if ((*ends)[i] < 0) {
        to[i] = (*ends)[i];
        open[i] = 0;
      }
      (*begins)[i] = std::max<int64_t>(0, (*begins)[i]);
      (*ends)[i] = std::max<int64_t>(0, (*ends)[i]);
    }
    const Node kept =
        b.node("StridedSlice", "opset1", {b.in(0), b.list(from), b.list(to), b.list(Ints(rank, 1))});
    kept.set("begin_mask", Ints(rank, 0)).set("end_mask", open);
    n.in_port(0).set_source(kept.out_port());
    n.in_port(1).set_source(b.list(*begins));
    n.in_port(2).set_source(b.list(*ends));
    return as_older(n, "opset1", {});
  }
};

void register_lower_pad(Registry& r) { r.transformation<LowerPad>(); }

}  // namespace mo::builtin_passes
