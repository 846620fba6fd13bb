// TfIdfVectorizer on numbers: how often each n-gram of a pool occurs, each place looked at by comparisons.
#include "support/build.hpp"

namespace mo::onnx {

namespace ngrams {

// The grams of one length: `values` has `length` columns, a row for each.
struct Pool {
  int64_t length = 0, count = 0;
  Ints values;
};

static std::vector<Pool> read_pools(const SourceNode& n) {
  require(!n.has_native("pool_strings"), "attribute 'pool_strings' is set; strings are not supported");
  const auto starts = n.native<Ints>("ngram_counts"), numbers = n.native<Ints>("pool_int64s");
  std::vector<Pool> pools;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t end = i + 1 < starts.size() ? starts[i + 1] : static_cast<int64_t>(numbers.size());
    const auto length = static_cast<int64_t>(i) + 1;
    const bool fits = starts[i] >= 0 && starts[i] <= end && end <= static_cast<int64_t>(numbers.size());
    require(fits && (end - starts[i]) % length == 0, "attribute 'ngram_counts' is ", starts,
            ", which does not divide the ", numbers.size(), " entries of attribute 'pool_int64s'");
    pools.push_back(
        {length, (end - starts[i]) / length, Ints(numbers.begin() + starts[i], numbers.begin() + end)});
  }
  return pools;
}

// Occurrences [N, count] in x [N, L] with `step` between the elements of a gram.
static OutPort occurrences(const Build& b, const OutPort& x, const Pool& pool, int64_t step) {
  OutPort all;
  for (int64_t k = 0; k < pool.length; ++k) {
    const int64_t behind = (pool.length - 1 - k) * step;
    const Node part =
        b.node("StridedSlice", "opset1", {x, b.list({0, k * step}), b.list({0, -behind}), b.list({1, 1})});
    part.set("begin_mask", Ints{1, 0}).set("end_mask", Ints{1, behind == 0 ? 1 : 0});
    part.set("new_axis_mask", Ints{0, 0})
        .set("shrink_axis_mask", Ints{0, 0})
        .set("ellipsis_mask", Ints{0, 0});
    Ints column;
    for (int64_t g = 0; g < pool.count; ++g)
      column.push_back(pool.values[static_cast<size_t>(g * pool.length + k)]);
    const OutPort wanted = b.reshape(b.list(column), Ints{pool.count, 1});
    const OutPort same = b.op("Equal", "opset1", {b.unsqueeze(part.out_port(), b.list({1})), wanted});
    all = all ? b.op("LogicalAnd", "opset1", {all, same}) : same;
  }
  return b.reduce("ReduceSum", b.convert(all, ElementType::f32), b.list({2}), false);
}

}  // namespace ngrams

static Ports tf_idf(Build& b, const SourceNode& n) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const auto pools = ngrams::read_pools(n);
  const auto shortest = n.native<int64_t>("min_gram_length"), longest = n.native<int64_t>("max_gram_length"),
             skips = n.native<int64_t>("max_skip_count");
  require(skips >= 0 && skips <= 1000, "attribute 'max_skip_count' is ", skips, ", expected 0 to 1000");
  const auto places = n.native<Ints>("ngram_indexes");
  const auto mode = n.native<std::string>("mode");
  require(mode == "TF" || mode == "IDF" || mode == "TFIDF", "attribute 'mode' is '", mode,
          "', expected TF, IDF or TFIDF");
  auto weights = n.find_native<std::vector<double>>("weights").value_or(std::vector<double>{});
  if (mode == "TF" || weights.empty()) weights.assign(places.size(), 1.0);
  require(weights.size() == places.size(), "attributes 'weights' and 'ngram_indexes' differ in length");

  const Shape s = b.in(0).shape();
  require(s.has_rank() && (s.rank() == 1 || s.rank() == 2), "input 0 has shape ", s,
          ", expected rank 1 or 2");
  OutPort x = b.convert(b.in(0), ElementType::i64);
  if (s.rank() == 1) x = b.unsqueeze(x, b.list({0}));

  // Column of the counts for each place of the result; the first column is 0 and stands for all others.
  const int64_t width = places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
  require(width <= int64_t{1} << 24 &&
              std::all_of(places.begin(), places.end(), [](int64_t p) { return p >= 0; }),
          "attribute 'ngram_indexes' has entries out of range");
  Ints column(static_cast<size_t>(width), 0);
  std::vector<double> weight(static_cast<size_t>(width), 0.0);
  const OutPort rows = b.dim(x, 0);
  const Node none = b.node(
      "Broadcast", "opset3",
      {b.constant(Tensor::filled(b.context(), ElementType::f32, {0}, {})), b.concat({rows, b.list({1})})});
  none.set("mode", "numpy");
  Ports counts{none.out_port()};
  size_t gram = 0;
  int64_t next = 1;
  for (const ngrams::Pool& pool : pools) {
    const bool used = pool.length >= shortest && pool.length <= longest && pool.count > 0;
    for (int64_t i = 0; i < pool.count; ++i, ++gram) {
      require(gram < places.size(), "attribute 'ngram_indexes' has ", places.size(),
              " entries, fewer than the pool");
      if (!used) continue;
      column[static_cast<size_t>(places[gram])] = next++;
      weight[static_cast<size_t>(places[gram])] = weights[gram];
    }
    if (!used) continue;
    OutPort sum;
    for (int64_t skip = 0; skip <= (pool.length == 1 ? 0 : skips); ++skip) {
      const OutPort found = ngrams::occurrences(b, x, pool, skip + 1);
      sum = sum ? op("Add", sum, found) : found;
    }
    counts.push_back(sum);
  }
  const Node g = b.node("Gather", "opset8", {b.concat(counts, 1), b.list(column), b.integer(1)});
  g.set("batch_dims", 0);
  OutPort y = g.out_port();
  const auto number = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  if (mode == "IDF") y = op("Minimum", y, number(1));
  if (mode != "TF")
    y = op("Multiply", y, b.constant(Tensor::filled(b.context(), ElementType::f32, weight, {width})));
  return {s.rank() == 1 ? b.squeeze(y, {0}) : y};
}

void register_tf_idf(Registry& r) {
  replace<tf_idf>(r, {"TfIdfVectorizer", "TfIdfVectorizer(x)",
                      "Gather(ReduceSum(LogicalAnd(Equal(x, first), Equal(x, second))))"});
}

}  // namespace mo::onnx
