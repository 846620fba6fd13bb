// A tensor of one row that is put together with itself is spread:
//   Concat(x, x, x)  ->  Broadcast(x, {1, 3, 1}), where x has one row
#include <mo/build.hpp>

#include "support/eliminate.hpp"

namespace mo::builtin_passes {

class BroadcastConcats : public MatcherPass {
 public:
  BroadcastConcats() : MatcherPass(MO_PHASE_BACK) {
    id = "back.broadcast_concats";
    doc = "a Concat of one row, many times, is a Broadcast";
    before = R"(
      %x = Parameter -> f32[?,1,4]
      %y = Concat@opset1 (%x, %x, %x) {axis=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,1,4]
      %s = Const -> i64[3] {1,3,1}
      %y = Broadcast@opset3 (%x, %s) {mode="bidirectional"}
      Result (%y))";
    run_after = {"back.prefer_older_operations"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"opset1::Concat"})->where(repeats_one_tensor),
                     [](const Graph& g, const Match& m) { spread(g, m.root()); });
  }

 private:
  static bool repeats_one_tensor(const OutPort& p) {
    const Node n = p.node();
    const OutPort x = source_of(n, 0);
    for (uint32_t i = 1; i < n.in_count(); ++i)
      if (source_of(n, i) != x) return false;
    return n.in_count() > 1;
  }

  static void spread(const Graph& g, const Node& n) {
    const OutPort x = n.in_port(0).get_source();
    const Shape s = x.shape();
    only_when(s.has_rank(), "the rank of what it repeats is not known");
    only_when(s.size() > 1, "it repeats a list, and lists of sizes stay as they are written");
    const size_t axis = normalize_axis(n.attr<int64_t>("axis"), s.size());
    only_when(s[axis] == Dim(1), "dimension ", axis, " of what it repeats is ", s[axis],
              "; one row can be spread");
    const Build b(g, n);
    Ints dims(s.size(), 1);
    dims[axis] = static_cast<int64_t>(n.in_count());
    const Node made = b.node("Broadcast", "opset3", {x, b.list(dims)});
    made.set("mode", "bidirectional");
    copy_runtime_info({n}, {made});
    const std::string name = n.name();
    n.out_port().get_connection().set_source(made.out_port(), Names::merge);
    n.remove();
    made.rename(name);
  }
};

void register_broadcast_concats(Registry& r) { r.transformation<BroadcastConcats>(); }

}  // namespace mo::builtin_passes
