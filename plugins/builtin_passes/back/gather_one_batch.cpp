// A Gather of each batch, of which there is one, crashes CPUs:
//   Gather(x[1,6,4], i[1,5], 1) {batch_dims=1}  ->  Gather(x, Squeeze(i, 0), 1)
#include <mo/build.hpp>

#include <numeric>

namespace mo::builtin_passes {

class GatherOneBatch : public FrontReplacementOp {
 public:
  GatherOneBatch() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.gather_one_batch";
    doc = "what is gathered in each batch, of which there is one, is gathered as a whole";
    before = R"(
      %x = Parameter -> f32[1,6,4]
      %i = Parameter -> i32[1,5]
      %a = Const -> i64[] {1}
      %y = Gather@opset7 (%x, %i, %a) {batch_dims=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,6,4]
      %i = Parameter -> i32[1,5]
      %zero = Const -> i64[1] {0}
      %s = Squeeze@opset1 (%i, %zero)
      %a = Const -> i64[] {1}
      %y = Gather@opset7 (%x, %s, %a) {batch_dims=0}
      Result (%y))";
    ops = {"Gather"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    int64_t batches = n.attr("batch_dims", int64_t{0});
    only_when(batches != 0, "it gathers from all of its data");
    const Build b(g, n);
    const Shape x = b.in(0).shape(), i = b.in(1).shape();
    only_when(x.has_rank() && i.has_rank(), "the rank of its data or indices is not known");
    if (batches < 0) batches += static_cast<int64_t>(i.size());
    const auto count = static_cast<size_t>(batches);
    for (size_t d = 0; d < count; ++d)
      only_when(x[d] == Dim(1) && i[d] == Dim(1), "there may be more than one batch");
    std::vector<int64_t> axes(count);
    std::iota(axes.begin(), axes.end(), int64_t{0});
    n.in_port(1).set_source(b.squeeze(b.in(1), axes));
    n.set("batch_dims", int64_t{0});
  }
};

void register_gather_one_batch(Registry& r) { r.transformation<GatherOneBatch>(); }

}  // namespace mo::builtin_passes
