// A slice of everything, and one that takes back what was added:
//   StridedSlice(x, {0, 0}, end_mask {1, 1})                        ->  x
//   StridedSlice(Unsqueeze(x, {0}), {-1}, shrink_axis_mask {1})     ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemoveSlices : public Elimination {
 public:
  RemoveSlices() : Elimination(wrap_type({"opset1::StridedSlice", "opset8::Slice"})) {
    id = "middle.remove_slices";
    doc = "a slice that takes everything, or takes away the dimensions that were added, is left out";
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
    if (const OutPort x = before_added(n, *dims)) return x;
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

 private:
  // What an Unsqueeze got, when the slice takes the one element of each dimension that it adds, and all else.
  static OutPort before_added(const Node& n, const std::vector<SlicedDim>& dims) {
    const Node view = n.in_node(0);
    const auto axes = view.is("Unsqueeze") ? constant_ints(view, 1) : std::nullopt;
    const Shape s = n.in_port(0).shape();
    if (!axes || !s.has_rank()) return {};
    std::vector<size_t> added, gone;
    for (const int64_t a : *axes) added.push_back(normalize_axis(a, s.size()));
    for (const SlicedDim& d : dims) {
      if (d.kind == SlicedDim::Kind::gone && (d.begin == 0 || d.begin == -1))
        gone.push_back(d.axis);
      else if (d.kind != SlicedDim::Kind::whole)
        return {};
    }
    std::sort(added.begin(), added.end());
    std::sort(gone.begin(), gone.end());
    return added == gone ? source_of(view, 0) : OutPort();
  }
};

void register_remove_slices(Registry& r) { simplifying<RemoveSlices>(r, Stage::remove); }

}  // namespace mo::builtin_passes
