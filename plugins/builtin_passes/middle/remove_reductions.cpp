// A reduction of dimensions that can only be 1, or of none:
//   ReduceMean(x [N,1,C], {1}, keep_dims)  ->  x
//   ReduceSum(x [N,1,C], {1})              ->  Squeeze(x, {1})
#include <mo/slices.hpp>
#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemoveReductions : public AskingSizes<Elimination> {
 public:
  RemoveReductions()
      : AskingSizes(wrap_type({"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"},
                              {any_input(), constant()})) {
    id = "middle.remove_reductions";
    doc = "a reduction of dimensions that can only be 1 is left out";
    before = R"(
      %x = Parameter -> f32[?,3]
      %one = Const -> i64[1] {1}
      %u = Unsqueeze@opset1 (%x, %one)
      %m = ReduceMean@opset1 (%u, %one) {keep_dims=true}
      %y = ReLU@opset1 (%m)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,3]
      %one = Const -> i64[1] {1}
      %u = Unsqueeze@opset1 (%x, %one)
      %y = ReLU@opset1 (%u)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort x = source_of(n, 0);
    const auto axes = constant_ints(n, 1);
    const Shape s = x.shape();
    if (!s.has_rank() || !axes) return {};
    if (axes->empty()) return x;
    const auto rank = static_cast<int64_t>(s.size());
    for (const int64_t a : *axes)
      if (a < -rank || a >= rank || s[normalize_axis(a, s.size())] != Dim(1)) return {};
    const auto dims = symbols_.dims(x);
    for (const int64_t a : *axes)
      only_when(dims && (*dims)[normalize_axis(a, s.size())] == Symbol::number(1), "dimension ",
                normalize_axis(a, s.size()), " is 1, and may be larger when the model has other inputs");
    if (n.attr<bool>("keep_dims", false)) return x;
    n.set_op("Squeeze", "opset1");
    n.erase("keep_dims");
    return {};
  }
};

void register_remove_reductions(Registry& r) { simplifying<RemoveReductions>(r, Stage::remove); }

}  // namespace mo::builtin_passes
