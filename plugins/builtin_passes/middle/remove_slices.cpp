// A slice of everything:
//   StridedSlice(x, {0, 0}, end_mask {1, 1})  ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemoveSlices : public Elimination {
 public:
  RemoveSlices() : Elimination({"StridedSlice", "Slice"}) {
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
    const bool all = std::all_of(dims->begin(), dims->end(),
                                 [](const SlicedDim& d) { return d.kind == SlicedDim::Kind::whole; });
    return all ? source_of(n, 0) : OutPort();
  }
};

void register_remove_slices(Registry& r) { simplifying<RemoveSlices>(r, Stage::remove); }

}  // namespace mo::builtin_passes
