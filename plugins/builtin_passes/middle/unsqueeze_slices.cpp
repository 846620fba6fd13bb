// A slice that takes everything and adds dimensions adds them, which devices do without a copy; some releases
// get several new ones of an open size wrong:
//   StridedSlice(x, new_axis_mask {0, 1, 1, 0})  ->  Unsqueeze(x, {1, 2})
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class UnsqueezeSlices : public MatcherPass {
 public:
  UnsqueezeSlices() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.unsqueeze_slices";
    doc = "a slice that takes everything and adds dimensions is an Unsqueeze";
    before = R"(
      %x = Parameter -> f32[?,3]
      %zero = Const -> i64[3] {0,0,0}
      %one = Const -> i64[3] {1,1,1}
      %y = StridedSlice@opset1 (%x, %zero, %zero, %one) {begin_mask=[1,0,1], end_mask=[1,0,1], new_axis_mask=[0,1,0], shrink_axis_mask=[0,0,0], ellipsis_mask=[0,0,0]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,3]
      %axes = Const -> i64[1] {1}
      %y = Unsqueeze@opset1 (%x, %axes)
      Result (%y))";
    run_before = {"middle.fold_dimensions"};
    force_clean_up = true;
    register_matcher(wrap_type({"opset1::StridedSlice"}),
                     [](const Graph& g, const Match& m) { add(g, m.root()); });
  }

 private:
  static void add(const Graph& g, const Node& n) {
    const auto dims = sliced_dims(n);
    if (!dims) return;
    std::vector<int64_t> added;
    for (size_t i = 0; i < dims->size(); ++i)
      if ((*dims)[i].kind == SlicedDim::Kind::made) added.push_back(static_cast<int64_t>(i));
    if (added.empty()) return;
    for (const SlicedDim& d : *dims)
      only_when(d.kind == SlicedDim::Kind::whole || d.kind == SlicedDim::Kind::made, "of dimension ", d.axis,
                " it takes a part");
    const Node made = g.create_node("Unsqueeze", "opset1", n.name() + "/unsqueezed",
                                    {source_of(n, 0), g.create_ints(n.name() + "/added", added).out_port()});
    made.out_port().set_shape(n.out_port().type(), n.out_port().shape());
    copy_runtime_info({n}, {made});
    replace_node(n, made);
  }
};

void register_unsqueeze_slices(Registry& r) { simplifying<UnsqueezeSlices>(r, Stage::remove); }

}  // namespace mo::builtin_passes
