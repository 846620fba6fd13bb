#include "support/resample.hpp"

namespace mo::onnx {

namespace {

// Arithmetic in f32, as runtimes of ONNX do it.
class Weights {
 public:
  Weights(const Build& b, const ResampledAxis& a, const Resampling& how, const OutPort& in)
      : b_(b),
        a_(a),
        how_(how),
        in_size_(in),
        in_(b.convert(in, ElementType::f32)),
        out_(b.convert(a.size, ElementType::f32)) {
    const OutPort y = b.unsqueeze(b.convert(b.range(b.integer(0), a.size, 1), ElementType::f32), b.list({1}));
    x_ = positions(y);
  }

  // [out, in]
  OutPort matrix() const {
    const OutPort base = first();
    const OutPort distance = op("Subtract", x_, base);
    const OutPort step = taps();                   // [taps]
    const OutPort places = op("Add", base, step);  // [out, taps]
    OutPort weight = how_.mode == "nearest" ? op("Add", op("Multiply", places, number(0)), number(1))
                                            : kernel(op("Subtract", step, distance));
    const OutPort last = op("Subtract", in_, number(1));
    const OutPort kept = op("Minimum", op("Maximum", places, number(0)), last);
    if (how_.exclude_outside) weight = b_.select(op("Equal", kept, places), weight, number(0));
    if (how_.exclude_outside || how_.antialias)
      weight = op("Divide", weight, b_.reduce("ReduceSum", weight, b_.list({1}), true));
    const OutPort index = b_.convert(b_.range(b_.integer(0), in_size_, 1), ElementType::f32);
    const OutPort hits = op("Equal", b_.unsqueeze(kept, b_.list({2})), index);  // [out, taps, in]
    const OutPort spread = b_.select(hits, b_.unsqueeze(weight, b_.list({2})), number(0));
    return b_.reduce("ReduceSum", spread, b_.list({1}), false);
  }

  // Rows of the result that lie outside of the region, [out, 1]; nothing for other coordinates.
  OutPort outside() const {
    if (how_.coordinates != "tf_crop_and_resize") return {};
    const OutPort last = op("Subtract", in_, number(1));
    return op("LogicalOr", op("Less", x_, number(0)), op("Greater", x_, last));
  }

 private:
  OutPort op(std::string_view t, const OutPort& l, const OutPort& r) const {
    return b_.op(t, "opset1", {l, r});
  }
  OutPort floor(const OutPort& x) const { return b_.op("Floor", "opset1", {x}); }
  OutPort number(double v) const {
    return b_.constant(Tensor::filled(b_.context(), ElementType::f32, {v}, {}));
  }
  OutPort numbers(const std::vector<double>& v) const {
    return b_.constant(Tensor::filled(b_.context(), ElementType::f32, v, {static_cast<int64_t>(v.size())}));
  }

  // Where the elements of the result lie in x.
  OutPort positions(const OutPort& y) const {
    const OutPort one = number(1), half = number(0.5), width = op("Multiply", a_.scale, in_);
    const auto centred = [&] { return op("Subtract", op("Divide", op("Add", y, half), a_.scale), half); };
    const auto single = [&](const OutPort& yes, const OutPort& no) {
      return b_.select(op("Equal", width, one), yes, no);
    };
    const OutPort steps = op("Subtract", width, one), in_steps = op("Subtract", in_, one);
    const OutPort divisor = single(one, steps);
    if (how_.coordinates == "half_pixel") return centred();
    if (how_.coordinates == "asymmetric") return op("Divide", y, a_.scale);
    if (how_.coordinates == "pytorch_half_pixel")
      return single(op("Subtract", op("Multiply", y, number(0)), half), centred());
    if (how_.coordinates == "half_pixel_symmetric") {
      const OutPort adjustment = op("Divide", out_, width);
      const OutPort offset = op("Multiply", op("Multiply", in_, half), op("Subtract", one, adjustment));
      return op("Add", offset, centred());
    }
    if (how_.coordinates == "align_corners")
      return single(op("Multiply", y, number(0)), op("Divide", op("Multiply", y, in_steps), divisor));
    if (how_.coordinates == "tf_crop_and_resize") {
      const OutPort reach = op("Multiply", op("Subtract", a_.end, a_.begin), in_steps);
      const OutPort inner =
          single(op("Multiply", reach, half), op("Divide", op("Multiply", y, reach), divisor));
      return op("Add", op("Add", inner, op("Multiply", y, number(0))), op("Multiply", a_.begin, in_steps));
    }
    fail("attribute 'coordinate_transformation_mode' is '", how_.coordinates, "', which is not supported");
  }

  // The element that others are counted from.
  OutPort first() const {
    if (how_.mode != "nearest") return floor(x_);
    if (how_.nearest == "floor") return floor(x_);
    if (how_.nearest == "ceil") return b_.op("Ceiling", "opset1", {x_});
    if (how_.nearest == "round_prefer_ceil") return floor(op("Add", x_, number(0.5)));
    return b_.op("Ceiling", "opset1", {op("Subtract", x_, number(0.5))});
  }

  // Below 1 when the kernel is widened against aliasing.
  OutPort narrowing() const { return op("Minimum", a_.scale, number(1)); }

  // Numbers of the elements that count, 0 for the one that others are counted from.
  OutPort taps() const {
    if (how_.mode == "nearest") return numbers({0});
    if (!how_.antialias) return how_.mode == "linear" ? numbers({0, 1}) : numbers({-1, 0, 1, 2});
    const OutPort radius = op("Divide", number(how_.mode == "linear" ? 1 : 2), narrowing());
    const OutPort whole = b_.convert(b_.op("Ceiling", "opset1", {radius}), ElementType::i64);
    const OutPort from = op("Subtract", b_.integer(1), whole), end = op("Add", whole, b_.integer(1));
    return b_.convert(b_.range(from, end, 1), ElementType::f32);
  }

  OutPort kernel(const OutPort& signed_distance) const {
    OutPort d = b_.op("Abs", "opset1", {signed_distance});
    if (how_.antialias) d = op("Multiply", d, narrowing());
    if (how_.mode == "linear") return op("Maximum", op("Subtract", number(1), d), number(0));
    const double a = how_.cubic;
    // By Horner's rule, highest power first.
    const auto polynomial = [&](double c3, double c2, double c1, double c0) {
      OutPort y = op("Add", op("Multiply", d, number(c3)), number(c2));
      y = op("Add", op("Multiply", y, d), number(c1));
      return op("Add", op("Multiply", y, d), number(c0));
    };
    const OutPort near = polynomial(a + 2, -(a + 3), 0, 1), far = polynomial(a, -5 * a, 8 * a, -4 * a);
    const OutPort beyond = b_.select(op("Less", d, number(2)), far, number(0));
    return b_.select(op("LessEqual", d, number(1)), near, beyond);
  }

  const Build& b_;
  const ResampledAxis& a_;
  const Resampling& how_;
  OutPort in_size_, in_, out_, x_;
};

}  // namespace

OutPort resample(const Build& b, const OutPort& x, const ResampledAxis& a, const Resampling& how) {
  const OutPort shape = b.shape_of(x), in = b.dim(x, a.axis);
  const Weights w(b, a, how, b.squeeze(in, {0}));
  const auto product = [&](int64_t begin, int64_t end) {
    return b.reduce("ReduceProd", b.part(shape, begin, end), b.list({0}), true);
  };
  // Dimensions before the axis become one, and those behind it.
  const OutPort before = a.axis == 0 ? b.list({1}) : product(0, a.axis);
  const OutPort behind = a.last ? b.list({1}) : product(a.axis + 1, INT64_MAX);
  const OutPort flat = b.reshape(x, b.concat({before, in, behind}));
  const bool is_f32 = x.type() == ElementType::f32;
  const Node m = b.node("MatMul", "opset1", {w.matrix(), is_f32 ? flat : b.convert(flat, ElementType::f32)});
  m.set("transpose_a", false).set("transpose_b", false);
  OutPort y = m.out_port();
  if (const OutPort outside = w.outside())
    y = b.select(outside, b.constant(Tensor::filled(b.context(), ElementType::f32, {how.outside}, {})), y);
  if (!is_f32)
    y = x.type() == ElementType::unknown ? b.op("ConvertLike", "opset1", {y, x}) : b.convert(y, x.type());
  Ports dims;
  if (a.axis != 0) dims.push_back(b.part(shape, 0, a.axis));
  dims.push_back(b.unsqueeze(a.size, b.list({0})));
  if (!a.last) dims.push_back(b.part(shape, a.axis + 1, INT64_MAX));
  y = b.reshape(y, b.concat(dims));
  if (x.type() != ElementType::unknown) y.set_shape(x.type(), Shape::unknown());
  return y;
}

}  // namespace mo::onnx
