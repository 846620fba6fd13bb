// Normalization of a sum, as transformers have it, and the normalization by the root of the mean square.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static Ports named_outputs(const Build& b, const SourceNode& n, const Normalized& norm, const OutPort& sum) {
  Ports outputs{norm.y, norm.mean, norm.inverse, sum};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  for (size_t i = 1; i < outputs.size(); ++i)
    if (!b.wants(i)) outputs[i] = {};
  return outputs;
}

static bool wants_statistics(const Build& b, const SourceNode& n) {
  return (n.out_count() > 1 && b.wants(1)) || (n.out_count() > 2 && b.wants(2));
}

static Ports skip_layer_norm(Build& b, const SourceNode& n) {
  const OutPort sum = plus_input(b, b.add(b.in(0), b.in(1)), 4);
  const Normalized norm =
      layer_norm(b, sum, b.in(2), optional(b, 3), n.native("epsilon", 1e-12), wants_statistics(b, n));
  return named_outputs(b, n, norm, sum);
}

static Ports skip_rms_norm(Build& b, const SourceNode& n) {
  const OutPort sum = plus_input(b, b.add(b.in(0), b.in(1)), 3);
  require(n.out_count() < 2 || !b.wants(1), "output 1, the mean, is read, which is not computed");
  const Normalized norm =
      rms_norm(b, sum, b.in(2), n.native("epsilon", 1e-12), n.out_count() > 2 && b.wants(2));
  return named_outputs(b, n, norm, sum);
}

// Operators of ONNX's own domain before it had them.
static Ports simplified_layer_norm(Build& b, const SourceNode& n) {
  const Normalized norm = rms_norm(b, b.in(0), b.in(1), n.native("epsilon", 1e-5),
                                   n.out_count() > 1 && b.wants(1), axis_of(n, -1));
  Ports outputs{norm.y, norm.inverse};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

static Ports plain_layer_norm(Build& b, const SourceNode& n) {
  const Normalized norm = layer_norm(b, b.in(0), b.in(1), optional(b, 2), n.native("epsilon", 1e-5),
                                     wants_statistics(b, n), axis_of(n, -1));
  return named_outputs(b, n, norm, {});
}

}  // namespace ms

void register_skip_normalization(Registry& r) {
  using namespace ms;
  constexpr std::string_view rms = "Multiply(x / Sqrt(ReduceMean(x * x) + epsilon), scale)";
  replace<skip_layer_norm>(r,
                           {"SkipLayerNormalization", "SkipLayerNormalization(x, skip, scale, shift, bias)",
                            "Add(Multiply(MVN(x + skip + bias), scale), shift)", domain});
  replace<skip_rms_norm>(
      r, {"SkipSimplifiedLayerNormalization", "SkipSimplifiedLayerNormalization(x, skip, scale, bias)",
          "s = x + skip + bias; Multiply(s / Sqrt(ReduceMean(s * s) + epsilon), scale)", domain});
  replace<simplified_layer_norm>(
      r, {"SimplifiedLayerNormalization", "SimplifiedLayerNormalization(x, scale)", rms, domain});
  replace<simplified_layer_norm>(
      r, {"SimplifiedLayerNormalization", "SimplifiedLayerNormalization(x, scale)", rms});
  replace<plain_layer_norm>(r, {"LayerNormalization", "LayerNormalization(x, scale, shift)",
                                "Add(Multiply(MVN(x), scale), shift)", domain});
}

}  // namespace mo::onnx
