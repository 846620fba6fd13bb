#include "loader/quantize.hpp"

namespace mo::tflite {

namespace {

// Values along the axis of several scales.
OutPort spread(const Graph& g, const std::string& name, const QuantizedTensor& t,
               const std::vector<double>& values) {
  Ints dims;
  if (values.size() != 1) {
    dims.assign(t.rank, 1);
    dims[static_cast<size_t>(t.q.axis)] = static_cast<int64_t>(values.size());
  }
  return g.create_const(name, Tensor::filled(g.context(), ElementType::f32, values, dims)).out_port();
}

OutPort step(const Graph& g, const std::string& name, std::string_view type, const OutPort& x,
             const OutPort& y) {
  return g.create_node(type, "opset1", text(name, '/', type), {x, y}).out_port();
}

bool are_zero(const std::vector<double>& zeros) {
  return std::all_of(zeros.begin(), zeros.end(), [](double z) { return z == 0; });
}

OutPort to_float(const Graph& g, const std::string& name, const OutPort& x, bool packed) {
  const Node n = g.create_node("Convert", "opset1", text(name, "/Convert"), {x});
  n.set("destination_type", ElementType::f32);
  if (packed) n.set(MO_ATTR_STOP_VALUE, true);
  return n.out_port();
}

struct Range {
  double least, most;
};
// Nothing for types that have too many levels.
std::optional<Range> range_of(const TensorType& t) {
  if (t.bits > 16 || !is_integer(t.type)) return std::nullopt;
  const double levels = static_cast<double>(uint64_t{1} << t.bits);
  return is_signed(t.type) ? Range{-levels / 2, levels / 2 - 1} : Range{0, levels - 1};
}

}  // namespace

OutPort dequantize(const Graph& g, const std::string& name, const OutPort& integers, const QuantizedTensor& t,
                   bool packed) {
  OutPort y = to_float(g, name, integers, packed);
  if (!are_zero(t.q.zero)) y = step(g, name, "Subtract", y, spread(g, name + "/zero_point", t, t.q.zero));
  return step(g, name, "Multiply", y, spread(g, name + "/scale", t, t.q.scale));
}

bool has_levels(const TensorType& t) { return range_of(t).has_value(); }

OutPort fake_quantize(const Graph& g, const std::string& name, const OutPort& x, const QuantizedTensor& t) {
  const auto range = range_of(t.type);
  if (!range) return x;
  std::vector<double> low, high;
  for (size_t i = 0; i < t.q.scale.size(); ++i) {
    const double zero = t.q.zero[t.q.zero.size() == 1 ? 0 : i];
    low.push_back(t.q.scale[i] * (range->least - zero));
    high.push_back(t.q.scale[i] * (range->most - zero));
  }
  const OutPort least = spread(g, name + "/low", t, low), most = spread(g, name + "/high", t, high);
  const Node n = g.create_node("FakeQuantize", "opset1", name, {x, least, most, least, most});
  n.set("levels", static_cast<int64_t>(range->most - range->least) + 1);
  return n.out_port();
}

OutPort quantize(const Graph& g, const std::string& name, const OutPort& x, const QuantizedTensor& t) {
  OutPort y = step(g, name, "Divide", x, spread(g, name + "/step", t, t.q.scale));
  if (!are_zero(t.q.zero)) y = step(g, name, "Add", y, spread(g, name + "/offset", t, t.q.zero));
  const Node round = g.create_node("Round", "opset5", text(name, "/Round"), {y});
  round.set("mode", "half_to_even");
  const Node n = g.create_node("Convert", "opset1", name, {round.out_port()});
  n.set("destination_type", t.type.type);
  return n.out_port();
}

OutPort dequantize_blocks(const Graph& g, const std::string& name, const OutPort& integers, const Ints& dims,
                          int64_t block, const Tensor& scales, const std::optional<Tensor>& zeros) {
  const Context c = g.context();
  require(!dims.empty() && dims.back() % block == 0, "its last dimension of ", dims, " is not a multiple of ",
          block, ", the size of its blocks");
  Ints in_blocks = dims;
  in_blocks.back() /= block;
  size_t count = 1;
  for (const int64_t d : in_blocks) count *= static_cast<size_t>(d);
  Ints spread_dims = in_blocks;
  spread_dims.push_back(1);
  in_blocks.push_back(block);
  const auto constant = [&](const char* what, const Tensor& t) {
    require(t.size() == count, "its blocks have ", t.size(), ' ', what, ", expected ", count);
    return g
        .create_const(text(name, '/', what),
                      Tensor::filled(c, ElementType::f32, t.to_floats<double>(), spread_dims))
        .out_port();
  };
  const auto shape = [&](const Ints& to, const OutPort& x) {
    const Node n = g.create_node("Reshape", "opset1", text(name, "/Reshape"),
                                 {x, g.create_ints(name + "/shape", to).out_port()});
    n.set("special_zero", false);
    return n.out_port();
  };
  const auto whole = integers.value();
  require(whole.has_value(), "it is quantized in blocks, but is not a constant");
  const OutPort parts = g.create_const(name + "/blocks", whole->reshaped(c, in_blocks)).out_port();
  OutPort y = to_float(g, name, parts, true);
  if (zeros) y = step(g, name, "Subtract", y, constant("zero_point", *zeros));
  y = step(g, name, "Multiply", y, constant("scale", scales));
  return shape(dims, y);
}

}  // namespace mo::tflite
