// Operators that draw numbers; equal are only their shapes and types.
#include <bit>

#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

namespace drawing {

static OutPort uniform(const Build& b, const SourceNode& n, const OutPort& shape, ElementType type,
                       double low, double high, uint32_t draw = 0) {
  const auto number = [&](double v) { return b.constant(Tensor::filled(b.context(), type, {v}, {})); };
  const Node u = b.node("RandomUniform", "opset8", {shape, number(low), number(high)});
  // The seed is a float; its bits make an integer.
  const auto seed = n.find_native<double>("seed");
  const auto bits = seed ? std::bit_cast<uint32_t>(static_cast<float>(*seed)) + draw : 0U;
  u.set("output_type", type).set("global_seed", 0).set("op_seed", int64_t{bits});
  return u.out_port();
}

static ElementType type_of(const SourceNode& n, ElementType fallback) {
  const auto stated = n.find_native<int64_t>("dtype");
  const ElementType type = stated ? element_type_of_onnx(*stated) : fallback;
  require(type != ElementType::unknown, "its element type cannot be told from the model, or the IR has none");
  return type;
}

// Of two numbers from 0 to 1 one of the normal distribution (Box and Muller); the first is not 0.
static OutPort normal(const Build& b, const SourceNode& n, const OutPort& shape, ElementType type) {
  const auto number = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort first = op("Subtract", number(1), uniform(b, n, shape, ElementType::f32, 0, 1));
  const OutPort second = uniform(b, n, shape, ElementType::f32, 0, 2 * 3.14159265358979323846, 1);
  const OutPort square = op("Multiply", b.op("Log", "opset1", {first}), number(-2));
  const OutPort radius = b.op("Sqrt", "opset1", {square});
  const OutPort z = op("Multiply", radius, b.op("Cos", "opset1", {second}));
  const OutPort scaled = op("Multiply", z, number(n.native("scale", 1.0)));
  return b.convert(op("Add", scaled, number(n.native("mean", 0.0))), type);
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

static Ports random_normal(Build& b, const SourceNode& n) {
  return {drawing::normal(b, n, b.list(n.native<Ints>("shape")), drawing::type_of(n, ElementType::f32))};
}

static Ports random_normal_like(Build& b, const SourceNode& n) {
  return {drawing::normal(b, n, b.shape_of(b.in(0)), drawing::type_of(n, b.in(0).type()))};
}

// Input 0 holds logarithms of probabilities.
static Ports multinomial(Build& b, const SourceNode& n) {
  const ElementType type = drawing::type_of(n, ElementType::i32);
  require(type == ElementType::i32 || type == ElementType::i64, "attribute 'dtype' is ", name(type),
          ", expected int32 or int64");
  const auto count = n.native("sample_size", 1);
  const Node m = b.node("Multinomial", "opset13", {b.in(0), b.integer(count)});
  const auto seed = n.find_native<double>("seed");
  const auto bits = seed ? std::bit_cast<uint32_t>(static_cast<float>(*seed)) : 0U;
  m.set("convert_type", type).set("with_replacement", true).set("log_probs", true);
  m.set("global_seed", 0).set("op_seed", int64_t{bits});
  return {m.out_port()};
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
  replace<random_normal>(r, {"RandomNormal", "RandomNormal()",
                             "Sqrt(-2 * Log(RandomUniform(shape))) * Cos(RandomUniform(shape))"});
  replace<random_normal_like>(r, {"RandomNormalLike", "RandomNormalLike(x)",
                                  "Sqrt(-2 * Log(RandomUniform(shape))) * Cos(RandomUniform(shape))"});
  replace<multinomial>(r, {"Multinomial", "Multinomial(x)", "Multinomial-13(x, count)"});
  replace<bernoulli>(r, {"Bernoulli", "Bernoulli(x)", "Convert(Less(RandomUniform(shape), x))"});
}

}  // namespace mo::onnx
