#include "support/fnuz.hpp"

#include <cmath>
#include <limits>

namespace mo::onnx {

// The distance of two numbers follows from the powers of two that x has reached. Comparisons are such that
// NaN stays what it is; only zeros lose their sign.
OutPort to_fnuz(const Build& b, const OutPort& given, Held type, bool saturate) {
  const bool is_e4m3 = type == Held::float8e4m3fnuz;
  const int digits = is_e4m3 ? 3 : 2, least = is_e4m3 ? -7 : -15, greatest = -least;
  const double most = is_e4m3 ? 240 : 57344;
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const auto list = [&](const std::vector<double>& values, const Ints& dims) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, values, dims));
  };
  std::vector<double> powers, steps{std::ldexp(1.0, least - digits)};
  for (int e = least + 1; e <= greatest; ++e) {
    powers.push_back(std::ldexp(1.0, e));
    steps.push_back(std::ldexp(1.0, e - digits));
  }
  const OutPort x = b.convert(given, ElementType::f32);
  const Node reached =
      b.node("Bucketize", "opset3",
             {b.op("Abs", "opset1", {x}), list(powers, {static_cast<int64_t>(powers.size())})});
  reached.set("output_type", ElementType::i64).set("with_right_bound", false);
  const Node step =
      b.node("Gather", "opset8",
             {list(steps, {static_cast<int64_t>(steps.size())}), reached.out_port(), b.integer(0)});
  step.set("batch_dims", int64_t{0});
  const Node rounded = b.node("Round", "opset5", {op("Divide", x, step.out_port())});
  rounded.set("mode", "half_to_even");
  const OutPort y = op("Multiply", rounded.out_port(), step.out_port());
  const OutPort limit = saturate ? op("Multiply", b.op("Sign", "opset1", {x}), list({most}, {}))
                                 : list({std::numeric_limits<double>::quiet_NaN()}, {});
  const OutPort held = b.select(op("Greater", b.op("Abs", "opset1", {y}), list({most}, {})), limit, y);
  const OutPort zero = list({0}, {});
  return b.convert(b.select(op("Equal", held, zero), zero, held), ElementType::f16);
}

}  // namespace mo::onnx
