// Random numbers, others in each run; those of a seed of torch they are not.
#include "support/values.hpp"

namespace mo::pytorch {

namespace random {

static OutPort uniform(const Call& c, const OutPort& sizes, ElementType type, const OutPort& low,
                       const OutPort& high) {
  const Node n = c.b.node("RandomUniform", "opset8", {sizes, low, high});
  return n.set("output_type", type).set("global_seed", 0).set("op_seed", 0).out_port();
}
static OutPort uniform(const Call& c, const OutPort& sizes) {
  return uniform(c, sizes, ElementType::f32, c.b.number(0), c.b.number(1));
}
// Box and Muller.
static OutPort normal(const Call& c, const OutPort& sizes) {
  const OutPort first = c.b.subtract(c.b.number(1), uniform(c, sizes));
  const OutPort angle = c.b.multiply(uniform(c, sizes), c.b.number(2 * 3.14159265358979323846));
  const OutPort radius = c.op1("Sqrt", {c.b.multiply(c.op1("Log", {first}), c.b.number(-2))});
  return c.b.multiply(radius, c.op1("Cos", {angle}));
}
// The logarithm of what is left of 1, so that it is never infinite.
static OutPort waiting(const Call& c, const OutPort& sizes) {
  return c.op1("Negative", {c.op1("Log", {c.b.subtract(c.b.number(1), uniform(c, sizes))})});
}
static OutPort shape_of_self(const Call& c) { return c.b.shape_of(c.tensor("self")); }

static Ports rand(const Call& c) { return {uniform(c, c.sizes("size"))}; }
static Ports rand_like(const Call& c) { return {uniform(c, shape_of_self(c))}; }
static Ports randn(const Call& c) { return {normal(c, c.sizes("size"))}; }
static Ports randn_like(const Call& c) { return {normal(c, shape_of_self(c))}; }

// Where a number is written into a tensor, or gives the mean of each.
static Ports uniform_between(const Call& c) {
  const double low = c.number("from", 0), high = c.number("to", 1);
  return {uniform(c, shape_of_self(c), ElementType::f32, c.b.number(low), c.b.number(high))};
}
static Ports exponential(const Call& c) {
  return {c.b.multiply(waiting(c, shape_of_self(c)), c.b.number(1 / c.number("lambd", 1)))};
}
static Ports normal_of(const Call& c) {
  const auto part = [&](std::string_view name, double fallback) {
    return c.is_given(name) ? c.as(name, ElementType::f32) : c.b.number(fallback);
  };
  const OutPort mean = part("mean", 0), deviation = part("std", 1);
  OutPort sizes;
  if (c.is_given("size"))
    sizes = c.sizes("size");
  else if (c.is_given("self"))
    sizes = shape_of_self(c);
  else
    sizes = c.b.shape_of(c.b.add(mean, deviation));
  return {c.b.add(c.b.multiply(normal(c, sizes), deviation), mean)};
}

static OutPort integers(const Call& c, const OutPort& sizes) {
  const OutPort low = c.is_given("low") ? c.size("low") : c.b.integer(0);
  return uniform(c, sizes, ElementType::i64, low, c.size("high"));
}
static Ports randint(const Call& c) { return {integers(c, c.sizes("size"))}; }
static Ports randint_like(const Call& c) { return {integers(c, shape_of_self(c))}; }

// The places of random numbers in their order.
static Ports permutation(const Call& c) {
  const OutPort count = c.size("n");
  const Node n = c.b.node("TopK", "opset11", {uniform(c, as_list(c, count)), count}, 2);
  n.set("axis", 0).set("mode", "max").set("sort", "value").set("stable", false);
  return {n.set("index_element_type", ElementType::i64).out_port(1)};
}

static Ports bernoulli(const Call& c) {
  const OutPort x = c.tensor("self"), drawn = uniform(c, c.b.shape_of(x));
  return {
      is_less(c, drawn, c.is_given("p") ? c.as("p", ElementType::f32) : c.b.convert(x, ElementType::f32))};
}
static Ports multinomial(const Call& c) {
  const OutPort x = c.tensor("self");
  const bool single = c.rank(x) == 1;
  const Node n = c.b.node("Multinomial", "opset13",
                          {single ? c.b.unsqueeze(x, c.b.list({0})) : x, c.size("num_samples")});
  n.set("convert_type", ElementType::i64).set("with_replacement", c.flag("replacement", false));
  n.set("log_probs", false).set("global_seed", 0).set("op_seed", 0);
  return {single ? c.b.squeeze(n.out_port(), {0}) : n.out_port()};
}

}  // namespace random

void register_random(Registry& r) {
  using namespace random;
  convert<rand>(r, "aten.rand.default", "rand(size)", "RandomUniform-8(size, 0, 1)");
  convert<rand_like>(r, "aten.rand_like.default", "rand_like(x)", "RandomUniform-8(ShapeOf(x), 0, 1)");
  convert<randn>(r, "aten.randn.default", "randn(size)",
                 "Sqrt(-2 * Log(RandomUniform(size))) * Cos(RandomUniform(size))");
  convert<randn_like>(r, "aten.randn_like.default", "randn_like(x)",
                      "Sqrt(-2 * Log(RandomUniform(ShapeOf(x)))) * Cos(RandomUniform(ShapeOf(x)))");
  convert<randint>(r, "aten.randint.default aten.randint.low", "randint(low, high, size)",
                   "RandomUniform-8(size, low, high)");
  convert<randint_like>(r, "aten.randint_like.default aten.randint_like.low_dtype",
                        "randint_like(x, low, high)", "RandomUniform-8(ShapeOf(x), low, high)");
  convert<uniform_between>(r, "aten.uniform.default", "uniform(x, from, to)",
                           "RandomUniform-8(ShapeOf(x), from, to)");
  convert<exponential>(r, "aten.exponential.default", "exponential(x, lambd)",
                       "Divide(Negative(Log(1 - RandomUniform(ShapeOf(x)))), lambd)");
  convert<normal_of>(r,
                     "aten.normal.Tensor_float aten.normal.float_Tensor aten.normal.Tensor_Tensor "
                     "aten.normal.float_float aten.normal.default aten.normal_functional.default",
                     "normal(mean, std)", "Add(Multiply(randn(ShapeOf(mean)), std), mean)");
  convert<permutation>(r, "aten.randperm.default", "randperm(n)", "TopK-11(RandomUniform(n), n)");
  convert<bernoulli>(r, "aten.bernoulli.default aten.bernoulli.p", "bernoulli(x)",
                     "Less(RandomUniform(ShapeOf(x)), x)");
  convert<multinomial>(r, "aten.multinomial.default", "multinomial(x, num_samples)",
                       "Multinomial-13(x, num_samples)");
}

}  // namespace mo::pytorch
