// Squeeze: takes dimensions of 1 away: those named, or all. opset15 leaves a named dimension that is not 1 as
// it is; allow_axis_skip says whether that is reckoned with where a dimension is not known.
#include "support/first_releases.hpp"
#include "support/symbols.hpp"
#include "support/views.hpp"

namespace mo::opset {

namespace squeezing {

enum class Other { error, kept, may_be_kept };  // what a named dimension other than 1 is

static Shape without(const Shape& in, const std::vector<size_t>& axes, Other other) {
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool named = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!named) {
      out.push_back(in[i]);
    } else if (!in[i].contains(1)) {
      require(other != Other::error, "dimension ", i, " of shape ", in, " is ", in[i], "; expected 1");
      out.push_back(in[i]);
    } else if (!in[i].is_static() && other == Other::may_be_kept) {
      return Shape::unknown();
    }
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
// `n` dimensions less, nobody knows which of those that may be 1.
static Shape without_some(const Shape& in, size_t n) {
  std::vector<size_t> ones{0};  // how many of the first dimensions may be 1
  for (const Dim& d : in) ones.push_back(ones.back() + (d.contains(1) ? 1 : 0));
  require(n <= ones.back(), "axes have ", n, " entries but of shape ", in, " only ", ones.back(),
          " dimensions can be 1");
  Shape out;
  for (size_t i = 0; i + n < in.size(); ++i) {
    std::optional<Dim> d;
    for (size_t k = 0; k <= n; ++k)  // dimension i + k with k gone before it
      if (k <= ones[i + k] && n - k <= ones.back() - ones[i + k + 1])
        d = d ? unite(*d, in[i + k]) : in[i + k];
    out.push_back(d.value_or(any_dim));
  }
  return out;
}
static bool has_none(const Shape& in) {
  return std::none_of(in.begin(), in.end(), [](const Dim& d) { return d.contains(1); });
}

template <int Version>
struct Squeeze {
  static void schema(OpSchema& s) {
    s.doc("dimensions of 1 taken away").input("data").optional_input("axes", Role::any).outputs(1);
    if constexpr (Version == 15) s.attr<bool>("allow_axis_skip", false);
  }
  static void symbols(SymbolsContext& c) {
    if (!c.dims(0)) return;
    c.output_values(0, c.values(0));
    const auto axes = places_of_input(c, 1);
    if (!axes) return;
    Symbols dims;
    for (size_t i = 0; i < c.dims(0)->size(); ++i)
      if (std::find(axes->begin(), axes->end(), i) == axes->end()) dims.push_back((*c.dims(0))[i]);
    c.output(0, dims);
  }
  static Other other(const OpContext& c) {
    if constexpr (Version == 15) return c.attr<bool>("allow_axis_skip") ? Other::may_be_kept : Other::kept;
    return Other::error;
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const Dim n = c.has(1) ? vector_length(c, 1, "axes") : Dim(0);
    if (!in.has_rank()) return output_view(c, in);
    if (n == Dim(0)) return output_view(c, without_ones(in));
    if (const auto axes = axes_input(c, 1, in.size())) return output_view(c, without(in, *axes, other(c)));
    if (Version == 15 && has_none(in)) return output_view(c, in);
    output_view(c, n.is_static() && Version != 15 ? without_some(in, static_cast<size_t>(n.value()))
                                                  : Shape::unknown());
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto axes = c.has(1) ? c.input(1).to_ints() : std::vector<int64_t>{};
    const Shape out = axes.empty() ? without_ones(in.shape())
                                   : without(in.shape(), unique_axes(axes, in.rank(), "axes"), other(c));
    c.output(0, in.reshaped(c.context(), out.to_static()));
  }
};

}  // namespace squeezing

void register_squeeze(Registry& r) {
  r.operation<squeezing::Squeeze<1>>("Squeeze", "opset1");
  r.operation<squeezing::Squeeze<15>>("Squeeze", "opset15");
  came_with("2024.5", "Squeeze", "opset15");
}

}  // namespace mo::opset
