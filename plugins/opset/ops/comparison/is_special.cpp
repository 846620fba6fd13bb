// IsFinite, IsInf and IsNaN: which numbers are ordinary, infinite, or none.
#include "support/combining.hpp"
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace special {

static void infer(const InferContext& c) { c.output(0, ElementType::boolean, c.shape(0)); }
template <class Test>
void evaluate(const EvalContext& c, Test test) {
  const Tensor in = c.input(0);
  c.output(0, mapped(c, in, ElementType::boolean, for_float(in.type(), [&](auto e) {
                       using E = decltype(e);
                       return Mapping([test](const char* from, char* to, size_t n) {
                         for (size_t i = 0; i < n; ++i) Bool::put(to, i, test(E::get(from, i)));
                       });
                     })));
}

struct IsFinite {
  static constexpr std::string_view type = "IsFinite", opset = "opset10";
  static void schema(OpSchema& s) {
    s.doc("neither infinite nor NaN").input("data", Role::none, float_types).element_wise().outputs(1);
  }
  static void infer(InferContext& c) { special::infer(c); }
  static void evaluate(EvalContext& c) {
    special::evaluate(c, [](auto x) { return std::isfinite(x); });
  }
};

struct IsNan {
  static constexpr std::string_view type = "IsNaN", opset = "opset10";
  static void schema(OpSchema& s) {
    s.doc("not a number").input("data", Role::none, float_types).element_wise().outputs(1);
  }
  static void infer(InferContext& c) { special::infer(c); }
  static void evaluate(EvalContext& c) {
    special::evaluate(c, [](auto x) { return std::isnan(x); });
  }
};

struct IsInf {
  static constexpr std::string_view type = "IsInf", opset = "opset10";
  static void schema(OpSchema& s) {
    s.doc("infinite, with one of the signs that are looked for")
        .input("data", Role::none, float_types)
        .element_wise()
        .outputs(1);
    s.attr<bool>("detect_negative", true).attr<bool>("detect_positive", true);
  }
  static void infer(InferContext& c) { special::infer(c); }
  static void evaluate(EvalContext& c) {
    const bool negative = c.attr<bool>("detect_negative"), positive = c.attr<bool>("detect_positive");
    special::evaluate(c, [=](auto x) { return std::isinf(x) && (x < 0 ? negative : positive); });
  }
};

}  // namespace special

void register_is_special(Registry& r) {
  r.operation<special::IsFinite>();
  r.operation<special::IsInf>();
  r.operation<special::IsNan>();
}

}  // namespace mo::opset
