// ScaledDotProductAttention: softmax(query * key^T * scale + mask) * value. A sink is one more score of each
// row, whose weight goes nowhere.
#include "support/broadcasting.hpp"
#include "support/buffers.hpp"
#include "support/first_releases.hpp"
#include "support/gemm.hpp"
#include "support/limits.hpp"

namespace mo::opset {

namespace attention {

using Dims = std::vector<int64_t>;
constexpr double never = -std::numeric_limits<double>::infinity();  // the bias of a key that is not looked at

// All dimensions but the last two.
static Shape batch_of(const Shape& s) {
  Shape b = s;
  if (s.has_rank()) b.resize(s.size() < 2 ? 0 : s.size() - 2);
  return b;
}
static Dims batch_of(const Tensor& t) {
  Dims d = t.dims();
  d.resize(d.size() < 2 ? 0 : d.size() - 2);
  return d;
}
static Dim from_end(const Shape& s, size_t i) { return s.has_rank() ? s[s.size() - i] : any_dim; }
static size_t from_end(const Tensor& t, size_t i) { return static_cast<size_t>(t.dim(t.rank() - i)); }

// What is added to the scores, [...,rows,columns] that broadcast; nothing where no attention_mask counts.
struct Mask {
  std::optional<Tensor> tensor;
  size_t rows = 1, columns = 1;

  Mask(const EvalContext& c, size_t input, std::string_view what, size_t queries, size_t keys) {
    if (!c.has(input) || c.input(input).rank() == 0) return;
    tensor = c.input(input);
    const Shape shape = tensor->shape();
    require(tensor->rank() >= 2, what, " has shape ", shape, "; expected rank 2 or more");
    rows = from_end(*tensor, 2);
    columns = from_end(*tensor, 1);
    require((rows == 1 || rows == queries) && (columns == 1 || columns == keys), what, " has shape ", shape,
            "; expected [...,", queries, ",", keys, "]");
  }
  Mask() = default;

  Dims batch() const { return tensor ? batch_of(*tensor) : Dims{}; }
  size_t at(size_t batch, size_t query, size_t key) const {
    return (batch * rows + (rows == 1 ? 0 : query)) * columns + (columns == 1 ? 0 : key);
  }
  template <class T>
  std::vector<T> values() const {
    std::vector<T> list(tensor ? tensor->size() : 0);
    for (size_t i = 0; i < list.size(); ++i) {
      const double m = tensor->number(i);
      list[i] = static_cast<T>(tensor->type() != ElementType::boolean ? m : m != 0 ? 0.0 : never);
    }
    return list;
  }
};

static double scale_of(const EvalContext& c, size_t embedding) {
  if (!c.has(4)) return 1 / std::sqrt(static_cast<double>(embedding));
  require(c.input(4).size() == 1, "the scale has shape ", c.input(4).shape(), "; expected one element");
  return c.input(4).number(0);
}

// What the scores of `rows` queries become: scaled, masked, and a softmax over each row and what is sunk.
template <class T, class Bias, class Sink>
void weigh(T* scores, size_t rows, size_t columns, double scale, Bias bias, Sink sink) {
  std::vector<double> row(columns);
  for (size_t i = 0; i < rows; ++i) {
    T* const s = scores + i * columns;
    double greatest = sink(i), sum = 0;
    for (size_t j = 0; j < columns; ++j) {
      row[j] = static_cast<double>(s[j]) * scale + bias(i, j);
      greatest = row[j] > greatest || std::isnan(row[j]) ? row[j] : greatest;
    }
    for (size_t j = 0; j < columns; ++j) sum += row[j] = std::exp(row[j] - greatest);
    if (sink(i) != never) sum += std::exp(sink(i) - greatest);
    for (size_t j = 0; j < columns; ++j) s[j] = static_cast<T>(row[j] / sum);
  }
}

}  // namespace attention

struct ScaledDotProductAttention {
  static constexpr std::string_view type = "ScaledDotProductAttention", opset = "opset13";
  static void schema(OpSchema& s) {
    s.doc("query [...,L,E], key [...,S,E], value [...,S,Ev], [attention_mask], [scale], [sink]")
        .input("query", Role::fixed, float_types)
        .inputs({"key", "value"}, Role::fixed)
        .optional_input("attention_mask", Role::fixed)
        .optional_input("scale", Role::any)
        .optional_input("sink", Role::fixed)
        .outputs(1);
    s.attr<bool>("causal");
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"there is no sink", "2025.3", "scaled_dot_product_attention.hpp in the wheels",
                      [](const Node& l) { return !is_connected<5>(l); }}});
  }

  static void infer(InferContext& c) {
    using namespace attention;
    const ElementType t = c.has(4) ? common_type(c, {0, 1, 2, 4}) : common_type(c, {0, 1, 2});
    const Shape query = c.shape(0), key = c.shape(1), value = c.shape(2);
    for (size_t i = 0; i < 3; ++i)
      require_rank(c.shape(i), text("input ", i), 3, std::numeric_limits<int64_t>::max());
    if (c.has(4)) require_elements(c, 4, "the scale", 1);
    same_dim(from_end(query, 1), from_end(key, 1), "embedding of query and key");
    const Dim keys = same_dim(from_end(key, 2), from_end(value, 2), "length of key and value");
    std::optional<Shape> batch = broadcast(batch_of(query), batch_of(key));
    if (batch) batch = broadcast(*batch, batch_of(value));
    if (!batch) fail("batches of query ", query, ", key ", key, " and value ", value, " do not broadcast");
    Dim rows = from_end(query, 2);
    if (c.has(3) && !c.attr<bool>("causal")) {
      if (c.type(3) != ElementType::boolean) common_type(c, {0, 3});
      const Shape mask = c.shape(3);
      if (!mask.has_rank()) {
        batch = Shape::unknown();
      } else if (!mask.empty()) {
        require_rank(mask, "the attention_mask", 2, std::numeric_limits<int64_t>::max());
        const Shape ends{from_end(mask, 2), from_end(mask, 1)};
        if (!ends[0].contains(1))
          rows = same_dim(rows, ends[0], "rows of the attention_mask and of the query");
        if (!ends[1].contains(1)) same_dim(keys, ends[1], "columns of the attention_mask and of the key");
        batch = broadcast(*batch, batch_of(mask));
        if (!batch) fail("the attention_mask has shape ", mask, " for a query of shape ", query);
      }
    }
    if (c.has(5)) {
      common_type(c, {0, 5});
      require_rank(c.shape(5), "the sink", 2, std::numeric_limits<int64_t>::max());
      same_dim(from_end(c.shape(5), 1), 1, "columns of the sink");
      const Dim sunk = from_end(c.shape(5), 2);
      if (!sunk.contains(1)) rows = same_dim(rows, sunk, "rows of the sink and of the query");
      if (batch->has_rank()) batch = broadcast(*batch, batch_of(c.shape(5)));
      if (!batch) fail("the sink has shape ", c.shape(5), " for a query of shape ", query);
    }
    if (!batch->has_rank()) return c.output(0, t, Shape::unknown());
    Shape out = *batch;
    out.push_back(rows);
    out.push_back(from_end(value, 1));
    c.output(0, t, out);
  }

  // Rows of the query, columns of the value; batches are stretched by all.
  static void symbols(SymbolsContext& c) {
    Symbols own = c.own_dims();
    for (size_t i = 0; i < 3; ++i)
      if (!c.dims(i) || c.dims(i)->size() < 2) return;
    if (own.size() < 2) return;
    const Symbols &query = *c.dims(0), &value = *c.dims(2);
    own.resize(own.size() - 2);
    Symbols dims(own.size(), Symbol::number(1));
    const bool causal = c.attr<bool>("causal");
    for (const size_t i : {0U, 1U, 2U, 3U, 5U}) {
      if (i >= 3 && (!c.node().is_in_port_connected(i) || (i == 3 && causal))) continue;
      if (!c.dims(i)) return;
      Symbols batch = *c.dims(i);
      if (batch.empty()) continue;  // a mask that does not count
      batch.resize(batch.size() < 2 ? 0 : batch.size() - 2);
      if (batch.size() > own.size()) return;
      dims = spread(dims, batch, own);
    }
    dims.insert(dims.end(), {query[query.size() - 2], value.back()});
    c.output(0, dims);
  }

  static void evaluate(EvalContext& c) {
    const Tensor q = c.input(0), k = c.input(1), v = c.input(2);
    for (const Tensor& t : {q, k, v})
      require(t.rank() >= 2 && t.type() == q.type(), "an input is ", name(t.type()), t.shape(), "; expected ",
              name(q.type()), " of rank 3 or more");
    using attention::from_end;
    const bool causal = c.attr<bool>("causal");
    const size_t rows = from_end(q, 2), keys = from_end(k, 2), inner = from_end(q, 1), width = from_end(v, 1);
    require(from_end(k, 1) == inner && from_end(v, 2) == keys, "query ", q.shape(), ", key ", k.shape(),
            " and value ", v.shape(), " do not fit");
    const attention::Mask mask =
        causal ? attention::Mask() : attention::Mask(c, 3, "the attention_mask", rows, keys);
    const attention::Mask sink(c, 5, "the sink", rows, 1);
    const Walk<5> walk(
        {attention::batch_of(q), attention::batch_of(k), attention::batch_of(v), mask.batch(), sink.batch()});
    auto dims = walk.dims();
    dims.push_back(static_cast<int64_t>(rows));
    dims.push_back(static_cast<int64_t>(width));
    const double scale = attention::scale_of(c, inner);
    const Multiplier multiply(c.context());
    for_float(q.type(), [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      const Numbers<E> qs(q), ks(k), vs(v);
      Results<E> out(c, dims, q.bytes() + k.bytes() + v.bytes());
      const size_t most = std::clamp<size_t>((size_t{1} << 24) / std::max<size_t>(keys, 1), 1, 256);
      const size_t block = std::min(rows, most);
      std::vector<T> scores(block * keys);
      const std::vector<T> bias = mask.values<T>(), sunk = sink.values<T>();
      const auto one = [&](size_t o, const std::array<size_t, 5>& at) {
        for (size_t first = 0; first < rows; first += block) {
          const size_t n = std::min(block, rows - first);
          multiply(Gemm{n, keys, inner, inner, inner, keys, false, true, false},
                   qs.data() + (at[0] * rows + first) * inner, ks.data() + at[1] * keys * inner,
                   scores.data());
          attention::weigh(
              scores.data(), n, keys, scale,
              [&](size_t i, size_t j) {
                if (causal) return j > first + i ? attention::never : 0.0;
                return mask.tensor ? static_cast<double>(bias[mask.at(at[3], first + i, j)]) : 0.0;
              },
              [&](size_t i) {
                return sink.tensor ? static_cast<double>(sunk[sink.at(at[4], first + i, 0)])
                                   : attention::never;
              });
          multiply(Gemm{n, width, keys, keys, width, width}, scores.data(), vs.data() + at[2] * keys * width,
                   out.data() + (o * rows + first) * width);
        }
      };
      walk.rows([&](size_t o, std::array<size_t, 5> at, const std::array<size_t, 5>& step, size_t n) {
        for (size_t i = 0; i < n; ++i, ++o) {
          one(o, at);
          for (size_t x = 0; x < 5; ++x) at[x] += step[x];
        }
      });
      c.output(0, out.tensor());
    });
  }
};

void register_scaled_dot_product_attention(Registry& r) {
  r.operation<ScaledDotProductAttention>();
  came_with("2023.3", "ScaledDotProductAttention", "opset13");
}

}  // namespace mo::opset
