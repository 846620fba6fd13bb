// For releases without Eye:
//   Eye(rows, columns, diagonal)  ->  Convert(Equal(Range(rows) + diagonal, Range(columns)))
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerEye : public Lowering {
 public:
  LowerEye() {
    id = "back.lower_eye";
    doc = "Eye as a comparison of the numbers of rows and columns";
    before = R"(
      %n = Parameter -> i64[]
      %m = Parameter -> i64[]
      %d = Parameter -> i64[]
      %y = Eye@opset9 (%n, %m, %d) {output_type=f32}
      Result (%y))";
    after = R"(
      %n = Parameter -> i64[]
      %m = Parameter -> i64[]
      %d = Parameter -> i64[]
      %zero = Const -> i64[] {0}
      %one = Const -> i64[] {1}
      %r = Range@opset4 (%zero, %n, %one) {output_type=i64}
      %s = Add@opset1 (%r, %d)
      %last = Const -> i64[1] {1}
      %u = Unsqueeze@opset1 (%s, %last)
      %first = Const -> i64[] {0}
      %step = Const -> i64[] {1}
      %c = Range@opset4 (%first, %m, %step) {output_type=i64}
      %e = Equal@opset1 (%u, %c)
      %y = Convert@opset1 (%e) {destination_type=f32}
      Result (%y))";
    lowers("Eye", {9});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const auto scalar = [&](size_t input) {
      const OutPort x = b.convert(b.in(input), ElementType::i64);
      return b.in(input).shape().rank() == 0 ? x : b.reshape(x, b.list({}));
    };
    const OutPort rows = b.op("Add", "opset1", {b.range(b.integer(0), scalar(0), 1), scalar(2)});
    const OutPort columns = b.range(b.integer(0), scalar(1), 1);
    const OutPort hit = b.op("Equal", "opset1", {b.unsqueeze(rows, b.list({1})), columns});
    const OutPort one = b.convert(hit, n.attr<ElementType>("output_type"));
    if (!b.has(3)) return {one};
    const OutPort batch = b.convert(b.in(3), ElementType::i64);
    return {b.op("Broadcast", "opset3", {one, b.concat({batch, b.shape_of(one)})})};
  }
};

void register_lower_eye(Registry& r) { r.transformation<LowerEye>(); }

}  // namespace mo::builtin_passes
