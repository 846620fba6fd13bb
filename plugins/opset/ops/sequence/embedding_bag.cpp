// EmbeddingBagOffsetsSum, EmbeddingBagPackedSum and EmbeddingSegmentsSum: sums of rows of a table.
#include "support/inference.hpp"

namespace mo::opset {

namespace embedding {
// [bags, dimensions of the table behind the first]
static void output(const InferContext& c, const Dim& bags) {
  const Shape table = c.shape(0);
  require_rank(table, "emb_table", 1, std::numeric_limits<int64_t>::max());
  Shape out = table;
  if (out.has_rank()) out[0] = bags;
  c.output(0, c.type(0), out);
}
static void check_weights(const InferContext& c, size_t at) {
  if (!c.has(at)) return;
  common_type(c, {0, at});
  if (!merge(c.shape(at), c.shape(1)))
    fail("per_sample_weights have shape ", c.shape(at), " but indices ", c.shape(1), "; expected the same");
}
static void check_default(const InferContext& c, size_t at) {
  if (!c.has(at)) return;
  require_integer(c, at);
  require_elements(c, at, "default_index", 1);
}
}  // namespace embedding

struct EmbeddingBagOffsetsSum {
  static constexpr std::string_view type = "EmbeddingBagOffsetsSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, offsets, [default_index], [per_sample_weights]").inputs(3, 5).outputs(1);
  }
  static void infer(InferContext& c) {
    vector_length(c, 1, "indices");
    const Dim bags = vector_length(c, 2, "offsets");
    embedding::check_default(c, 3);
    embedding::check_weights(c, 4);
    embedding::output(c, bags);
  }
};

struct EmbeddingBagPackedSum {
  static constexpr std::string_view type = "EmbeddingBagPackedSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, [per_sample_weights]").inputs(2, 3).outputs(1);
  }
  static void infer(InferContext& c) {
    require_integer(c, 1);
    const Shape indices = c.shape(1);
    require_rank(indices, "indices", 2);
    embedding::check_weights(c, 2);
    embedding::output(c, indices.has_rank() ? indices[0] : any_dim);
  }
};

struct EmbeddingSegmentsSum {
  static constexpr std::string_view type = "EmbeddingSegmentsSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, segment_ids, num_segments, [default_index], [per_sample_weights]")
        .inputs(4, 6)
        .outputs(1);
  }
  static void infer(InferContext& c) {
    same_dim(vector_length(c, 1, "indices"), vector_length(c, 2, "segment_ids"),
             "lengths of indices and segment_ids");
    require_integer(c, 3);
    require_elements(c, 3, "num_segments", 1);
    const Interval bags = intervals_or_unknown(c, 3, 1)[0];
    require(bags.hi >= 0, "num_segments is ", bags.hi, "; expected 0 or more");
    embedding::check_default(c, 4);
    embedding::check_weights(c, 5);
    embedding::output(c, bags.to_dim());
  }
};

void register_embedding_bag(Registry& r) {
  r.operation<EmbeddingBagOffsetsSum>();
  r.operation<EmbeddingBagPackedSum>();
  r.operation<EmbeddingSegmentsSum>();
}

}  // namespace mo::opset
