// Bucketize: the number of the bucket, between sorted boundaries, that each element falls into.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct Bucketize {
  static constexpr std::string_view type = "Bucketize", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, boundaries: the bucket of each element")
        .input("data", Role::data, number_types)
        .input("buckets", Role::any, number_types)
        .keeps_shape()
        .outputs(1);
    s.attr<ElementType>("output_type", ElementType::i64).attr<bool>("with_right_bound", true);
  }
  static void infer(InferContext& c) {
    require_rank(c.shape(1), "the boundaries", 1);
    const ElementType t = index_type_attr(c, "output_type");
    const Shape shape = c.shape(0), boundaries = c.shape(1);
    c.output(0, t, shape);
    // What is exact would be folded, although it follows from shapes that may change.
    const bool known = c.value(0) && c.value(1);
    const Dim buckets = boundaries.has_rank() ? boundaries[0] : any_dim;
    if (known || !may_have_bounds(t, shape) || shape.elements() == Dim(0) || buckets == Dim(0)) return;
    output_intervals(c, 0, t, shape, bounds(c, static_cast<size_t>(shape.elements().value()), buckets));
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

 private:
  // The buckets of the ends, where boundaries and something about the data are known.
  static std::vector<Interval> bounds(const InferContext& c, size_t count, const Dim& buckets) {
    std::vector<Interval> list(count, Interval(0, buckets.is_unbounded() ? Interval::highest : buckets.max));
    const auto boundaries = c.value(1);
    const auto data = intervals(c, 0);
    if (!boundaries || !data) return list;
    const auto sorted = boundaries->to_floats<double>();
    const bool right = c.attr<bool>("with_right_bound");
    const auto bucket = [&](double v) -> int64_t {
      return (right ? std::lower_bound(sorted.begin(), sorted.end(), v)
                    : std::upper_bound(sorted.begin(), sorted.end(), v)) -
             sorted.begin();
    };
    for (size_t i = 0; i < count; ++i) {
      const RealInterval v((*data)[i]);
      list[i] = {bucket(v.lo), v.unknown() ? static_cast<int64_t>(sorted.size()) : bucket(v.hi)};
    }
    return list;
  }
};

void register_bucketize(Registry& r) { r.operation<Bucketize>(); }

}  // namespace mo::opset
