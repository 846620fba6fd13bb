// GatherTree: the beams of a beam search from the ids of each step and the beams they came from.
#include "support/inference.hpp"

namespace mo::opset {

struct GatherTree {
  static constexpr std::string_view type = "GatherTree", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the ids of each beam, from its last step back; end_token after the first one")
        .input("step_ids", Role::fixed, number_types)
        .inputs({"parent_ids", "max_lengths"}, Role::fixed)
        .input("end_token", Role::any)
        .outputs(1);
  }
  static void infer(InferContext& c) {
    const ElementType type = common_type(c, {0, 1, 2, 3});
    Shape out = c.shape(0);
    require_rank(out, "the ids", 3);
    require_rank(c.shape(1), "the parents", 3);
    require_rank(c.shape(2), "the lengths", 1);
    require_elements(c, 3, "the end_token", 1);
    if (!out.has_rank()) out = Shape::of_rank(3);
    if (const Shape parents = c.shape(1); parents.has_rank())
      for (size_t i = 0; i < 3; ++i)
        out[i] = same_dim(out[i], parents[i], text("dimension ", i, " of the ids and of the parents"));
    if (const Shape lengths = c.shape(2); lengths.has_rank())
      out[1] = same_dim(out[1], lengths[0], "the batches of the ids and of the lengths");
    c.output(0, type, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor ids = c.input(0), parents = c.input(1), lengths = c.input(2);
    require(ids.rank() == 3 && parents.dims() == ids.dims() && lengths.rank() == 1 &&
                lengths.dim(0) == ids.dim(1),
            "ids of shape ", ids.shape(), ", parents of shape ", parents.shape(), " and lengths of shape ",
            lengths.shape(), " do not fit");
    const int64_t times = ids.dim(0), batches = ids.dim(1), beams = ids.dim(2);
    const double end = c.input(3).number(0);
    const auto out = Tensor::create_bytes(c.context(), ids.type(), ids.dims());
    for (size_t i = 0, n = ids.size(); i < n; ++i) store_number(out.second, ids.type(), i, end);
    for (int64_t batch = 0; batch < batches; ++batch) {
      const int64_t length = std::clamp<int64_t>(lengths.integer(static_cast<size_t>(batch)), 0, times);
      for (int64_t beam = 0; beam < beams; ++beam) {
        const auto at = [&](int64_t time, int64_t of) {
          require(of >= 0 && of < beams, "a parent is beam ", of, " of ", beams);
          return static_cast<size_t>((time * batches + batch) * beams + of);
        };
        std::vector<double> path(static_cast<size_t>(length));
        int64_t from = beam;
        for (int64_t time = length - 1; time >= 0; --time) {
          path[static_cast<size_t>(time)] = ids.number(at(time, from));
          if (time > 0) from = parents.integer(at(time, from));
        }
        for (int64_t time = 0; time < length; ++time) {
          const double id = path[static_cast<size_t>(time)];
          store_number(out.second, ids.type(), at(time, beam), id);
          if (id == end) break;  // the rest is end_token already
        }
      }
    }
    c.output(0, out.first);
  }
};

void register_gather_tree(Registry& r) { r.operation<GatherTree>(); }

}  // namespace mo::opset
