// Operators that draw numbers; equal are only their shapes and types.
#include <bit>

#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

namespace drawing {

static OutPort uniform(const Build& b, const SourceNode& n, const OutPort& shape, ElementType type,
                       double low, double high) {
  const auto number = [&](double v) { return b.constant(Tensor::filled(b.context(), type, {v}, {})); };
  const Node u = b.node("RandomUniform", "opset8", {shape, number(low), number(high)});
  // The seed is a float; its bits make an integer.
  const auto seed = n.find_native<double>("seed");
  const auto bits = seed ? std::bit_cast<uint32_t>(static_cast<float>(*seed)) : 0U;
  u.set("output_type", type).set("global_seed", 0).set("op_seed", int64_t{bits});
  return u.out_port();
}

static ElementType type_of(const SourceNode& n, ElementType fallback) {
  const auto stated = n.find_native<int64_t>("dtype");
  const ElementType type = stated ? element_type_of_onnx(*stated) : fallback;
  require(type != ElementType::unknown, "its element type cannot be told from the model, or the IR has none");
  return type;
}

}  // namespace drawing

static Ports random_uniform(Build& b, const SourceNode& n) {
  return {drawing::uniform(b, n, b.list(n.native<Ints>("shape")), drawing::type_of(n, ElementType::f32),
                           n.native("low", 0.0), n.native("high", 1.0))};
}

static Ports random_uniform_like(Build& b, const SourceNode& n) {
  return {drawing::uniform(b, n, b.shape_of(b.in(0)), drawing::type_of(n, b.in(0).type()),
                           n.native("low", 0.0), n.native("high", 1.0))};
}

// True with the probability that an element is.
static Ports bernoulli(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const ElementType drawn = x.type() == ElementType::unknown ? ElementType::f32 : x.type();
  const OutPort u = drawing::uniform(b, n, b.shape_of(x), drawn, 0, 1);
  return {b.convert(b.op("Less", "opset1", {u, b.convert(x, drawn)}), drawing::type_of(n, x.type()))};
}

void register_random(Registry& r) {
  replace<random_uniform>(r, {"RandomUniform", "RandomUniform()", "RandomUniform-8(shape, low, high)"});
  replace<random_uniform_like>(
      r, {"RandomUniformLike", "RandomUniformLike(x)", "RandomUniform-8(shape, low, high)"});
  replace<bernoulli>(r, {"Bernoulli", "Bernoulli(x)", "Convert(Less(RandomUniform(shape), x))"});
}

}  // namespace mo::onnx
