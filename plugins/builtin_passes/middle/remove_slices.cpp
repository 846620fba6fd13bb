// A slice of everything:
//   StridedSlice(x, {0, 0}, end_mask {1, 1})  ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemoveSlices : public Elimination {
 public:
  RemoveSlices() : Elimination(wrap_type({"opset1::StridedSlice", "opset8::Slice"})) {
    id = "middle.remove_slices";
    doc = "a slice that takes everything is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %zero = Const -> i64[2] {0,0}
      %one = Const -> i64[2] {1,1}
      %s = StridedSlice@opset1 (%x, %zero, %zero, %one) {begin_mask=[0,1], end_mask=[1,1], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      %y = ReLU@opset1 (%s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const auto dims = sliced_dims(n);
    if (!dims) return {};
    const Shape s = n.in_port(0).shape();
    const auto takes_all_now = [&](const SlicedDim& d) {
      return d.kind == SlicedDim::Kind::part && d.stride == 1 && s[d.axis].is_static() &&
             taken(d, s[d.axis].value()).count == s[d.axis].value();
    };
    const SlicedDim* part = nullptr;
    for (const SlicedDim& d : *dims) {
      if (d.kind == SlicedDim::Kind::whole) continue;
      if (!takes_all_now(d)) return {};
      part = &d;
    }
    only_when(part == nullptr, "dimension ", part == nullptr ? 0 : part->axis,
              " is taken as far as it goes now; of a longer one it would be a part");
    return source_of(n, 0);
  }
};

void register_remove_slices(Registry& r) { simplifying<RemoveSlices>(r, Stage::remove); }

}  // namespace mo::builtin_passes
