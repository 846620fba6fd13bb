// Bucketize: the number of the bucket, between sorted boundaries, that each element falls into.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct Bucketize {
  static constexpr std::string_view type = "Bucketize", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, boundaries: the bucket of each element").inputs(2).outputs(1);
    s.attr<ElementType>("output_type", ElementType::i64).attr<bool>("with_right_bound", true);
  }
  static void infer(InferContext& c) {
    require_number(c, 0);
    require_number(c, 1);
    require_rank(c.shape(1), "the boundaries", 1);
    c.output(0, index_type_attr(c, "output_type"), c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0), boundaries = c.input(1);
    const auto sorted = boundaries.to_floats<double>();
    const bool right = c.attr<bool>("with_right_bound");
    const ElementType t = index_type_attr(c, "output_type");
    const auto out = Tensor::create_bytes(c.context(), t, in.dims());
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t i = 0; i < in.size(); ++i) {
        const auto v = static_cast<double>(E::get(in.data(), i));
        const auto at = right ? std::lower_bound(sorted.begin(), sorted.end(), v)
                              : std::upper_bound(sorted.begin(), sorted.end(), v);
        store_number(out.second, t, i, static_cast<double>(at - sorted.begin()));
      }
    });
    c.output(0, out.first);
  }
};

void register_bucketize(Registry& r) { r.operation<Bucketize>(); }

}  // namespace mo::opset
