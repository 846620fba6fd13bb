// Activations whose numbers are inputs of one element: Selu, HardSigmoid, Swish.
#include "support/unary.hpp"

namespace mo::opset {

// Shape and type of input 0; the other inputs have its type and one element.
static void infer_parametric(InferContext& c, std::initializer_list<std::string_view> names) {
  ElementType t = c.type(0);
  size_t i = 1;
  for (const auto name : names) {
    if (c.has(i)) {
      const ElementType both = common_type(c, {0, i});
      if (t == ElementType::unknown) t = both;
      require_elements(c, i, name, 1);
    }
    ++i;
  }
  c.output(0, t, c.shape(0));
}
static double parameter(const EvalContext& c, size_t i, std::string_view what) {
  const Tensor t = c.input(i);
  require(t.size() == 1, what, " has shape ", t.shape(), "; expected 1 elements");
  return t.number(0);
}

struct Selu {
  static constexpr std::string_view type = "Selu", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("lambda * x, and lambda * alpha * (exp(x) - 1) below 0")
        .input("data", Role::data, float_types)
        .inputs({"alpha", "lambda"}, Role::any)
        .keeps_shape();
  }
  static void infer(InferContext& c) { infer_parametric(c, {"alpha", "lambda"}); }
  static void evaluate(EvalContext& c) {
    const double alpha = parameter(c, 1, "alpha"), lambda = parameter(c, 2, "lambda");
    map_math(c, [=](auto x) { return lambda * (x > 0 ? x : alpha * std::expm1(x)); });
  }
};

struct HardSigmoid {
  static constexpr std::string_view type = "HardSigmoid", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("max(0, min(1, alpha * x + beta))")
        .input("data", Role::data, float_types)
        .inputs({"alpha", "beta"}, Role::any)
        .keeps_shape();
  }
  static void infer(InferContext& c) { infer_parametric(c, {"alpha", "beta"}); }
  static void evaluate(EvalContext& c) {
    const double alpha = parameter(c, 1, "alpha"), beta = parameter(c, 2, "beta");
    map_math(c, [=](double x) { return std::max(0.0, std::min(1.0, alpha * x + beta)); });
  }
};

struct Swish {
  static constexpr std::string_view type = "Swish", opset = "opset4";
  static void schema(OpSchema& s) {
    s.doc("x * sigmoid(beta * x); beta is 1 when absent")
        .input("data", Role::data, float_types)
        .optional_input("beta", Role::any)
        .keeps_shape();
  }
  static void infer(InferContext& c) { infer_parametric(c, {"beta"}); }
  static void evaluate(EvalContext& c) {
    const double beta = c.has(1) ? parameter(c, 1, "beta") : 1;
    map_math(c, [=](auto x) { return x / (1 + std::exp(-beta * x)); });
  }
};

void register_parametric(Registry& r) {
  r.operation<Selu>();
  r.operation<HardSigmoid>();
  r.operation<Swish>();
}

}  // namespace mo::opset
