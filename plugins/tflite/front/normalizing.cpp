// Normalizations.
#include "support/build.hpp"

namespace mo::tflite {

static Ports scaled_softmax(Build& b, const SourceNode& n) {
  const double beta = n.native("beta", 1.0);
  const OutPort x = beta == 1 || beta == 0 ? b.in(0) : op1(b, "Multiply", {b.in(0), b.like(b.in(0), beta)});
  return {b.softmax(x, -1)};
}

// A norm of less than 1e-6 counts as that.
static Ports l2_normalization(Build& b, const SourceNode& n) {
  const Node norm = b.node("NormalizeL2", "opset1", {b.in(0), b.list({-1})});
  norm.set("eps", 1e-12).set("eps_mode", "max");
  return {activated(b, n, norm.out_port())};
}

// The sum of squares is not divided by the size of the window, as it is in the operation.
static Ports local_response(Build& b, const SourceNode& n) {
  const auto radius = n.native<int64_t>("radius");
  require(radius >= 0 && radius < INT32_MAX / 2, "attribute 'radius' is ", radius, ", expected 0 to ",
          INT32_MAX / 2);
  const auto size = 2 * radius + 1;
  const Node m = b.node("LRN", "opset1", {b.channels_first(b.in(0), 4), b.list({1})});
  m.set("alpha", n.native("alpha", 0.0) * static_cast<double>(size)).set("beta", n.native("beta", 0.0));
  m.set("bias", n.native("bias", 0.0)).set("size", size);
  return {b.channels_last(m.out_port(), 4)};
}

// What training saw as the range, as levels of so many bits around zero.
static Ports fake_quant(Build& b, const SourceNode& n) {
  const double low = n.native("min", 0.0), high = n.native("max", 0.0);
  const auto bits = n.native<int64_t>("num_bits");
  require(bits >= 2 && bits <= 16 && low < high, "its range is ", low, " to ", high, " in ", bits,
          " bits, expected 2 to 16 bits and a range that is not empty");
  const double steps = static_cast<double>((int64_t{1} << bits) - (n.native("narrow_range", false) ? 2 : 1));
  const double scale = (high - low) / steps;
  const double zero = std::round(std::clamp(-low / scale, 0.0, steps));
  const OutPort least = b.number(-zero * scale), most = b.number((steps - zero) * scale);
  const Node f = b.node("FakeQuantize", "opset1", {b.in(0), least, most, least, most});
  f.set("levels", static_cast<int64_t>(steps) + 1);
  return {f.out_port()};
}

void register_normalizing(Registry& r) {
  replace<scaled_softmax>(r, {"SOFTMAX", "SOFTMAX(x)", "Softmax(Multiply(x, beta))"});
  replace<l2_normalization>(r, {"L2_NORMALIZATION", "L2_NORMALIZATION(x)", "activation(NormalizeL2(x))"});
  replace<local_response>(
      r, {"LOCAL_RESPONSE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION(x)", "LRN(x) between Transposes"});
  replace<fake_quant>(r, {"FAKE_QUANT", "FAKE_QUANT(x)", "FakeQuantize(x)"});
}

}  // namespace mo::tflite
