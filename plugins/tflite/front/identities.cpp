// Operators that the loader has done the work of: quantized tensors are what they stand for already, and what
// rounds them to their levels stands behind.
#include "support/build.hpp"

namespace mo::tflite {

// Weights of 16 bits stay so, in front of a Convert; biases are not worth it.
static Ports dequantized(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const ElementType type = n.out_port().type();
  if (x.type() == type || type == ElementType::unknown) return bypass(n, x);
  const OutPort y = b.convert(x, type);
  const auto value = x.value();
  if (value && bits(x.type()) <= 16 && value->rank() > 1) {
    y.node().set(MO_ATTR_STOP_VALUE, true);
    y.node().set_rt_info("decompression", true);
    y.set_shape(type, value->shape());
  }
  return {y};
}

static Ports pass(Build& b, const SourceNode& n) { return bypass(n, b.in(0)); }

void register_identities(Registry& r) {
  replace<dequantized>(r, {"DEQUANTIZE", "DEQUANTIZE(x)", "x, or Convert(x) of floats"});
  replace<pass>(r, {"QUANTIZE", "QUANTIZE(x)", "x, in front of a FakeQuantize"});
  replace<pass>(r, {"DENSIFY", "DENSIFY(x)", "x, which is dense already"});
}

}  // namespace mo::tflite
