// Transpose. An empty order turns the dimensions around.
#include "support/limits.hpp"
#include "support/movement.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace transposing {
static std::vector<size_t> order_of(const Dims& list, size_t rank) {
  std::vector<size_t> order;
  if (list.empty())
    for (size_t i = rank; i-- > 0;) order.push_back(i);
  else
    order = unique_axes(list, rank, "order");
  require(order.size() == rank, "order has ", order.size(), " entries but the rank is ", rank);
  return order;
}
static Movement movement(const Dims& in, const std::vector<size_t>& order) {
  const Dims strides = dense_strides(in);
  Dims dims, from;
  for (const size_t i : order) {
    dims.push_back(in[i]);
    from.push_back(strides[i]);
  }
  return gathered(dims, from);
}
}  // namespace transposing

struct Transpose {
  static constexpr std::string_view type = "Transpose", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("dimensions in another order").input("data").input("order", Role::any).outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"the order counts from the start", "2022.3", "ngraph/core/src/op/transpose.cpp:57",
                      from_start<1>}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const Dim n = vector_length(c, 1, "order");
    if (!in.has_rank()) {
      const bool known = n.is_static() && n.value() > 0 && n.value() <= bounds_limit;
      return c.output(0, c.type(0),
                      known ? Shape::of_rank(static_cast<size_t>(n.value())) : Shape::unknown());
    }
    require(n.contains(in.rank()) || n.contains(0), "order has ", n, " entries but the rank is ", in.rank());
    const auto list = n == Dim(0) ? Dims{} : c.ints(1);
    if (!list) {  // any dimension may come to any place
      Dim d = in.empty() ? Dim(0) : in[0];
      for (const Dim& other : in) d = unite(d, other);
      return c.output(0, c.type(0), Shape::of_rank(in.size(), d));
    }
    const auto order = transposing::order_of(*list, in.size());
    Shape out;
    for (const size_t i : order) out.push_back(in[i]);
    output_moved(c, 0, out, [&](const Dims& dims) { return transposing::movement(dims, order); });
  }
  static void symbols(SymbolsContext& c) {
    if (!c.dims(0)) return;
    const auto order = places_of_input(c, 1);
    if (!order || order->size() != c.dims(0)->size()) return;
    Symbols dims;
    for (const size_t i : *order) dims.push_back((*c.dims(0))[i]);
    c.output(0, dims);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto order = transposing::order_of(c.input(1).to_ints(), in.rank());
    if (in.bytes() >= lazy_bytes && bits(in.type()) >= 8)
      return c.output(0, lazy_transposed(c.context(), in, Dims(order.begin(), order.end())));
    c.output(0, moved(c, in, transposing::movement(in.dims(), order)));
  }
};

void register_transpose(Registry& r) { r.operation<Transpose>(); }

}  // namespace mo::opset
