// Operators that draw numbers; equal are only their shapes and types.
#include "support/build.hpp"

namespace mo::tflite {

namespace drawing {

static OutPort uniform(const Build& b, const SourceNode& n, double low, double high, int64_t draw) {
  const Node u = b.node("RandomUniform", "opset8", {b.in(0), b.number(low), b.number(high)});
  u.set("output_type", ElementType::f32).set("global_seed", n.native("seed", 0));
  u.set("op_seed", n.native("seed2", 0) + draw);
  u.out_port().set_shape(ElementType::f32, Shape::unknown());
  return u.out_port();
}

}  // namespace drawing

static Ports random_uniform(Build& b, const SourceNode& n) { return {drawing::uniform(b, n, 0, 1, 0)}; }

// Of two numbers from 0 to 1 one of the normal distribution (Box and Muller); the first is not 0.
static Ports random_normal(Build& b, const SourceNode& n) {
  constexpr double turn = 2 * 3.14159265358979323846;
  const OutPort first = op1(b, "Subtract", {b.number(1), drawing::uniform(b, n, 0, 1, 0)});
  const OutPort second = drawing::uniform(b, n, 0, turn, 1);
  const OutPort radius = op1(b, "Sqrt", {op1(b, "Multiply", {op1(b, "Log", {first}), b.number(-2)})});
  return {op1(b, "Multiply", {radius, op1(b, "Cos", {second})})};
}

static Ports multinomial(Build& b, const SourceNode& n) {
  const Node m = b.node("Multinomial", "opset13", {b.in(0), b.in(1)});
  const ElementType type = n.out_port().type();
  m.set("convert_type", type == ElementType::i64 ? type : ElementType::i32).set("with_replacement", true);
  m.set("log_probs", true).set("global_seed", n.native("seed", 0)).set("op_seed", n.native("seed2", 0));
  return {m.out_port()};
}

void register_random(Registry& r) {
  replace<random_uniform>(r, {"RANDOM_UNIFORM", "RANDOM_UNIFORM(shape)", "RandomUniform-8(shape, 0, 1)"});
  replace<random_normal>(
      r, {"RANDOM_STANDARD_NORMAL", "RANDOM_STANDARD_NORMAL(shape)", "Sqrt(-2 Log(u)) Cos(2 pi v)"});
  replace<multinomial>(r, {"MULTINOMIAL", "MULTINOMIAL(logits, count)", "Multinomial-13(logits, count)"});
}

}  // namespace mo::tflite
