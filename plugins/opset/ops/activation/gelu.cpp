// Gelu: x times the normal distribution's share below x; opset7 can approximate it with tanh.
#include "support/unary.hpp"

namespace mo::opset {

template <class R>
static R gelu_erf(R x) {
  return R{0.5} * x * (1 + std::erf(x * R{0.70710678118654752440L}));
}
template <class R>
static R gelu_tanh(R x) {
  return R{0.5} * x * (1 + std::tanh(R{0.79788456080286535588L} * (x + R{0.044715L} * x * x * x)));
}

struct Gelu2 {
  static constexpr std::string_view type = "Gelu", opset = "opset2";
  static void schema(OpSchema& s) {
    s.doc("0.5 * x * (1 + erf(x / sqrt(2)))")
        .input("data", Role::none, float_types)
        .element_wise()
        .outputs(1);
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(EvalContext& c) {
    map_math(c, [](auto x) { return gelu_erf(x); });
  }
};

struct Gelu7 : Gelu2 {
  static constexpr std::string_view opset = "opset7";
  static void schema(OpSchema& s) {
    Gelu2::schema(s);
    // Writers differ in case.
    s.attr<std::string>("approximation_mode", "erf").one_of({"erf", "tanh", "ERF", "TANH"});
  }
  static void evaluate(EvalContext& c) {
    const auto mode = c.attr<std::string>("approximation_mode");
    const bool tanh = mode == "tanh" || mode == "TANH";
    map_math(c, [tanh](auto x) { return tanh ? gelu_tanh(x) : gelu_erf(x); });
  }
};

void register_gelu(Registry& r) {
  r.operation<Gelu2>();
  r.operation<Gelu7>();
}

}  // namespace mo::opset
