// Operators that draw numbers; equal to MXNet's are only their shapes and how they are distributed.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"
#include "support/types.hpp"

namespace mo::mxnet {

namespace drawing {

// `draw`: numbers that are drawn together differ.
static OutPort uniform(const Build& b, const SourceNode& n, double low, double high, int64_t draw) {
  Ints shape = ints_of(n, "shape", {1});
  if (shape.empty()) shape = {1};
  for (const int64_t d : shape)
    require(d > 0, "attribute 'shape' is ", shape, "; expected numbers from 1 on");
  const Node u = b.node("RandomUniform", "opset8", {b.list(shape), b.number(low), b.number(high)});
  u.set("output_type", ElementType::f32).set("global_seed", 0).set("op_seed", draw);
  return u.out_port();
}

static OutPort typed(const Build& b, const SourceNode& n, const OutPort& x) {
  return n.native("dtype", "None") == "None" ? x : b.convert(x, type_of(n));
}

static Ports from_low_to_high(Build& b, const SourceNode& n) {
  return {typed(b, n, uniform(b, n, n.native("low", 0.0), n.native("high", 1.0), 0))};
}

// Of two numbers from 0 to 1 one of the normal distribution (Box and Muller); the first is not 0.
static Ports normal(Build& b, const SourceNode& n) {
  constexpr double turn = 2 * 3.14159265358979323846;
  const OutPort first = b.subtract(b.number(1), uniform(b, n, 0, 1, 0)), second = uniform(b, n, 0, turn, 1);
  const OutPort radius = b.op("Sqrt", "opset1", {b.multiply(b.op("Log", "opset1", {first}), b.number(-2))});
  const OutPort x = b.multiply(radius, b.op("Cos", "opset1", {second}));
  const OutPort wide = b.multiply(x, b.number(n.native("scale", 1.0)));
  return {typed(b, n, b.add(wide, b.number(n.native("loc", 0.0))))};
}

}  // namespace drawing

void register_random(Registry& r) {
  convert<drawing::from_low_to_high>(r, "_random_uniform random_uniform uniform", "_random_uniform()",
                                     "RandomUniform-8(shape, low, high)");
  convert<drawing::normal>(r, "_random_normal random_normal normal", "_random_normal()",
                           "Sqrt(-2 Log(u)) Cos(2 pi v), scaled and moved");
}

}  // namespace mo::mxnet
