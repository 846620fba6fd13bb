// MatMul by the rules of numpy: 1-dimensional operands lose their dimension, leading ones are broadcast.
#include "support/broadcasting.hpp"

namespace mo::opset {

struct MatMul {
  static constexpr std::string_view type = "MatMul", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("matrix product").inputs(2).outputs(1);
    s.attr<bool>("transpose_a", false).attr<bool>("transpose_b", false);
  }

  static void infer(InferContext& c) {
    require_number(c, 0);
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
    c.output(0, t, out);
  }
};

void register_mat_mul(Registry& r) { r.operation<MatMul>(); }

}  // namespace mo::opset
