// Neighbouring slices of one tensor that are put together again are one slice, or the tensor:
//   Concat(StridedSlice(x, 0:3), StridedSlice(x, 3:))  ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class JoinSlices : public Elimination {
 public:
  JoinSlices() : Elimination(wrap_type({"opset1::Concat"}, {a_slice(), a_slice()})->variadic()) {
    id = "middle.join_slices";
    doc = "a Concat of all slices of a tensor, in order, is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %b0 = Const -> i64[2] {0,0}
      %b3 = Const -> i64[2] {0,2}
      %one = Const -> i64[2] {1,1}
      %p = StridedSlice@opset1 (%x, %b0, %b3, %one) {begin_mask=[1,1], end_mask=[1,0], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      %q = StridedSlice@opset1 (%x, %b3, %b0, %one) {begin_mask=[1,0], end_mask=[1,1], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      %c = Concat@opset1 (%p, %q) {axis=1}
      %y = ReLU@opset1 (%c)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const size_t rank = n.out_port().shape().size();
    if (rank == 0) return {};
    const size_t axis = normalize_axis(n.attr<int64_t>("axis"), rank);
    OutPort x;
    int64_t at = 0;
    bool ends = false;
    for (const InPort& in : n.in_ports()) {
      const Node slice = in.get_source().node();
      const auto dims = sliced_dims(slice);
      if (!dims || dims->size() != rank || ends) return {};
      const OutPort source = slice.in_port(0).get_source();
      if (x && source != x) return {};
      x = source;
      for (size_t i = 0; i < rank; ++i) {
        const SlicedDim& d = (*dims)[i];
        if (i != axis && d.kind != SlicedDim::Kind::whole) return {};
        if (i == axis && (d.kind != SlicedDim::Kind::part || d.stride != 1)) return {};
      }
      // Bounds from the start say the same for every size that reaches them; from the end they might overlap.
      const SlicedDim& d = (*dims)[axis];
      const int64_t begin = d.from_first ? 0 : d.begin;
      only_when(begin == at, "'", slice.name(), "' begins at ", begin, ", where ", at, " would go on");
      ends = d.to_last;
      if (!ends && (d.end <= begin)) return {};
      at = d.end;
    }
    only_when(ends, "its pieces end at ", at, ", and there may be more");
    return x;
  }

 private:
  static Pattern a_slice() { return wrap_type({"opset1::StridedSlice", "opset8::Slice"}); }
};

void register_join_slices(Registry& r) { simplifying<JoinSlices>(r, Stage::cut); }

}  // namespace mo::builtin_passes
