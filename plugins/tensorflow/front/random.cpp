// Operators that draw numbers; equal are only their shapes and types.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace drawing {

static OutPort number(const Build& b, ElementType type, double v) {
  return b.constant(Tensor::filled(b.context(), type, {v}, {}));
}
static OutPort uniform(const Build& b, const SourceNode& n, ElementType type, const OutPort& low,
                       const OutPort& high, int64_t draw = 0) {
  const Node u = b.node("RandomUniform", "opset8", {b.in(0), low, high});
  u.set("output_type", type)
      .set("global_seed", n.native("seed", 0))
      .set("op_seed", n.native("seed2", 0) + draw);
  u.out_port().set_shape(type, Shape::unknown());
  return u.out_port();
}
// Of two numbers from 0 to 1 one of the normal distribution (Box and Muller); the first is not 0.
static OutPort normal(const Build& b, const SourceNode& n, ElementType type) {
  const ElementType f = ElementType::f32;
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort first = op("Subtract", number(b, f, 1), uniform(b, n, f, number(b, f, 0), number(b, f, 1)));
  const OutPort second = uniform(b, n, f, number(b, f, 0), number(b, f, 2 * 3.14159265358979323846), 1);
  const OutPort radius =
      b.op("Sqrt", "opset1", {op("Multiply", b.op("Log", "opset1", {first}), number(b, f, -2))});
  return b.convert(op("Multiply", radius, b.op("Cos", "opset1", {second})), type);
}
static ElementType float_type(const SourceNode& n) {
  const auto type = n.native("dtype", ElementType::f32);
  require(is_float(type), "attribute 'dtype' is ", name(type), ", expected a float type");
  return type;
}

}  // namespace drawing

static Ports random_uniform(Build& b, const SourceNode& n) {
  const ElementType type = drawing::float_type(n);
  return {drawing::uniform(b, n, type, drawing::number(b, type, 0), drawing::number(b, type, 1))};
}
static Ports random_uniform_int(Build& b, const SourceNode& n) {
  return {drawing::uniform(b, n, n.native("Tout", b.in(1).type()), b.in(1), b.in(2))};
}
static Ports random_normal(Build& b, const SourceNode& n) {
  return {drawing::normal(b, n, drawing::float_type(n))};
}
// What lies further than two deviations from the mean is moved to there, not drawn again.
static Ports truncated_normal(Build& b, const SourceNode& n) {
  return {b.clamp(drawing::normal(b, n, drawing::float_type(n)), -2.0, 2.0)};
}
static Ports multinomial(Build& b, const SourceNode& n) {
  const Node m = b.node("Multinomial", "opset13", {b.in(0), b.in(1)});
  m.set("convert_type", n.native("output_dtype", ElementType::i64)).set("with_replacement", true);
  m.set("log_probs", true).set("global_seed", n.native("seed", 0)).set("op_seed", n.native("seed2", 0));
  return {m.out_port()};
}

void register_random(Registry& r) {
  for (const char* op : {"RandomUniform", "StatelessRandomUniform", "StatelessRandomUniformV2"})
    replace<random_uniform>(r, {op, text(op, "(shape)"), "RandomUniform-8(shape, 0, 1)"});
  replace<random_uniform_int>(
      r, {"RandomUniformInt", "RandomUniformInt(shape, low, high)", "RandomUniform-8(shape, low, high)"});
  for (const char* op : {"RandomStandardNormal", "StatelessRandomNormal", "StatelessRandomNormalV2"})
    replace<random_normal>(r, {op, text(op, "(shape)"), "Sqrt(-2 Log(u)) Cos(2 pi v)"});
  for (const char* op : {"TruncatedNormal", "StatelessTruncatedNormal"})
    replace<truncated_normal>(r, {op, text(op, "(shape)"), "Clamp(Sqrt(-2 Log(u)) Cos(2 pi v), -2, 2)"});
  replace<multinomial>(r, {"Multinomial", "Multinomial(logits, count)", "Multinomial-13(logits, count)"});
}

}  // namespace mo::tensorflow
