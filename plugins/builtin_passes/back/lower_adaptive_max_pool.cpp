// For releases without AdaptiveMaxPool, where nothing reads the places of the maxima:
//   AdaptiveMaxPool(x, sizes)  ->  for each dimension ReduceMax of its windows, which Gather lays side by
//   side
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerAdaptiveMaxPool : public Lowering {
 public:
  LowerAdaptiveMaxPool() {
    id = "back.lower_adaptive_max_pool";
    doc = "AdaptiveMaxPool as maxima over windows that Gather lays side by side";
    before = R"(
      %x = Parameter -> f32[1,2,5]
      %s = Const -> i64[1] {2}
      %y = AdaptiveMaxPool@opset8 (%x, %s) {index_element_type=i64} -> (_, _)
      Result (%y:0))";
    after = R"(
      %x = Parameter -> f32[1,2,5]
      %i = Const -> i64[2,3] {0,1,2,2,3,4}
      %a = Const -> i64[] {2}
      %g = Gather@opset7 (%x, %i, %a) {batch_dims=0}
      %b = Const -> i64[1] {3}
      %y = ReduceMax@opset1 (%g, %b) {keep_dims=false}
      Result (%y))";
    lowers("AdaptiveMaxPool", {8});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    OutPort x = b.in(0);
    const Shape s = x.shape();
    const auto sizes = b.ints(1);
    only_when(!b.wants(1), "the places of the maxima are read, which Gather and ReduceMax do not tell");
    only_when(sizes && s.size() == sizes->size() + 2,
              "the sizes, or the rank of what is pooled, are not known");
    for (size_t i = 2; i < s.size(); ++i)
      only_when(s[i].is_static() && s[i] != Dim(0) && (*sizes)[i - 2] > 0, "dimension ", i, " of ", s,
                " cannot be laid out in windows: a number above 0 is needed");
    for (size_t i = 2; i < s.size(); ++i) {
      const auto axis = static_cast<int64_t>(i);
      const Node windows =
          b.node("Gather", "opset7", {x, places(b, s[i].value(), (*sizes)[i - 2]), b.integer(axis)});
      windows.set("batch_dims", int64_t{0});
      x = b.reduce("ReduceMax", windows.out_port(), b.list({axis + 1}), false);
    }
    if (n.out_count() > 1) n.delete_output_port(1);
    return {x};
  }

  // Row i has the places from floor(i * length / size) up to ceil((i + 1) * length / size); the last one
  // again where a window is shorter than others.
  static OutPort places(const Build& b, int64_t length, int64_t size) {
    const auto first = [&](int64_t i) { return i * length / size; };
    const auto end = [&](int64_t i) { return ((i + 1) * length + size - 1) / size; };
    int64_t width = 0;
    for (int64_t i = 0; i < size; ++i) width = std::max(width, end(i) - first(i));
    std::vector<double> rows;
    for (int64_t i = 0; i < size; ++i)
      for (int64_t k = 0; k < width; ++k)
        rows.push_back(static_cast<double>(std::min(first(i) + k, end(i) - 1)));
    return b.constant(Tensor::filled(b.context(), ElementType::i64, rows, {size, width}));
  }
};

void register_lower_adaptive_max_pool(Registry& r) { r.transformation<LowerAdaptiveMaxPool>(); }

}  // namespace mo::builtin_passes
