// For releases without Slice, where its bounds are only known when it runs:
//   Slice(x, start, stop, {1}, {1})  ->  StridedSlice(x, Concat(0, start), Concat(0, stop), {1,1})
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerSlice : public Lowering {
 public:
  LowerSlice() {
    id = "back.lower_slice";
    doc = "Slice of bounds that the run decides as StridedSlice";
    before = R"(
      %x = Parameter -> f32[3,4]
      %i = Parameter -> i64[1]
      %stop = Const -> i64[1] {4}
      %step = Const -> i64[1] {1}
      %axis = Const -> i64[1] {1}
      %y = Slice@opset8 (%x, %i, %stop, %step, %axis)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3,4]
      %i = Parameter -> i64[1]
      %none = Const -> i64[1] {0}
      %from = Concat@opset1 (%none, %i) {axis=0}
      %to = Const -> i64[2] {0,4}
      %one = Const -> i64[2] {1,1}
      %y = StridedSlice@opset1 (%x, %from, %to, %one) {begin_mask=[1,0], end_mask=[1,0]}
      Result (%y))";
    lowers("Slice", {8});
  }

 private:
  Ports lower(const Build& b, const Node&) override {
    const Shape s = b.in(0).shape();
    const auto steps = b.ints(3);
    only_when(s.has_rank() && steps, "its steps, or the rank of what is sliced, are not known");
    only_when(!constant(b, 1) || !constant(b, 2),
              "its bounds are constants: back.prefer_older_operations does it");
    Ints axes;
    for (size_t i = 0; i < steps->size(); ++i) axes.push_back(static_cast<int64_t>(i));
    if (b.has(4)) {
      const auto given = b.ints(4);
      only_when(given && given->size() == steps->size(), "its axes are not known");
      axes = *given;
    }
    std::vector<std::optional<size_t>> which(s.size());  // entry of the lists
    Ints stride(s.size(), 1), whole(s.size(), 1);
    for (size_t i = 0; i < axes.size(); ++i) {
      const size_t a = normalize_axis(axes[i], s.size());
      which[a] = i;
      stride[a] = (*steps)[i];
      whole[a] = 0;
    }
    const Node made =
        b.node("StridedSlice", "opset1", {b.in(0), bounds(b, 1, which), bounds(b, 2, which), b.list(stride)});
    made.set("begin_mask", whole).set("end_mask", whole);
    return {made.out_port()};
  }

  // What is known of shapes may change with them.
  static std::optional<Ints> constant(const Build& b, size_t input) {
    return b.in(input).node().is("Const") ? b.ints(input) : std::nullopt;
  }

  // A bound for each dimension, 0 where none is given.
  static OutPort bounds(const Build& b, size_t input, const std::vector<std::optional<size_t>>& which) {
    if (const auto known = constant(b, input)) {
      Ints all;
      for (const auto& w : which) all.push_back(w ? (*known)[*w] : 0);
      return b.list(all);
    }
    const OutPort given = b.convert(b.in(input), ElementType::i64);
    const Shape s = b.in(input).shape();
    const bool single = s.rank() == 1 && s[0] == Dim(1);
    Ports all;
    for (const auto& w : which) {
      const auto at = static_cast<int64_t>(w.value_or(0));
      all.push_back(!w ? b.list({0}) : single ? given : b.part(given, at, at + 1));
    }
    return b.concat(all);
  }
};

void register_lower_slice(Registry& r) { r.transformation<LowerSlice>(); }

}  // namespace mo::builtin_passes
