// Eye: ones on one diagonal of a matrix, or of each in a batch.
#include "support/elements.hpp"
#include "support/inference.hpp"
#include "support/limits.hpp"

namespace mo::opset {

namespace eye {

static ElementType type_of(const OpContext& c) {
  const auto t = c.attr<ElementType>("output_type");
  require(is_integer(t) || is_float(t), "attribute 'output_type' is ", name(t), "; expected a number");
  return t;
}
static Dim size(const InferContext& c, size_t input, std::string_view what) {
  require_integer(c, input);
  require_rank(c.shape(input), what, 0, 1);
  require_elements(c, input, what, 1);
  const Interval n = intervals_or_unknown(c, input, 1)[0];
  require(n.hi >= 0, what, " is ", n.hi, "; expected 0 or more");
  return n.to_dim();
}

}  // namespace eye

struct Eye {
  static constexpr std::string_view type = "Eye", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("num_rows, num_columns, diagonal_index, [batch_shape]")
        .input("num_rows", Role::any)
        .takes_sizes()
        .input("num_columns", Role::any)
        .takes_sizes()
        .input("diagonal_index", Role::any, integer_types)
        .optional_input("batch_shape", Role::any)
        .takes_sizes()
        .outputs(1);
    s.attr<ElementType>("output_type");
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"the inputs are i32 or i64", "", "src/core/src/op/eye.cpp of 2022",
                      are_i32_or_i64<0, 1, 2, 3>}});
  }
  static void infer(InferContext& c) {
    const ElementType t = eye::type_of(c);
    const Dim rows = eye::size(c, 0, "num_rows"), columns = eye::size(c, 1, "num_columns");
    require_elements(c, 2, "diagonal_index", 1);
    Shape out = c.has(3) ? shape_input(c, 3, "batch_shape") : Shape();
    if (out.has_rank()) {
      out.push_back(rows);
      out.push_back(columns);
    }
    bool all = true;  // then evaluate is asked
    for (size_t i = 0; i < c.inputs(); ++i) all = all && (!c.has(i) || c.value(i));
    if (all || !may_have_bounds(t, out)) return c.output(0, t, out);
    const Interval at = intervals_or_unknown(c, 2, 1)[0];
    std::vector<Interval> list;
    for (int64_t k = 0, n = out.elements().value(), w = std::max<int64_t>(columns.min, 1); k < n; ++k) {
      const int64_t diagonal = k % w - k / w % std::max<int64_t>(rows.min, 1);
      list.push_back(!at.contains(diagonal) ? Interval(0) : at.exact() ? Interval(1) : Interval(0, 1));
    }
    output_intervals(c, 0, t, out, list);
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = eye::type_of(c);
    const auto number = [&](size_t i) { return c.input(i).to_ints().at(0); };
    const int64_t rows = number(0), columns = number(1), diagonal = number(2);
    auto dims = c.has(3) ? c.input(3).to_ints() : std::vector<int64_t>{};
    dims.push_back(rows);
    dims.push_back(columns);
    for (const int64_t d : dims) require(d >= 0, "the shape is ", dims, "; expected 0 or more");
    const auto out = create_grown(c, t, dims, 0);
    const size_t n = out.first.size();
    const int64_t first = std::max<int64_t>(0, diagonal == Interval::lowest ? rows : -diagonal);
    for_number(t, [&](auto e) {
      using E = decltype(e);
      const auto matrix = static_cast<size_t>(n == 0 ? 1 : rows * columns);
      for (size_t m = 0; m < n; m += matrix)
        for (int64_t r = first; r < rows && r < columns - diagonal; ++r)
          E::put(out.second, m + static_cast<size_t>(r * columns + r + diagonal), typename E::computed{1});
    });
    c.output(0, out.first);
  }
};

void register_eye(Registry& r) { r.operation<Eye>(); }

}  // namespace mo::opset
