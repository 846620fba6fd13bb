// CumSum: running sums along an axis.
#include "support/movement.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct CumSum {
  static constexpr std::string_view type = "CumSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, [axis]").inputs(1, 2).outputs(1).attr<bool>("exclusive", false).attr<bool>("reverse", false);
  }
  static void infer(InferContext& c) {
    require_number(c, 0);
    const Shape in = c.shape(0);
    const auto axis = c.has(1) ? scalar_input(c, 1, "axis") : std::optional<int64_t>(0);
    if (in.has_rank() && axis) normalize_axis(*axis, in.size());
    c.output(0, c.type(0), in);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Dims dims = in.dims();
    const size_t axis = normalize_axis(c.has(1) ? c.input(1).to_ints().at(0) : 0, dims.size());
    const bool exclusive = c.attr<bool>("exclusive"), reverse = c.attr<bool>("reverse");
    const auto out = Tensor::create_bytes(c.context(), in.type(), dims);
    const auto n = static_cast<size_t>(dims[axis]), inner = static_cast<size_t>(dense_strides(dims)[axis]);
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      for (size_t start = 0; start < in.size(); start += n * inner)
        for (size_t k = start; k < start + inner; ++k) {
          T sum{};
          for (size_t i = 0; i < n; ++i) {
            const size_t at = k + (reverse ? n - 1 - i : i) * inner;
            const T next = wrapping::add(sum, E::get(in.data(), at));
            E::put(out.second, at, exclusive ? sum : next);
            sum = next;
          }
        }
    });
    c.output(0, out.first);
  }
};

void register_cum_sum(Registry& r) { r.operation<CumSum>(); }

}  // namespace mo::opset
