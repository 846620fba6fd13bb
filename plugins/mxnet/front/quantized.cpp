// Quantized operators: the ordinary ones on what their tensors mean, and a FakeQuantize wherever MXNet rounds
// to 8 bits. Sums of 32 bits are not rounded.
#include "support/quantized.hpp"
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

#include <cmath>

namespace mo::mxnet {

namespace quantized {

// The operator `op` with the attributes of this one; it is converted next.
static OutPort plain(const Build& b, const SourceNode& n, std::string_view op, const Ports& inputs) {
  const Context c = b.context();
  const std::string name = text(n.name(), '/', op);
  std::vector<mo_port> ports;
  for (const OutPort& p : inputs) ports.push_back(p.abi());
  mo_node_init init{};
  init.op = str(op);
  init.name = str(name);
  init.inputs = ports.data();
  init.n_inputs = static_cast<uint32_t>(ports.size());
  init.n_outputs = 1;
  init.native = n.native_tag();
  const Node made = b.graph().create_node(init);
  made.out_port().set_shape(ElementType::f32, Shape::unknown());
  c.check(c.host()->rewrite->register_new_node(c.get(), made.id()));
  return made.out_port();
}

static Ports to_bytes(const Build& b, const SourceNode& n, const OutPort& x, const std::optional<Ends>& range,
                      std::string_view fallback) {
  std::string type = n.native("out_type", std::string(fallback));
  const Ends r = range ? *range : actual(b, x);
  if (type == "auto") type = range && n.native("min_calib_range", 0.0) >= 0 ? "uint8" : "int8";
  require(type == "int8" || type == "uint8", "attribute 'out_type' is '", type,
          "'; expected int8, uint8 or auto");
  return type == "uint8" ? rounded_between(b, x, r) : rounded_around_zero(b, x, reach_of(b, r));
}

static Ports quantize(Build& b, const SourceNode& n) {
  return to_bytes(b, n, b.in(0), range_at(b, 1), "uint8");
}
static Ports quantize_v2(Build& b, const SourceNode& n) {
  return to_bytes(b, n, b.in(0), calibrated(b, n), "int8");
}

// Sums of 32 bits; of uint8 there is nothing below 0.
static Ports requantize(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const auto range = calibrated(b, n);
  const OutPort reach = reach_of(b, range ? *range : actual(b, x));
  const auto type = n.native("out_type", "int8");
  const bool from_zero =
      type == "uint8" || (type == "auto" && range && n.native("min_calib_range", 0.0) >= 0);
  return from_zero ? rounded_between(b, x, {b.like(x, {0}, {1}), reach}) : rounded_around_zero(b, x, reach);
}

static Ports dequantize(Build& b, const SourceNode&) { return {meaning(b, 0, range_at(b, 1))}; }

// What the first inputs mean, whose ranges come behind them.
static Ports meanings(const Build& b, const SourceNode& n) {
  const size_t count = n.in_count() / 3;
  require(n.in_count() == 3 * count && count != 0, "it has ", n.in_count(),
          " inputs; expected tensors, and the two ends of a range for each");
  Ports list;
  for (size_t i = 0; i < count; ++i) list.push_back(meaning(b, i, range_at(b, count + 2 * i)));
  return list;
}

// The range of 32 bits: that of int8 times int8.
static Ends range_of_product(const Build& b, const Ends& x, const Ends& y) {
  const OutPort product = b.multiply(reach_of(b, x), reach_of(b, y));
  return around_zero(b, b.multiply(product, b.like(product, (std::pow(2.0, 31) - 1) / (127 * 127))));
}

template <Name Op>
static Ports sums_of_products(Build& b, const SourceNode& n) {
  const Ports inputs = meanings(b, n);
  require(inputs.size() >= 2, "its weights are not connected");
  const Ends r = range_of_product(b, range_at(b, inputs.size()), range_at(b, inputs.size() + 2));
  return {plain(b, n, Op, inputs), r.low, r.high};
}

// Elements that are moved, chosen or cut keep their levels.
template <Name Op>
static Ports of_elements(Build& b, const SourceNode& n) {
  const Ports inputs = meanings(b, n);
  require(inputs.size() == 1, "it has ", n.in_count(), " inputs; expected 3");
  const Ends r = range_at(b, 1);
  return {plain(b, n, Op, inputs), r.low, r.high};
}

static Ports pooling(Build& b, const SourceNode& n) {
  const Ports same = of_elements<"Pooling">(b, n);
  return n.native("pool_type", "max") == "max" ? same : rounded(b, same[0], {same[1], same[2]});
}

static Ports activation(Build& b, const SourceNode& n) {
  require(n.native("act_type", "relu") == "relu", "attribute 'act_type' is '", n.native("act_type", ""),
          "'; expected relu");
  return of_elements<"Activation">(b, n);
}

// All have the levels of the widest.
static Ports concat(Build& b, const SourceNode& n) {
  const Ports inputs = meanings(b, n);
  OutPort low = b.like(inputs[0], {0}, {1}), high = low;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Ends r = range_at(b, inputs.size() + 2 * i);
    low = b.op("Minimum", "opset1", {low, r.low});
    high = b.op("Maximum", "opset1", {high, r.high});
  }
  return rounded(b, plain(b, n, "Concat", inputs), {low, high});
}

static Ports elementwise(Build& b, const SourceNode& n, std::string_view op, const Ends& otherwise) {
  const Ports inputs = meanings(b, n);
  const OutPort y = b.op(op, "opset1", inputs);
  if (n.native("enable_float_output", false)) return {y};
  if (const auto range = calibrated(b, n)) return rounded(b, y, *range);
  return {y, otherwise.low, otherwise.high};
}
static Ports sum(Build& b, const SourceNode& n) {
  const OutPort reach = b.add(reach_of(b, range_at(b, 2)), reach_of(b, range_at(b, 4)));
  return elementwise(b, n, "Add", around_zero(b, reach));
}
static Ports product(Build& b, const SourceNode& n) {
  return elementwise(b, n, "Multiply", range_of_product(b, range_at(b, 2), range_at(b, 4)));
}

// Statistics are floats.
static Ports batch_norm(Build& b, const SourceNode& n) {
  const auto range = calibrated(b, n);
  require(range.has_value(), "attributes 'min_calib_range' and 'max_calib_range' are missing");
  const OutPort x = meaning(b, 0, range_at(b, 5));
  const OutPort y = plain(b, n, "BatchNorm", {x, b.in(1), b.in(2), b.in(3), b.in(4)});
  return rounded_around_zero(b, y, reach_of(b, *range));
}

static Ports embedding(Build& b, const SourceNode& n) {
  const Ends r = range_at(b, 2);
  return {plain(b, n, "Embedding", {b.in(0), meaning(b, 1, r)}), r.low, r.high};
}

}  // namespace quantized

void register_quantized(Registry& r) {
  convert<quantized::quantize>(r, "_contrib_quantize", "quantize(x, low, high)",
                               "FakeQuantize(x, low, high)");
  convert<quantized::quantize_v2>(r, "_contrib_quantize_v2", "quantize_v2(x)", "FakeQuantize(x)");
  convert<quantized::requantize>(r, "_contrib_requantize", "requantize(x)", "FakeQuantize(x)");
  convert<quantized::dequantize>(r, "_contrib_dequantize", "dequantize(x, low, high)", "x");
  convert<quantized::sums_of_products<"Convolution">>(
      r, "_contrib_quantized_conv", "quantized_conv(x, weights, bias)",
      "Convolution(x, Multiply(Convert(weights), scale), bias)");
  convert<quantized::sums_of_products<"FullyConnected">>(
      r, "_contrib_quantized_fully_connected", "quantized_fully_connected(x, weights, bias)",
      "FullyConnected(x, Multiply(Convert(weights), scale), bias)");
  convert<quantized::pooling>(r, "_contrib_quantized_pooling", "quantized_pooling(x)",
                              "Pooling(x), of averages FakeQuantize(Pooling(x))");
  convert<quantized::activation>(r, "_contrib_quantized_act", "quantized_act(x)", "Activation(x)");
  convert<quantized::of_elements<"Flatten">>(r, "_contrib_quantized_flatten", "quantized_flatten(x)",
                                             "Flatten(x)");
  convert<quantized::of_elements<"Reshape">>(r, "_contrib_quantized_reshape", "quantized_reshape(x)",
                                             "Reshape(x)");
  convert<quantized::of_elements<"transpose">>(r, "_contrib_quantized_transpose", "quantized_transpose(x)",
                                               "transpose(x)");
  convert<quantized::concat>(r, "_contrib_quantized_concat", "quantized_concat(x, y)",
                             "FakeQuantize(Concat(x, y))");
  convert<quantized::sum>(r, "_contrib_quantized_elemwise_add _contrib_quantized_npi_add",
                          "quantized_elemwise_add(x, y)", "Add(x, y), or FakeQuantize(Add(x, y))");
  convert<quantized::product>(r, "_contrib_quantized_elemwise_mul", "quantized_elemwise_mul(x, y)",
                              "Multiply(x, y), or FakeQuantize(Multiply(x, y))");
  convert<quantized::batch_norm>(r, "_contrib_quantized_batch_norm", "quantized_batch_norm(x)",
                                 "FakeQuantize(BatchNorm(x))");
  convert<quantized::embedding>(r, "_contrib_quantized_embedding", "quantized_embedding(indices, weights)",
                                "Embedding(indices, Multiply(Convert(weights), scale))");
}

}  // namespace mo::mxnet
