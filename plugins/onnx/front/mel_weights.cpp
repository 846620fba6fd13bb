// MelWeightMatrix: triangles that make mel bands of the bins of a spectrum.
#include <cmath>

#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

namespace mel {

// In double, because ends of bands are rounded down to bins.
struct Arithmetic {
  const Build& b;
  OutPort number(double v) const {
    return b.constant(Tensor::filled(b.context(), ElementType::f64, {v}, {}));
  }
  OutPort op(std::string_view type, const OutPort& l, const OutPort& r) const {
    return b.op(type, "opset1", {l, r});
  }
  OutPort wide(const OutPort& x) const { return as_scalar(b, b.convert(x, ElementType::f64)); }
  OutPort count(const OutPort& n) const { return b.convert(b.range(b.integer(0), n, 1), ElementType::f64); }
  // 2595 * log10(1 + hertz / 700)
  OutPort mel(const OutPort& hertz) const {
    const OutPort ratio = op("Add", op("Divide", hertz, number(700)), number(1));
    return op("Multiply", b.op("Log", "opset1", {ratio}), number(2595 / std::log(10.0)));
  }
  OutPort hertz(const OutPort& mel) const {
    const OutPort power = b.op("Exp", "opset1", {op("Multiply", mel, number(std::log(10.0) / 2595))});
    return op("Multiply", op("Subtract", power, number(1)), number(700));
  }
};

}  // namespace mel

static Ports mel_weight_matrix(Build& b, const SourceNode& n) {
  const mel::Arithmetic a{b};
  const auto stated = n.native("output_datatype", 1);
  const ElementType type = element_type_of_onnx(stated);
  require(type != ElementType::unknown, "attribute 'output_datatype' is ", data_type_name(stated),
          ", which the IR does not have");
  const auto i64 = [&](size_t i) { return as_scalar(b, b.convert(b.in(i), ElementType::i64)); };
  const OutPort bands = i64(0), length = i64(1);
  const OutPort ends = a.op("Add", bands, b.integer(2));
  const OutPort low = a.mel(a.wide(b.in(3))), high = a.mel(a.wide(b.in(4)));
  const OutPort step = a.op("Divide", a.op("Subtract", high, low), a.wide(ends));
  const OutPort hertz = a.hertz(a.op("Add", a.op("Multiply", a.count(ends), step), low));
  const OutPort scaled = a.op("Multiply", hertz, a.op("Add", a.wide(length), a.number(1)));
  const OutPort edges = b.op("Floor", "opset1", {a.op("Divide", scaled, a.wide(b.in(2)))});
  const OutPort begin = b.part(edges, 0, -2), centre = b.part(edges, 1, -1),
                end = b.part(edges, 2, INT64_MAX);
  const OutPort bins = a.op("Add", a.op("Divide", length, b.integer(2)), b.integer(1));
  const OutPort bin = b.unsqueeze(a.count(bins), b.list({1}));
  const auto within = [&](const OutPort& from, std::string_view to_what, const OutPort& to) {
    return a.op("LogicalAnd", a.op("GreaterEqual", bin, from), a.op(to_what, bin, to));
  };
  const auto share = [&](const OutPort& l, const OutPort& r, const OutPort& whole) {
    return a.op("Divide", a.op("Subtract", l, r), a.op("Maximum", whole, a.number(1)));
  };
  const OutPort rise = a.op("Subtract", centre, begin);
  const OutPort up = b.select(a.op("Equal", rise, a.number(0)), a.number(1), share(bin, begin, rise));
  const OutPort down = share(end, bin, a.op("Subtract", end, centre));
  const OutPort left = b.select(within(begin, "LessEqual", centre), up, a.number(0));
  return {b.convert(b.select(within(centre, "Less", end), down, left), type)};
}

void register_mel_weights(Registry& r) {
  replace<mel_weight_matrix>(r, {"MelWeightMatrix", "MelWeightMatrix(bands, length, rate, low, high)",
                                 "Select(bin < centre, (bin - begin) / rise, (end - bin) / fall)"});
}

}  // namespace mo::onnx
