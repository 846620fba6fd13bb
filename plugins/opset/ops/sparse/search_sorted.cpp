// SearchSorted: where each value would have to be put into the sorted rows to keep their order: before equal
// ones, or with right_mode behind them.
#include "support/elements.hpp"
#include "support/first_releases.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace searching {

// One sorted row serves all values; else each row of the values has its own.
static Shape shape_of(const Shape& sorted, const Shape& values) {
  require_rank(sorted, "the sorted sequence", 1, std::numeric_limits<int64_t>::max());
  if (!sorted.has_rank()) return values;
  if (sorted.size() == 1) return values;
  require_rank(values, "values", sorted.rank());
  Shape out = values.has_rank() ? values : Shape::of_rank(sorted.size());
  for (size_t i = 0; i + 1 < out.size(); ++i)
    out[i] = same_dim(out[i], sorted[i], text("dimension ", i, " of the sorted sequence and of the values"));
  return out;
}
static ElementType type_of(const OpContext& c) {
  return c.find_attr<ElementType>("output_type") ? index_type_attr(c, "output_type") : ElementType::i64;
}

}  // namespace searching

struct SearchSorted {
  static constexpr std::string_view type = "SearchSorted", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("sorted rows, values: the place of each value among them")
        .input("sorted", Role::fixed, number_types)
        .input("values", Role::fixed, number_types)
        .outputs(1);
    s.attr<bool>("right_mode", false).optional_attr<ElementType>("output_type");
  }
  static void infer(InferContext& c) {
    common_type(c, {0, 1});
    const ElementType t = searching::type_of(c);
    const Shape sorted = c.shape(0), out = searching::shape_of(sorted, c.shape(1));
    c.output(0, t, out);
    // What is exact would be folded, although it follows from shapes that may change.
    const bool known = c.value(0) && c.value(1);
    if (known || !sorted.has_rank() || sorted.back().is_unbounded() || sorted.back().max == 0) return;
    if (!may_have_bounds(t, out) || out.elements() == Dim(0)) return;
    output_intervals(
        c, 0, t, out,
        std::vector<Interval>(static_cast<size_t>(out.elements().value()), Interval(0, sorted.back().max)));
  }
  static void evaluate(EvalContext& c) {
    const Tensor sorted = c.input(0), values = c.input(1);
    require(sorted.type() == values.type(), "element types ", name(sorted.type()), " and ",
            name(values.type()), " differ");
    searching::shape_of(sorted.shape(), values.shape());
    const bool right = c.attr<bool>("right_mode"), one_row = sorted.rank() == 1;
    const auto n = static_cast<size_t>(sorted.dims().back());
    const size_t per_row = one_row ? 0 : static_cast<size_t>(values.dims().back());
    const ElementType t = searching::type_of(c);
    const auto out = Tensor::create_bytes(c.context(), t, values.dims());
    for_number(values.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t i = 0; i < values.size(); ++i) {
        const auto v = E::get(values.data(), i);
        const size_t row = one_row ? 0 : i / per_row * n;
        size_t low = 0, high = n;
        while (low < high) {
          const size_t middle = low + (high - low) / 2;
          const auto x = E::get(sorted.data(), row + middle);
          if (right ? x <= v : x < v)
            low = middle + 1;
          else
            high = middle;
        }
        store_number(out.second, t, i, static_cast<double>(low));
      }
    });
    c.output(0, out.first);
  }
};

void register_search_sorted(Registry& r) {
  r.operation<SearchSorted>();
  came_with("2024.5", "SearchSorted", "opset15");
}

}  // namespace mo::opset
