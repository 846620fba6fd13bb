// NonZero: coordinates of what is not 0, one column for each. A scalar counts as one dimension.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct NonZero {
  static constexpr std::string_view type = "NonZero", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("coordinates of the elements that are not 0").input("data", Role::fixed).outputs(1);
    s.attr<ElementType>("output_type", ElementType::i64);
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const ElementType t = index_type_attr(c, "output_type");
    if (!in.has_rank()) return c.output(0, t, {Dim(1, -1), any_dim});
    c.output(0, t, {Dim(std::max<int64_t>(in.rank(), 1)), Dim(0, in.elements().max)});
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    std::vector<size_t> places;
    for_element(in.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t i = 0; i < in.size(); ++i)
        if (E::get(in.data(), i) != typename E::computed{}) places.push_back(i);
    });
    const ElementType t = index_type_attr(c, "output_type");
    auto dims = in.dims();
    if (dims.empty()) dims.push_back(1);
    const auto out = Tensor::create_bytes(
        c.context(), t, {static_cast<int64_t>(dims.size()), static_cast<int64_t>(places.size())});
    for (size_t k = 0; k < places.size(); ++k) {
      size_t left = places[k];
      for (size_t d = dims.size(); d-- > 0; left /= static_cast<size_t>(dims[d]))
        store_number(out.second, t, d * places.size() + k,
                     static_cast<double>(left % static_cast<size_t>(dims[d])));
    }
    c.output(0, out.first);
  }
};

void register_non_zero(Registry& r) { r.operation<NonZero>(); }

}  // namespace mo::opset
