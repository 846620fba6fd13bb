// AdaptiveAvgPool and AdaptiveMaxPool: data and the spatial size of the result, whose elements share the data
// evenly.
#include "support/pooling.hpp"

namespace mo::opset {

namespace adaptive {

static Shape shape_of(const InferContext& c) {
  require_float(c, 0);
  const Shape in = c.shape(0);
  require_rank(in, "the data", 3, 5);
  const Shape size = shape_input(c, 1, "the output size");
  const Dim length = vector_length(c, 1, "the output size");
  require(length.overlaps(Dim(1, 3)), "the output size has ", length, " entries; expected 1 to 3");
  if (!in.has_rank() && !size.has_rank()) return Shape::unknown();
  const size_t n = in.has_rank() ? in.size() - 2 : size.size();
  require(length.contains(static_cast<int64_t>(n)), "the output size has ", length, " entries; expected ", n,
          " for data of shape ", in);
  Shape out = Shape::of_rank(n + 2);
  for (size_t i = 0; i < 2 && in.has_rank(); ++i) out[i] = in[i];
  for (size_t i = 0; i < n && size.has_rank(); ++i) out[i + 2] = size[i];
  return out;
}

static PoolPlan plan(const EvalContext& c) {
  const Tensor data = c.input(0);
  require(data.rank() >= 3 && data.rank() <= 5, "the data has shape ", data.shape(),
          "; expected rank 3 to 5");
  const Dims size = c.input(1).to_ints();
  require(size.size() == data.rank() - 2, "the output size has ", size.size(), " entries; expected ",
          data.rank() - 2);
  for (const int64_t s : size) require(s >= 0, "the output size has an entry of ", s, "; expected 0 or more");
  return adaptive_plan(data.dims(), size);
}

}  // namespace adaptive

struct AdaptiveAvgPool {
  static constexpr std::string_view type = "AdaptiveAvgPool", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("data, output size: means")
        .input("data", Role::fixed)
        .input("output_size", Role::any)
        .takes_sizes()
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
  }
  static void infer(InferContext& c) {
    const Shape out = adaptive::shape_of(c);
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const PoolPlan p = adaptive::plan(c);
    spend(c, p);
    for_float(c.input(0).type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, p.dims, c.input(0).bytes());
      average(p, Numbers<E>(c.input(0)), out, true);
      c.output(0, out.tensor());
    });
  }
};

struct AdaptiveMaxPool {
  static constexpr std::string_view type = "AdaptiveMaxPool", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("data, output size: maxima and their places")
        .input("data", Role::fixed)
        .input("output_size", Role::any)
        .takes_sizes()
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(2);
    s.attr<ElementType>("index_element_type", ElementType::i64);
  }
  static void infer(InferContext& c) {
    const Shape out = adaptive::shape_of(c);
    c.output(0, c.type(0), out);
    c.output(1, index_type_attr(c, "index_element_type"), out);
  }
  static void evaluate(EvalContext& c) {
    const PoolPlan p = adaptive::plan(c);
    spend(c, p);
    for_float(c.input(0).type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, p.dims, c.input(0).bytes());
      const ElementType type = index_type_attr(c, "index_element_type");
      const auto places = create_grown(c, type, p.dims, c.input(0).bytes());
      maxima(p, Numbers<E>(c.input(0)), out, [&](size_t, size_t to, int64_t at) {
        if (type == ElementType::i32)
          I32::put(places.second, to, static_cast<int32_t>(at));
        else
          I64::put(places.second, to, at);
      });
      c.output(0, out.tensor());
      c.output(1, places.first);
    });
  }
};

void register_adaptive_pool(Registry& r) {
  r.operation<AdaptiveAvgPool>();
  r.operation<AdaptiveMaxPool>();
}

}  // namespace mo::opset
