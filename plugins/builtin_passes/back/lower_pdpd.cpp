// Releases up to 2022.3 spread no dimension of 1 where auto_broadcast is pdpd, which numpy's rule does:
//   Add(x [2,3,4], y [1,3]) {pdpd, axis=0}  ->  Add(x, Unsqueeze(y, 2)) {numpy}
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class LowerPdpd : public ModelPass {
 public:
  LowerPdpd() : ModelPass(MO_PHASE_BACK) {
    id = "back.lower_pdpd";
    doc =
        "broadcasting as PaddlePaddle has it becomes that of numpy, of which all releases spread a dimension "
        "of 1";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %y = Parameter -> f32[1,3]
      %z = Add@opset1 (%x, %y) {auto_broadcast="pdpd", axis=0}
      Result (%z))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %y = Parameter -> f32[1,3]
      %a = Const -> i64[1] {2}
      %u = Unsqueeze@opset1 (%y, %a)
      %z = Add@opset1 (%x, %u) {auto_broadcast="numpy"}
      Result (%z))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2022.3"); }

  void run_on_model(Graph g) override {
    for (const Node& n : g.nodes())
      if (n.in_count() == 2 && n.attr("auto_broadcast", std::string()) == "pdpd") spread(Build(g, n), n);
  }

 private:
  static void spread(const Build& b, const Node& n) {
    const Shape x = b.in(0).shape(), y = b.in(1).shape();
    if (!x.has_rank() || !y.has_rank() || y.size() > x.size()) return;
    const int64_t axis = n.attr("axis", int64_t{-1}), first = axis < 0 ? x.rank() - y.rank() : axis;
    // Ones at the end may stand beyond the last dimension.
    int64_t rank = y.rank();
    while (rank > 0 && first + rank > x.rank() && y[static_cast<size_t>(rank - 1)] == Dim(1)) --rank;
    if (first + rank > x.rank()) return;
    Ints gone, added;
    for (int64_t i = rank; i < y.rank(); ++i) gone.push_back(i);
    for (int64_t i = first + rank; i < x.rank(); ++i) added.push_back(i - first);
    OutPort other = b.in(1);
    if (!gone.empty()) other = b.squeeze(other, gone);
    if (!added.empty()) other = b.unsqueeze(other, b.list(added));
    n.in_port(1).set_source(other);
    n.set("auto_broadcast", std::string("numpy"));
    n.erase("axis");
  }
};

void register_lower_pdpd(Registry& r) { r.transformation<LowerPdpd>(); }

}  // namespace mo::builtin_passes
