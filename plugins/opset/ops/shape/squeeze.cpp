// Squeeze: takes dimensions of 1 away: those named, or all.
#include "support/views.hpp"

namespace mo::opset {

namespace squeezing {

static Shape without(const Shape& in, const std::vector<size_t>& axes) {
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end())
      out.push_back(in[i]);
    else
      require(in[i].contains(1), "dimension ", i, " of shape ", in, " is ", in[i], "; expected 1");
  }
  return out;
}
static Shape without_ones(const Shape& in) {
  Shape out;
  for (const Dim& d : in) {
    if (!d.is_static() && d.contains(1)) return Shape::unknown();
    if (d != Dim(1)) out.push_back(d);
  }
  return out;
}
// `n` dimensions less, nobody knows which.
static Shape without_some(const Shape& in, size_t n) {
  Shape out;
  for (size_t i = 0; i + n < in.size(); ++i) {
    Dim d = in[i];
    for (size_t k = 1; k <= n; ++k) d = unite(d, in[i + k]);
    out.push_back(d);
  }
  return out;
}

}  // namespace squeezing

struct Squeeze {
  static constexpr std::string_view type = "Squeeze", opset = "opset1";
  static void schema(OpSchema& s) { s.doc("dimensions of 1 taken away").inputs(1, 2).outputs(1); }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    if (!in.has_rank()) return output_view(c, in);
    if (!c.has(1)) return output_view(c, squeezing::without_ones(in));
    const Dim n = vector_length(c, 1, "axes");
    if (n == Dim(0)) return output_view(c, squeezing::without_ones(in));
    if (const auto axes = axes_input(c, 1, in.size())) return output_view(c, squeezing::without(in, *axes));
    output_view(
        c, n.is_static() ? squeezing::without_some(in, static_cast<size_t>(n.value())) : Shape::unknown());
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto axes = c.has(1) ? c.input(1).to_ints() : std::vector<int64_t>{};
    const Shape out = axes.empty() ? squeezing::without_ones(in.shape())
                                   : squeezing::without(in.shape(), unique_axes(axes, in.rank(), "axes"));
    c.output(0, in.reshaped(c.context(), out.to_static()));
  }
};

void register_squeeze(Registry& r) { r.operation<Squeeze>(); }

}  // namespace mo::opset
