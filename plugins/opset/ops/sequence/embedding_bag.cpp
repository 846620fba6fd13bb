// EmbeddingBagOffsetsSum, EmbeddingBagPackedSum and EmbeddingSegmentsSum, and EmbeddingBagOffsets and
// EmbeddingBagPacked, which can give means, too: sums of rows of a table.
#include "support/buffers.hpp"
#include "support/inference.hpp"
#include "support/limits.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

namespace embedding {

// [bags, dimensions of the table behind the first]
static void output(const InferContext& c, const Dim& bags) {
  const Shape table = c.shape(0);
  require_number(c, 0);
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
static void check_reduction(const InferContext& c, size_t weights_at) {
  require(c.attr<std::string>("reduction") == "sum" || !c.has(weights_at),
          "attribute 'reduction' is mean; expected sum with per_sample_weights");
}

static void check_offsets(const Node& n) {
  check_limits(
      n, {{"indices, offsets and default_index are all i32 or all i64", "",
           "src/core/src/op/util/embeddingbag_offsets_base.cpp of 2025", are_all_i32_or_all_i64<1, 2, 3>}});
}
static void check_packed(const Node& n) {
  check_limits(n, {{"indices are i32 or i64", "", "src/core/src/op/util/embeddingbag_packed_base.cpp of 2024",
                    are_i32_or_i64<1>}});
}

// The samples of each bag: places in `indices`, bag after bag.
struct Bags {
  std::vector<size_t> samples;
  std::vector<size_t> ends;  // of each bag in `samples`
};

// Sets output 0 to the sum or mean of each bag; an empty one gets the row of default_index, or zeros.
static void reduce(const EvalContext& c, const Bags& bags, size_t default_at, size_t weights_at, bool mean) {
  const Tensor table = c.input(0);
  require(table.rank() >= 1, "emb_table has shape ", table.shape(), "; expected rank 1 or more");
  auto dims = table.dims();
  const int64_t rows = dims[0];
  dims[0] = static_cast<int64_t>(bags.ends.size());
  size_t width = 1;
  for (size_t i = 1; i < dims.size(); ++i) width *= static_cast<size_t>(dims[i]);
  const auto indices = c.input(1).to_ints();
  const bool weighed = c.has(weights_at);
  require(!weighed ||
              (c.input(weights_at).size() == indices.size() && c.input(weights_at).type() == table.type()),
          "per_sample_weights do not fit the indices");
  int64_t fallback = -1;
  if (c.has(default_at)) {
    const auto list = c.input(default_at).to_ints();
    require(list.size() == 1 && list[0] >= -1 && list[0] < rows, "default_index is ", list,
            "; expected one number from -1 to ", rows - 1);
    fallback = list[0];
  }
  for (const int64_t i : indices)
    require(i >= 0 && i < rows, "an index is ", i, "; expected 0 to ", rows - 1);
  for_number(table.type(), [&](auto e) {
    using E = decltype(e);
    using T = typename E::computed;
    using Sum = std::conditional_t<E::is_float, double, T>;
    const Numbers<E> x(table), weights(weighed ? c.input(weights_at) : table);
    Results<E> out(c, dims, table.bytes() + c.input(1).bytes());
    std::vector<Sum> sum(width);
    size_t first = 0;
    spend(c.context(), static_cast<double>(bags.samples.size()) * static_cast<double>(width));
    for (size_t bag = 0; bag < bags.ends.size(); first = bags.ends[bag++]) {
      const size_t last = bags.ends[bag];
      std::fill(sum.begin(), sum.end(), Sum{});
      for (size_t s = first; s < last; ++s) {
        const size_t sample = bags.samples[s];
        const T* const row = x.data() + static_cast<size_t>(indices[sample]) * width;
        const Sum by = weighed ? static_cast<Sum>(weights[sample]) : Sum{1};
        for (size_t i = 0; i < width; ++i)
          sum[i] = wrapping::add(sum[i], wrapping::multiply(static_cast<Sum>(row[i]), by));
      }
      if (first == last && fallback >= 0)
        for (size_t i = 0; i < width; ++i)
          sum[i] = static_cast<Sum>(x[static_cast<size_t>(fallback) * width + i]);
      if (mean && last - first > 1)
        for (Sum& v : sum) v = static_cast<Sum>(static_cast<double>(v) / static_cast<double>(last - first));
      for (size_t i = 0; i < width; ++i) out[bag * width + i] = static_cast<T>(sum[i]);
    }
    c.output(0, out.tensor());
  });
}

static bool is_mean(const EvalContext& c) { return c.attr<std::string>("reduction") == "mean"; }

static void infer_offsets(const InferContext& c) {
  vector_length(c, 1, "indices");
  const Dim bags = vector_length(c, 2, "offsets");
  check_default(c, 3);
  check_weights(c, 4);
  output(c, bags);
}
static void evaluate_offsets(const EvalContext& c, bool mean) {
  const auto offsets = c.input(2).to_ints();
  const auto count = static_cast<int64_t>(c.input(1).size());
  Bags bags;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t end = i + 1 < offsets.size() ? offsets[i + 1] : count;
    require(offsets[i] >= 0 && offsets[i] <= end && end <= count, "offsets are ", offsets,
            "; expected numbers that do not fall, from 0 to ", count);
    for (int64_t k = offsets[i]; k < end; ++k) bags.samples.push_back(static_cast<size_t>(k));
    bags.ends.push_back(bags.samples.size());
  }
  reduce(c, bags, 3, 4, mean);
}

static void infer_packed(const InferContext& c) {
  require_integer(c, 1);
  const Shape indices = c.shape(1);
  require_rank(indices, "indices", 2);
  check_weights(c, 2);
  output(c, indices.has_rank() ? indices[0] : any_dim);
}
static void evaluate_packed(const EvalContext& c, bool mean) {
  const Tensor indices = c.input(1);
  require(indices.rank() == 2, "indices have shape ", indices.shape(), "; expected rank 2");
  Bags bags;
  for (size_t i = 0; i < indices.size(); ++i) bags.samples.push_back(i);
  for (int64_t i = 1; i <= indices.dim(0); ++i) bags.ends.push_back(static_cast<size_t>(i * indices.dim(1)));
  constexpr size_t none = std::numeric_limits<size_t>::max();
  reduce(c, bags, none, 2, mean);
}

}  // namespace embedding

struct EmbeddingBagOffsetsSum {
  static constexpr std::string_view type = "EmbeddingBagOffsetsSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, offsets, [default_index], [per_sample_weights]")
        .inputs({"emb_table", "indices", "offsets"}, Role::fixed)
        .optional_input("default_index", Role::any)
        .optional_input("per_sample_weights", Role::fixed)
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { embedding::check_offsets(n); }
  static void infer(InferContext& c) { embedding::infer_offsets(c); }
  static void evaluate(EvalContext& c) { embedding::evaluate_offsets(c, false); }
};

struct EmbeddingBagOffsets {
  static constexpr std::string_view type = "EmbeddingBagOffsets", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, offsets, [default_index], [per_sample_weights]")
        .inputs({"emb_table", "indices", "offsets"}, Role::fixed)
        .optional_input("default_index", Role::any)
        .optional_input("per_sample_weights", Role::fixed)
        .outputs(1);
    s.attr<std::string>("reduction", "sum").one_of({"sum", "mean"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) { embedding::check_offsets(n); }
  static void infer(InferContext& c) {
    embedding::check_reduction(c, 4);
    embedding::infer_offsets(c);
  }
  static void evaluate(EvalContext& c) { embedding::evaluate_offsets(c, embedding::is_mean(c)); }
};

struct EmbeddingBagPackedSum {
  static constexpr std::string_view type = "EmbeddingBagPackedSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, [per_sample_weights]")
        .inputs({"emb_table", "indices"}, Role::fixed)
        .optional_input("per_sample_weights", Role::fixed)
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { embedding::check_packed(n); }
  static void infer(InferContext& c) { embedding::infer_packed(c); }
  static void evaluate(EvalContext& c) { embedding::evaluate_packed(c, false); }
};

struct EmbeddingBagPacked {
  static constexpr std::string_view type = "EmbeddingBagPacked", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, [per_sample_weights]")
        .inputs({"emb_table", "indices"}, Role::fixed)
        .optional_input("per_sample_weights", Role::fixed)
        .outputs(1);
    s.attr<std::string>("reduction", "sum").one_of({"sum", "mean"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) { embedding::check_packed(n); }
  static void infer(InferContext& c) {
    embedding::check_reduction(c, 2);
    embedding::infer_packed(c);
  }
  static void evaluate(EvalContext& c) { embedding::evaluate_packed(c, embedding::is_mean(c)); }
};

struct EmbeddingSegmentsSum {
  static constexpr std::string_view type = "EmbeddingSegmentsSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("emb_table, indices, segment_ids, num_segments, [default_index], [per_sample_weights]")
        .inputs({"emb_table", "indices", "segment_ids"}, Role::fixed)
        .input("num_segments", Role::any, integer_types)
        .takes_sizes()
        .optional_input("default_index", Role::any)
        .optional_input("per_sample_weights", Role::fixed)
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n, {{"indices, segments, their number and default_index are all i32 or all i64", "",
             "src/core/src/op/embedding_segments_sum.cpp of 2025", are_all_i32_or_all_i64<1, 2, 3, 4>}});
  }
  static void infer(InferContext& c) {
    same_dim(vector_length(c, 1, "indices"), vector_length(c, 2, "segment_ids"),
             "lengths of indices and segment_ids");
    require_elements(c, 3, "num_segments", 1);
    const Interval bags = intervals_or_unknown(c, 3, 1)[0];
    require(bags.hi >= 0, "num_segments is ", bags.hi, "; expected 0 or more");
    embedding::check_default(c, 4);
    embedding::check_weights(c, 5);
    embedding::output(c, bags.to_dim());
  }
  static void evaluate(EvalContext& c) {
    const auto ids = c.input(2).to_ints(), number = c.input(3).to_ints();
    require(ids.size() == c.input(1).size(), "there are ", ids.size(), " segment_ids for ", c.input(1).size(),
            " indices");
    require(number.size() == 1 && number[0] >= 0, "num_segments is ", number,
            "; expected one number of at least 0");
    if (static_cast<uint64_t>(number[0]) > grown_limit / sizeof(size_t))
      no_value("a result of ", number[0], " segments is too large");
    std::vector<size_t> counts(static_cast<size_t>(number[0]));
    for (const int64_t id : ids) {
      require(id >= 0, "a segment_id is ", id, "; expected 0 or more");
      if (id < number[0]) ++counts[static_cast<size_t>(id)];
    }
    embedding::Bags bags;
    size_t end = 0;
    for (size_t& n : counts) {
      bags.ends.push_back(end + n);
      end += std::exchange(n, end);
    }
    bags.samples.resize(end);
    for (size_t i = 0; i < ids.size(); ++i)
      if (ids[i] < number[0]) bags.samples[counts[static_cast<size_t>(ids[i])]++] = i;
    embedding::reduce(c, bags, 4, 5, false);
  }
};

void register_embedding_bag(Registry& r) {
  r.operation<EmbeddingBagOffsetsSum>();
  r.operation<EmbeddingBagOffsets>();
  r.operation<EmbeddingBagPackedSum>();
  r.operation<EmbeddingBagPacked>();
  r.operation<EmbeddingSegmentsSum>();
}

}  // namespace mo::opset
