// Unsqueeze: puts dimensions of 1 in; axes count in the result.
#include "support/limits.hpp"
#include "support/symbols.hpp"
#include "support/views.hpp"

namespace mo::opset {

namespace unsqueezing {

static Shape with_ones(const Shape& in, const std::vector<size_t>& axes) {
  Shape out;
  size_t next = 0;
  for (size_t i = 0; i < in.size() + axes.size(); ++i)
    out.push_back(std::find(axes.begin(), axes.end(), i) != axes.end() ? Dim(1) : in[next++]);
  return out;
}
// `n` dimensions more, nobody knows which.
static Shape with_some_ones(const Shape& in, size_t n) {
  Shape out = Shape::of_rank(in.size() + n, 1);
  for (size_t i = 0; i < in.size(); ++i)
    for (size_t k = i; k <= i + n; ++k) out[k] = unite(out[k], in[i]);
  return out;
}

}  // namespace unsqueezing

struct Unsqueeze {
  static constexpr std::string_view type = "Unsqueeze", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("dimensions of 1 put in").input("data").input("axes", Role::any).outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"axes are a list", "2022.3", "ngraph/core/src/op/unsqueeze.cpp:105", is_list<1>}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const Dim n = vector_length(c, 1, "axes");
    if (!in.has_rank() || !n.is_static()) return output_view(c, Shape::unknown());
    require(n.value() <= bounds_limit, "axes have ", n, " entries; expected at most ", bounds_limit);
    const auto count = static_cast<size_t>(n.value());
    const auto axes = axes_input(c, 1, in.size() + count);
    output_view(c, axes ? unsqueezing::with_ones(in, *axes) : unsqueezing::with_some_ones(in, count));
  }
  static void symbols(SymbolsContext& c) {
    if (!c.dims(0)) return;
    c.output_values(0, c.values(0));
    const auto given = constant_ints(c.node(), 1);
    auto axes = places(given, c.dims(0)->size() + (given ? given->size() : 0));
    if (!axes) return;
    std::sort(axes->begin(), axes->end());
    Symbols dims = *c.dims(0);
    for (const size_t a : *axes) {
      if (a > dims.size()) return;
      dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(a), Symbol::number(1));
    }
    c.output(0, dims);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto axes = c.input(1).to_ints();
    const Shape out = unsqueezing::with_ones(in.shape(), unique_axes(axes, in.rank() + axes.size(), "axes"));
    c.output(0, in.reshaped(c.context(), out.to_static()));
  }
};

void register_unsqueeze(Registry& r) { r.operation<Unsqueeze>(); }

}  // namespace mo::opset
