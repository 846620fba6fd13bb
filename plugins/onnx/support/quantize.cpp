#include "support/quantize.hpp"

#include "support/fnuz.hpp"

namespace mo::onnx {

OutPort along_axis(const Build& b, const OutPort& parameter, const OutPort& x, int64_t axis) {
  const Shape p = parameter.shape(), s = x.shape();
  if (p.has_rank() && (p.empty() || (p.rank() == 1 && p[0] == Dim(1)))) return as_scalar(b, parameter);
  require(!p.has_rank() || p.rank() == 1, "a scale or zero point has shape ", p,
          ", expected one number or a list");
  // A list has no place in an x without this axis, and the parameter must be a single number.
  const bool fits = !s.has_rank() || (axis < s.rank() && axis >= -s.rank());
  if (!fits && !p.has_rank()) return as_scalar(b, parameter);
  if (s.has_rank()) axis = static_cast<int64_t>(normalize_axis(axis, s.size())) - s.rank();
  if (axis < 0 && p.has_rank()) {
    Ints shape(static_cast<size_t>(-axis), 1);
    shape[0] = -1;
    return b.reshape(parameter, shape);
  }
  // As many ones as there are dimensions behind the axis; a single number stays one.
  OutPort ones;
  if (axis < 0) {
    ones = b.list(Ints(static_cast<size_t>(-axis - 1), 1));
  } else {
    const OutPort behind = b.op("Subtract", "opset1", {b.rank(x), b.integer(axis + 1)});
    const Node list = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(behind, Ints{1})});
    list.set("mode", "numpy");
    ones = list.out_port();
  }
  return b.reshape(parameter, b.concat({b.shape_of(parameter), ones}));
}

std::pair<double, double> quantized_range(ValueType type) {
  if (type.held == Held::int2) return {-2, 1};
  switch (type.type) {
    case ElementType::u2:
      return {0, 3};
    case ElementType::u4:
      return {0, 15};
    case ElementType::i4:
      return {-8, 7};
    case ElementType::u8:
      return {0, 255};
    case ElementType::i8:
      return {-128, 127};
    case ElementType::u16:
      return {0, 65535};
    case ElementType::i16:
      return {-32768, 32767};
    default:
      fail("quantization to ", name(type.type), " is not supported");
  }
}

bool is_quantized_integer(ElementType type) {
  switch (type) {
    case ElementType::u4:
    case ElementType::i4:
    case ElementType::u8:
    case ElementType::i8:
    case ElementType::u16:
    case ElementType::i16:
      return true;
    default:
      return false;
  }
}

Blocks::Blocks(const Build& b, const OutPort& x, int64_t axis, int64_t block)
    : b_(b), x_(x), data_(x), axis_(axis), block_(block) {
  require(block >= 0, "attribute 'block_size' is ", block, ", expected at least 0");
  if (block == 0) return;
  const Shape s = x.shape();
  if (s.has_rank()) axis_ = static_cast<int64_t>(normalize_axis(axis, s.size()));
  require(axis_ >= 0, "attribute 'axis' is ", axis,
          ", but the rank of input 0 cannot be told from the model");
  if (s.is_static()) {
    Ints dims = s.to_static();
    int64_t& d = dims[static_cast<size_t>(axis_)];
    require(d % block == 0, "dimension ", axis_, " of input 0 is ", d,
            ", which is not a multiple of block_size ", block);
    d /= block;
    dims.insert(dims.begin() + axis_ + 1, block);
    data_ = b.reshape(x, dims);
    return;
  }
  const OutPort all = b.shape_of(x);
  Ports parts;
  if (axis_ != 0) parts.push_back(b.part(all, 0, axis_));
  parts.push_back(b.list({-1, block}));
  parts.push_back(b.part(all, axis_ + 1, INT64_MAX));
  data_ = b.reshape(x, b.concat(parts));
}

OutPort Blocks::parameter(const OutPort& p) const {
  if (block_ == 0) return along_axis(b_, p, x_, axis_);
  const auto value = p.value();
  if (!value) return b_.unsqueeze(p, b_.list({axis_ + 1}));
  require(static_cast<int64_t>(value->rank()) > axis_, "a scale or zero point has shape ", value->shape(),
          ", expected the rank of input 0");
  Ints dims = value->dims();
  dims.insert(dims.begin() + axis_ + 1, 1);
  return b_.constant(value->reshaped(b_.context(), dims));
}

OutPort Blocks::whole(const OutPort& y) const {
  if (block_ == 0) return y;
  const Shape s = x_.shape();
  return s.is_static() ? b_.reshape(y, b_.list(s.to_static())) : b_.reshape(y, b_.shape_of(x_));
}

ValueType rounded_type(const SourceNode& n, const OutPort& like) {
  return {like.type(), static_cast<Held>(n.find_attr<int64_t>(held_type_attribute).value_or(0))};
}

OutPort to_small_float(const Build& b, const OutPort& x, ValueType to, bool saturate) {
  const ElementType type = to.type;
  if (is_fnuz(to.held)) return to_fnuz(b, x, to.held, saturate);
  const double most = type == ElementType::f8e4m3   ? 448
                      : type == ElementType::f8e5m2 ? 57344
                      : type == ElementType::f4e2m1 ? 6
                                                    : 0;
  require(most != 0, "quantization to ", name(type), " is not supported");
  if (!saturate && type != ElementType::f4e2m1) return b.convert(x, type);
  const Node cut = b.node("Clamp", "opset1", {x});
  cut.set("min", -most).set("max", most);
  return b.convert(cut.out_port(), type);
}

OutPort saturated(const Build& b, const OutPort& quotient, const OutPort& zero_point, ValueType type,
                  bool saturate) {
  if (is_float(type.type)) return to_small_float(b, quotient, type, saturate);
  const auto [least, most] = quantized_range(type);
  const Node rounded = b.node("Round", "opset5", {quotient});
  rounded.set("mode", "half_to_even");
  OutPort y = rounded.out_port();
  if (zero_point) y = b.op("Add", "opset1", {y, b.convert(zero_point, ElementType::f32)});
  const Node cut = b.node("Clamp", "opset1", {y});
  cut.set("min", least).set("max", most);
  return b.convert(cut.out_port(), type.type);
}

OutPort requantized(const Build& b, const OutPort& y, const OutPort& scale, const OutPort& zero_point,
                    ElementType type) {
  require(type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  const auto f32 = [&](const OutPort& p) { return b.convert(p, ElementType::f32); };
  return saturated(b, b.op("Divide", "opset1", {f32(y), f32(scale)}), zero_point, type);
}

OutPort converted_packed(const Build& b, const OutPort& q, ElementType type) {
  const OutPort c = b.convert(q, type);
  const auto value = q.value();
  if (c != q && value && value->rank() >= 2) c.node().set(MO_ATTR_STOP_VALUE, true);
  return c;
}

bool is_zero_point_zero(const OutPort& zero_point) {
  const auto zero = zero_point.value();
  if (!zero || zero->size() > 65536 || !is_quantized_integer(zero->type())) return false;
  const auto list = zero->to_floats<double>();
  return std::all_of(list.begin(), list.end(), [](double z) { return z == 0; });
}

OutPort centred(const Build& b, const OutPort& q, const OutPort& zero_point, ElementType type) {
  const OutPort x = is_float(type) ? converted_packed(b, q, type) : b.convert(q, type);
  if (!zero_point || (is_float(type) && is_zero_point_zero(zero_point))) return x;
  return b.op("Subtract", "opset1", {x, b.convert(zero_point, type)});
}

OutPort dequantized(const Build& b, const OutPort& q, const OutPort& scale, const OutPort& zero_point,
                    ElementType type) {
  return b.op("Multiply", "opset1", {centred(b, q, zero_point, type), b.convert(scale, type)});
}

}  // namespace mo::onnx
