// GroupedMatMul: rows of a against the matrix of their group in b [groups, N, K], whose rows are columns of the
// product. a is [groups, M, K], or [rows, K] with the end of each group's rows.
#include "support/buffers.hpp"
#include "support/first_releases.hpp"
#include "support/gemm.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct GroupedMatMul {
  static constexpr std::string_view type = "GroupedMatMul", opset = "opset17";
  static void schema(OpSchema& s) {
    s.doc("a, b [groups, N, K], [offsets]: rows times the matrix of their group")
        .input("a", Role::fixed, number_types)
        .input("b", Role::fixed)
        .optional_input("offsets", Role::fixed)
        .outputs(1);
  }

  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    const Shape a = c.shape(0), b = c.shape(1);
    require_rank(a, "a", 2, 3);
    require_rank(b, "b", 3);
    if (c.has(2)) {
      require(
          c.type(2) == ElementType::unknown || c.type(2) == ElementType::i32 || c.type(2) == ElementType::i64,
          "offsets are ", name(c.type(2)), "; expected i32 or i64");
      require_rank(c.shape(2), "offsets", 1);
    }
    if (!a.has_rank()) return c.output(0, t, a);
    const Dim columns = b.has_rank() ? b[1] : any_dim;
    if (b.has_rank()) same_dim(a.back(), b[2], "columns of a and of b");
    if (a.size() == 2) {
      require(c.has(2), "a has rank 2, and there are no offsets; expected the end of the rows of each group");
      return c.output(0, t, {a[0], columns});
    }
    c.output(0, t, {b.has_rank() ? same_dim(a[0], b[0], "groups of a and of b") : a[0], a[1], columns});
  }

  static void evaluate(EvalContext& c) {
    const Tensor a = c.input(0), b = c.input(1);
    require(a.type() == b.type(), "element types ", name(a.type()), " and ", name(b.type()), " differ");
    require(b.rank() == 3 && a.rank() >= 2 && a.dim(a.rank() - 1) == b.dim(2), "shapes ", a.shape(), " and ",
            b.shape(), " cannot be multiplied");
    const auto groups = static_cast<size_t>(b.dim(0)), n = static_cast<size_t>(b.dim(1)),
               k = static_cast<size_t>(b.dim(2));
    const int64_t rows = a.rank() == 3 ? a.dim(0) * a.dim(1) : a.dim(0);
    std::vector<int64_t> ends;
    if (a.rank() == 3) {
      require(a.dim(0) == b.dim(0), "there are ", a.dim(0), " groups in a, and ", b.dim(0), " in b");
      for (size_t g = 1; g <= groups; ++g) ends.push_back(static_cast<int64_t>(g) * a.dim(1));
    } else {
      require(c.has(2), "there are no offsets");
      ends = c.input(2).to_ints();
      require(ends.size() == groups, "there are ", ends.size(), " offsets for ", groups, " groups");
    }
    const Multiplier multiply(c.context());
    auto dims = a.dims();
    dims.back() = b.dim(1);
    for_number(a.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(a), y(b);
      Results<E> z(c, dims, a.bytes() + b.bytes());
      int64_t begin = 0;
      for (size_t g = 0; g < groups; ++g) {
        require(ends[g] >= begin && ends[g] <= rows, "offset ", g, " is ", ends[g], "; expected ", begin,
                " to ", rows);
        const auto first = static_cast<size_t>(begin);
        multiply(Gemm{static_cast<size_t>(ends[g] - begin), n, k, k, k, n, false, true, false},
                 x.data() + first * k, y.data() + g * n * k, z.data() + first * n);
        begin = ends[g];
      }
      c.output(0, z.tensor());
    });
  }
};

void register_grouped_mat_mul(Registry& r) {
  r.operation<GroupedMatMul>();
  came_with("2026.3", "GroupedMatMul", "opset17");
}

}  // namespace mo::opset
