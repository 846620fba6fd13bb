// ShapeOf. Its value is known as far as the shape is, yet never folded: models stay reshapeable.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

static void infer_shape_of(const InferContext& c, ElementType type) {
  const Shape in = c.shape(0);
  if (!in.has_rank()) return c.output(0, type, {any_dim});
  std::vector<Interval> dims;
  for (const Dim& d : in) dims.emplace_back(d);
  output_intervals(c, 0, type, {Dim(in.rank())}, dims);
}
static void evaluate_shape_of(const EvalContext& c, ElementType type) {
  const auto dims = c.input(0).dims();
  const auto out = Tensor::create_bytes(c.context(), type, {static_cast<int64_t>(dims.size())});
  for_integer(type, [&](auto e) {
    using E = decltype(e);
    for (size_t i = 0; i < dims.size(); ++i)
      E::put(out.second, i, static_cast<typename E::computed>(dims[i]));
  });
  c.output(0, out.first);
}

static void symbols_of_shape(const SymbolsContext& c) {
  if (!c.dims(0)) return;
  c.output(0, Symbols{Symbol::number(static_cast<int64_t>(c.dims(0)->size()))});
  c.output_values(0, c.dims(0));
}

struct ShapeOf1 {
  static constexpr std::string_view type = "ShapeOf", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the dimensions as i64").input("data", Role::fixed).outputs(1).flags(MO_OP_SHAPE_SOURCE);
  }
  static void infer(InferContext& c) { infer_shape_of(c, ElementType::i64); }
  static void symbols(SymbolsContext& c) { symbols_of_shape(c); }
  static void evaluate(EvalContext& c) { evaluate_shape_of(c, ElementType::i64); }
};

struct ShapeOf3 {
  static constexpr std::string_view type = "ShapeOf", opset = "opset3";
  static void schema(OpSchema& s) {
    ShapeOf1::schema(s);
    s.doc("the dimensions as i64 or i32").attr<ElementType>("output_type", ElementType::i64);
  }
  static void infer(InferContext& c) { infer_shape_of(c, index_type_attr(c, "output_type")); }
  static void symbols(SymbolsContext& c) { symbols_of_shape(c); }
  static void evaluate(EvalContext& c) { evaluate_shape_of(c, index_type_attr(c, "output_type")); }
};

void register_shape_of(Registry& r) {
  r.operation<ShapeOf1>();
  r.operation<ShapeOf3>();
}

}  // namespace mo::opset
