// MatMul by the rules of numpy: 1-dimensional operands lose their dimension, leading ones are broadcast.
#include "support/broadcasting.hpp"
#include "support/buffers.hpp"
#include "support/gemm.hpp"

namespace mo::opset {

struct MatMul {
  static constexpr std::string_view type = "MatMul", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("matrix product").input("a", Role::fixed, number_types).input("b", Role::fixed).outputs(1);
    s.attr<bool>("transpose_a", false).attr<bool>("transpose_b", false);
  }

  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    Shape a = c.shape(0), b = c.shape(1);
    require_rank(a, "input 0", 1, std::numeric_limits<int64_t>::max());
    require_rank(b, "input 1", 1, std::numeric_limits<int64_t>::max());
    if (!a.has_rank() || !b.has_rank()) return c.output(0, t, Shape::unknown());
    const bool row = a.size() == 1, column = b.size() == 1;
    if (row)
      a.insert(0, 1);
    else if (c.attr<bool>("transpose_a"))
      std::swap(a[a.size() - 1], a[a.size() - 2]);
    if (column)
      b.push_back(1);
    else if (c.attr<bool>("transpose_b"))
      std::swap(b[b.size() - 1], b[b.size() - 2]);
    const Dim inner_a = a[a.size() - 1], inner_b = b[b.size() - 2];
    if (!inner_a.overlaps(inner_b))
      fail("shapes ", c.shape(0), " and ", c.shape(1), " cannot be multiplied: ", inner_a, " does not equal ",
           inner_b);
    const Dim rows = a[a.size() - 2], columns = b[b.size() - 1];
    a.resize(a.size() - 2);
    b.resize(b.size() - 2);
    const auto batch = broadcast(a, b);
    if (!batch)
      fail("shapes ", c.shape(0), " and ", c.shape(1), " cannot be multiplied: ", a, " and ", b,
           " do not broadcast");
    Shape out = *batch;
    if (!row) out.push_back(rows);
    if (!column) out.push_back(columns);
    if (is_integer(t) && may_have_bounds(t, out) && may_have_bounds(t, c.shape(0)) &&
        may_have_bounds(t, c.shape(1)) && bounds_wanted(c, {0, 1}))
      return output_intervals(c, 0, t, out,
                              products(c, t, a, b, rows.value(), inner_a.value(), columns.value()));
    c.output(0, t, out);
  }

  static void symbols(SymbolsContext& c) {
    if (!c.dims(0) || !c.dims(1) || c.dims(0)->size() < 2 || c.dims(1)->size() < 2) return;
    Symbols a = *c.dims(0), b = *c.dims(1);
    if (c.attr<bool>("transpose_a")) std::swap(a[a.size() - 1], a[a.size() - 2]);
    if (c.attr<bool>("transpose_b")) std::swap(b[b.size() - 1], b[b.size() - 2]);
    const Symbol rows = a[a.size() - 2], columns = b.back();
    a.resize(a.size() - 2);
    b.resize(b.size() - 2);
    Symbols own = c.own_dims();
    if (own.size() != std::max(a.size(), b.size()) + 2) return;
    own.resize(own.size() - 2);
    Symbols dims = spread(a, b, own);
    dims.insert(dims.end(), {rows, columns});
    c.output(0, dims);
  }
  static void evaluate(EvalContext& c) {
    const Tensor a = c.input(0), b = c.input(1);
    require(a.type() == b.type(), "element types ", name(a.type()), " and ", name(b.type()), " differ");
    require(a.rank() > 0 && b.rank() > 0, "shapes ", a.shape(), " and ", b.shape(), " cannot be multiplied");
    // All but the last two dimensions, and these.
    auto batch_a = a.dims(), batch_b = b.dims();
    const bool row = batch_a.size() == 1, column = batch_b.size() == 1;
    if (row) batch_a.insert(batch_a.begin(), 1);
    if (column) batch_b.push_back(1);
    Gemm g;
    g.transpose_a = !row && c.attr<bool>("transpose_a");
    g.transpose_b = !column && c.attr<bool>("transpose_b");
    const auto take = [](std::vector<int64_t>& dims) {
      const auto last = static_cast<size_t>(dims.back());
      dims.pop_back();
      return last;
    };
    g.row_a = take(batch_a);
    const size_t rows_a = take(batch_a);
    g.row_b = take(batch_b);
    const size_t rows_b = take(batch_b);
    g.m = g.transpose_a ? g.row_a : rows_a;
    g.k = g.transpose_a ? rows_a : g.row_a;
    g.n = g.transpose_b ? rows_b : g.row_b;
    g.row_c = g.n;
    require(g.k == (g.transpose_b ? g.row_b : rows_b), "shapes ", a.shape(), " and ", b.shape(),
            " cannot be multiplied");
    const Walk<2> walk({batch_a, batch_b});
    auto dims = walk.dims();
    if (!row) dims.push_back(static_cast<int64_t>(g.m));
    if (!column) dims.push_back(static_cast<int64_t>(g.n));
    // Many rows against one matrix are one product.
    const bool one_b = std::all_of(batch_b.begin(), batch_b.end(), [](int64_t d) { return d == 1; });
    const bool joined = one_b && !g.transpose_a && g.m > 0;
    const Multiplier multiply(c.context());
    for_number(a.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(a), y(b);
      Results<E> z(c, dims, a.bytes() + b.bytes());
      if (joined) {
        g.m = g.n == 0 ? 0 : z.size() / g.n;
        multiply(g, x.data(), y.data(), z.data());
      } else {
        walk.rows(
            [&](size_t o, const std::array<size_t, 2>& at, const std::array<size_t, 2>& step, size_t n) {
              for (size_t i = 0; i < n; ++i)
                multiply(g, x.data() + (at[0] + i * step[0]) * g.m * g.k,
                         y.data() + (at[1] + i * step[1]) * g.k * g.n, z.data() + (o + i) * g.m * g.n);
            });
      }
      c.output(0, z.tensor());
    });
  }

 private:
  // Of integers; the dimensions are those of the batches, then of the matrices.
  static std::vector<Interval> products(const InferContext& c, ElementType t, const Shape& batch_a,
                                        const Shape& batch_b, int64_t m, int64_t k, int64_t n) {
    const auto x = intervals_or_unknown(c, 0, static_cast<size_t>(c.shape(0).elements().value()));
    const auto y = intervals_or_unknown(c, 1, static_cast<size_t>(c.shape(1).elements().value()));
    const bool turned_a = c.shape(0).size() > 1 && c.attr<bool>("transpose_a");
    const bool turned_b = c.shape(1).size() > 1 && c.attr<bool>("transpose_b");
    const auto at = [](size_t batch, int64_t row, int64_t column, int64_t rows, int64_t columns,
                       bool turned) {
      const int64_t place = turned ? column * rows + row : row * columns + column;
      return batch * static_cast<size_t>(rows * columns) + static_cast<size_t>(place);
    };
    std::vector<Interval> list;
    Walk<2>({batch_a.to_static(), batch_b.to_static()})
        .rows(
            [&](size_t, const std::array<size_t, 2>& first, const std::array<size_t, 2>& step, size_t count) {
              for (size_t i = 0; i < count; ++i)
                for (int64_t row = 0; row < m; ++row)
                  for (int64_t column = 0; column < n; ++column) {
                    Interval sum = 0;
                    for (int64_t j = 0; j < k; ++j)
                      sum = interval::sum(
                          sum, interval::product(x[at(first[0] + i * step[0], row, j, m, k, turned_a)],
                                                 y[at(first[1] + i * step[1], j, column, k, n, turned_b)]));
                    list.push_back(interval::fit(t, sum));
                  }
            });
    return list;
  }
};

void register_mat_mul(Registry& r) { r.operation<MatMul>(); }

}  // namespace mo::opset
