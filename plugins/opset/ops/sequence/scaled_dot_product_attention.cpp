// ScaledDotProductAttention: softmax(query * key^T * scale + mask) * value.
#include "support/broadcasting.hpp"
#include "support/buffers.hpp"
#include "support/gemm.hpp"

namespace mo::opset {

namespace attention {

using Dims = std::vector<int64_t>;

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

// What the scores of `rows` queries become: scaled, masked, and a softmax over each row.
template <class T, class Bias>
void weigh(T* scores, size_t rows, size_t columns, double scale, Bias bias) {
  std::vector<double> row(columns);
  for (size_t i = 0; i < rows; ++i) {
    T* const s = scores + i * columns;
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (size_t j = 0; j < columns; ++j) {
      row[j] = static_cast<double>(s[j]) * scale + bias(i, j);
      greatest = row[j] > greatest || std::isnan(row[j]) ? row[j] : greatest;
    }
    for (size_t j = 0; j < columns; ++j) sum += row[j] = std::exp(row[j] - greatest);
    for (size_t j = 0; j < columns; ++j) s[j] = static_cast<T>(row[j] / sum);
  }
}

}  // namespace attention

struct ScaledDotProductAttention {
  static constexpr std::string_view type = "ScaledDotProductAttention", opset = "opset13";
  static void schema(OpSchema& s) {
    s.doc("query [...,L,E], key [...,S,E], value [...,S,Ev], [attention_mask], [scale]")
        .inputs(3, 5)
        .outputs(1);
    s.attr<bool>("causal");
  }

  static void infer(InferContext& c) {
    using namespace attention;
    require_float(c, 0);
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
    if (!batch->has_rank()) return c.output(0, t, Shape::unknown());
    Shape out = *batch;
    out.push_back(rows);
    out.push_back(from_end(value, 1));
    c.output(0, t, out);
  }

  static void evaluate(EvalContext& c) {
    const Tensor q = c.input(0), k = c.input(1), v = c.input(2);
    for (const Tensor& t : {q, k, v})
      require(t.rank() >= 2 && t.type() == q.type(), "an input is ", name(t.type()), t.shape(), "; expected ",
              name(q.type()), " of rank 3 or more");
    const bool causal = c.attr<bool>("causal"), masked = c.has(3) && !causal && c.input(3).rank() > 0;
    const auto size = [](const Tensor& t, size_t from_end) {
      return static_cast<size_t>(t.dim(t.rank() - from_end));
    };
    const size_t rows = size(q, 2), keys = size(k, 2), inner = size(q, 1), width = size(v, 1);
    require(size(k, 1) == inner && size(v, 2) == keys, "query ", q.shape(), ", key ", k.shape(),
            " and value ", v.shape(), " do not fit");
    const Tensor mask = masked ? c.input(3) : q;
    size_t mask_rows = 1, mask_columns = 1;
    if (masked) {
      require(mask.rank() >= 2, "the attention_mask has shape ", mask.shape(), "; expected rank 2 or more");
      mask_rows = size(mask, 2);
      mask_columns = size(mask, 1);
      require((mask_rows == 1 || mask_rows == rows) && (mask_columns == 1 || mask_columns == keys),
              "the attention_mask has shape ", mask.shape(), "; expected [...,", rows, ",", keys, "]");
    }
    const Walk<4> walk({attention::batch_of(q), attention::batch_of(k), attention::batch_of(v),
                        masked ? attention::batch_of(mask) : attention::Dims{}});
    auto dims = walk.dims();
    dims.push_back(static_cast<int64_t>(rows));
    dims.push_back(static_cast<int64_t>(width));
    double scale = 1 / std::sqrt(static_cast<double>(inner));
    if (c.has(4)) {
      require(c.input(4).size() == 1, "the scale has shape ", c.input(4).shape(), "; expected one element");
      scale = c.input(4).number(0);
    }
    const Multiplier multiply(c.context());
    for_float(q.type(), [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      const Numbers<E> qs(q), ks(k), vs(v);
      Results<E> out(c, dims, q.bytes() + k.bytes() + v.bytes());
      const size_t most = std::clamp<size_t>((size_t{1} << 24) / std::max<size_t>(keys, 1), 1, 256);
      const size_t block = std::min(rows, most);
      std::vector<T> scores(block * keys);
      constexpr double never = -std::numeric_limits<double>::infinity();
      std::vector<T> bias(masked ? mask.size() : 0);
      for (size_t i = 0; i < bias.size(); ++i) {
        const double m = mask.number(i);
        bias[i] = static_cast<T>(mask.type() != ElementType::boolean ? m : m != 0 ? 0.0 : never);
      }
      const auto one = [&](size_t o, const std::array<size_t, 4>& at) {
        for (size_t first = 0; first < rows; first += block) {
          const size_t n = std::min(block, rows - first);
          multiply(Gemm{n, keys, inner, inner, inner, keys, false, true, false},
                   qs.data() + (at[0] * rows + first) * inner, ks.data() + at[1] * keys * inner,
                   scores.data());
          attention::weigh(scores.data(), n, keys, scale, [&](size_t i, size_t j) {
            if (causal) return j > first + i ? never : 0.0;
            if (!masked) return 0.0;
            return static_cast<double>(
                bias[(at[3] * mask_rows + (mask_rows == 1 ? 0 : first + i)) * mask_columns +
                     (mask_columns == 1 ? 0 : j)]);
          });
          multiply(Gemm{n, width, keys, keys, width, width}, scores.data(), vs.data() + at[2] * keys * width,
                   out.data() + (o * rows + first) * width);
        }
      };
      walk.rows([&](size_t o, std::array<size_t, 4> at, const std::array<size_t, 4>& step, size_t n) {
        for (size_t i = 0; i < n; ++i, ++o) {
          one(o, at);
          for (size_t x = 0; x < 4; ++x) at[x] += step[x];
        }
      });
      c.output(0, out.tensor());
    });
  }
};

void register_scaled_dot_product_attention(Registry& r) { r.operation<ScaledDotProductAttention>(); }

}  // namespace mo::opset
