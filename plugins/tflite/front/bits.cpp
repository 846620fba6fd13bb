// BITCAST: the bits of a tensor as elements of another type. Those of constants are looked at; integers are
// shifted; those of floats are computed.
#include "support/float_bits.hpp"

namespace mo::tflite {

namespace bitcast {

static ElementType without_sign(ElementType t) {
  switch (bits(t)) {
    case 8:
      return ElementType::u8;
    case 16:
      return ElementType::u16;
    case 32:
      return ElementType::u32;
    default:
      return ElementType::u64;
  }
}

// 0, width, 2 * width, …: elements of fewer bits lie in those of more, the lowest first.
static OutPort places(const Build& b, ElementType type, int64_t count, int width) {
  std::vector<double> list;
  for (int64_t k = 0; k < count; ++k) list.push_back(static_cast<double>(k * width));
  return b.constant(Tensor::filled(b.context(), type, list, {count}));
}

static OutPort taken_apart(const Build& b, const OutPort& x, ElementType type, int64_t count) {
  const ElementType whole = without_sign(x.type());
  const OutPort column = b.unsqueeze(b.convert(x, whole), b.list({-1}));
  const OutPort moved = b.op("BitwiseRightShift", "opset15", {column, places(b, whole, count, bits(type))});
  const double mask = static_cast<double>((uint64_t{1} << bits(type)) - 1);
  const OutPort part =
      b.op("BitwiseAnd", "opset13", {moved, b.constant(Tensor::filled(b.context(), whole, {mask}, {}))});
  return b.convert(b.convert(part, without_sign(type)), type);
}

static OutPort put_together(const Build& b, const OutPort& x, ElementType type, int64_t count) {
  const ElementType whole = without_sign(type);
  const OutPort wide = b.convert(b.convert(x, without_sign(x.type())), whole);
  const OutPort moved = b.op("BitwiseLeftShift", "opset15", {wide, places(b, whole, count, bits(x.type()))});
  return b.convert(b.reduce("ReduceSum", moved, b.list({-1}), false), type);
}

// Shapes as the operator has them: one more, or one less dimension of `count` where the sizes differ.
static Tensor looked_at(const Build& b, const Tensor& t, ElementType type) {
  Ints dims = t.dims();
  const int have = bits(t.type()), want = bits(type);
  if (have > want) dims.push_back(have / want);
  if (have < want) {
    require(!dims.empty() && dims.back() == want / have, "its input has shape ", t.shape(), ", but ",
            want / have, " elements of ", name(t.type()), " are one of ", name(type));
    dims.pop_back();
  }
  return t.slice(b.context(), 0, type, dims);
}

}  // namespace bitcast

static Ports bitcast_bits(Build& b, const SourceNode& n) {
  using namespace bitcast;
  const OutPort x = b.in(0);
  const ElementType from = x.type(), to = n.out_port().type();
  if (from == to) return bypass(n, x);
  const int have = bits(from), want = bits(to);
  require(have % 8 == 0 && want % 8 == 0 && have > 0 && want > 0, "it looks at ", name(from), " as ",
          name(to));
  if (const auto t = b.constant(0)) return {b.constant(looked_at(b, *t, to))};
  const bool known = (is_integer(from) || has_known_bits(from)) && (is_integer(to) || has_known_bits(to));
  require(known, "it looks at the bits of ", name(from), " as ", name(to), ", which the IR cannot do");
  const OutPort whole = is_integer(from) ? x : bits_of_floats(b, x);
  const ElementType wanted = is_integer(to) ? to : without_sign(to);
  OutPort y = whole;
  if (have == want)
    y = b.convert(y, wanted);
  else
    y = have > want ? taken_apart(b, y, wanted, have / want) : put_together(b, y, wanted, want / have);
  return {is_integer(to) ? y : floats_of_bits(b, y, to)};
}

void register_bits(Registry& r) {
  replace<bitcast_bits>(r, {"BITCAST", "BITCAST(x)",
                            "Convert(x), Bitwise… of integers of other sizes, or arithmetic on floats"});
}

}  // namespace mo::tflite
