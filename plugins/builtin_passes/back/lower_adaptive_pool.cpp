// For releases without AdaptiveAvgPool:
//   AdaptiveAvgPool(x, 1, 1)  ->  ReduceMean(x)
//   AdaptiveAvgPool(x, sizes)  ->  products with matrices that take the mean of each window, one for each
//   dimension
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerAdaptivePool : public Lowering {
 public:
  LowerAdaptivePool() {
    id = "back.lower_adaptive_pool";
    doc = "AdaptiveAvgPool as means over dimensions or products with matrices";
    before = R"(
      %x = Parameter -> f32[1,2,5,4]
      %s = Const -> i64[2] {3,2}
      %y = AdaptiveAvgPool@opset8 (%x, %s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,5,4]
      %rows = Const -> f32[3,5] {0.5,0.5,0,0,0,0,0.33333334,0.33333334,0.33333334,0,0,0,0,0.5,0.5}
      %p = MatMul@opset1 (%rows, %x) {transpose_a=false, transpose_b=false}
      %columns = Const -> f32[2,4] {0.5,0.5,0,0,0,0,0.5,0.5}
      %y = MatMul@opset1 (%p, %columns) {transpose_a=false, transpose_b=true}
      Result (%y))";
    lowers("AdaptiveAvgPool", {8});
  }

 private:
  Ports lower(const Build& b, const Node&) override {
    const OutPort x = b.in(0);
    const Shape s = x.shape();
    const auto sizes = b.ints(1);
    only_when(sizes && s.has_rank() && s.size() == sizes->size() + 2 && x.type() != ElementType::unknown,
              "the sizes, or rank or type of what is pooled, are not known");
    if (std::all_of(sizes->begin(), sizes->end(), [](int64_t n) { return n == 1; }))
      return {b.reduce("ReduceMean", x, b.axes(x, 2, INT64_MAX), true)};
    only_when(sizes->size() <= 2, "it pools along ", sizes->size(),
              " dimensions; matrices do it for one or two");
    for (size_t i = 2; i < s.size(); ++i)
      only_when(s[i].is_static() && s[i] != Dim(0), "dimension ", i, " of ", s,
                " cannot be laid out in windows: a number above 0 is needed");
    OutPort y = x;
    if (sizes->size() == 2) y = matrix_product(b, means(b, x, s[2].value(), sizes->front()), y, false);
    return {matrix_product(b, y, means(b, x, s.back().value(), sizes->back()), true)};
  }

  // The window of row i goes from floor(i * length / size) up to ceil((i + 1) * length / size).
  static OutPort means(const Build& b, const OutPort& x, int64_t length, int64_t size) {
    std::vector<double> matrix;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t first = i * length / size, end = ((i + 1) * length + size - 1) / size;
      for (int64_t j = 0; j < length; ++j)
        matrix.push_back(j >= first && j < end ? 1 / static_cast<double>(end - first) : 0);
    }
    return b.like(x, matrix, {size, length});
  }
};

void register_lower_adaptive_pool(Registry& r) { r.transformation<LowerAdaptivePool>(); }

}  // namespace mo::builtin_passes
