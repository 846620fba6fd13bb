// Bitcast: the same bits as another type. The IR has no such operation; integers of one width are computed from
// one another, and of a float the sign is, when that is all that is asked for (Keras' argmax and signbit).
#include "support/build.hpp"
#include "support/list_operators.hpp"

#include <cstring>

namespace mo::tensorflow {

namespace casting_bits {

// The upper half of the unsigned ones is the negative half of the others.
static OutPort wrapped(const Build& b, const OutPort& x, ElementType from, ElementType to) {
  const int width = bits(from);
  if (width == 64) return b.convert(x, to);
  const OutPort wide = b.convert(x, ElementType::i64);
  const int64_t whole = int64_t{1} << width;
  const bool grows = is_signed(from);
  const OutPort other = b.integer(grows ? 0 : whole / 2);
  const OutPort turns = b.op(grows ? "Less" : "GreaterEqual", "opset1", {wide, other});
  return b.convert(b.select(turns, b.add(wide, b.integer(grows ? whole : -whole)), wide), to);
}

// Compared with 0, or nothing but the highest bit kept.
static bool asks_for_the_sign(const InPort& in) {
  const Node n = in.node();
  if (n.in_count() != 2) return false;
  const auto other = constant_integer(n.in_port(1 - in.index()).get_source());
  const std::string op = n.op_name();
  if (op == "BitwiseAnd") return other == INT32_MIN;
  return other == 0 && in.index() == 0 && (op == "Less" || op == "GreaterEqual");
}

}  // namespace casting_bits

static Ports bitcast(Build& b, const SourceNode& n) {
  using namespace casting_bits;
  const OutPort x = b.in(0);
  const ElementType from = x.type(), to = n.native("type", ElementType::unknown);
  require(from != ElementType::unknown && to != ElementType::unknown,
          "the type of its input or output cannot be told from the model");
  require(bits(from) == bits(to), "it looks at ", name(from), " as ", name(to),
          ", which differ in size; the IR cannot look at the bits of a tensor");
  if (from == to) return bypass(n, x);
  if (const auto value = b.constant(0)) {
    const auto [t, data] = Tensor::create_bytes(b.context(), to, value->dims());
    std::memcpy(data, value->data(), value->size() * static_cast<size_t>(bits(to)) / 8);
    return {b.constant(t)};
  }
  if (is_integer(from) && is_integer(to)) return {wrapped(b, x, from, to)};
  const auto readers = readers_of(n.out_port());
  require(from == ElementType::f32 && to == ElementType::i32 &&
              std::all_of(readers.begin(), readers.end(), asks_for_the_sign),
          "it looks at ", name(from), " as ", name(to),
          ", and not for its sign only; the IR cannot look at the bits of a tensor");
  // -0 is told from 0 by what it gives as a divisor.
  const OutPort zero = b.like(x, 0);
  const OutPort negative =
      b.op("LogicalOr", "opset1",
           {b.op("Less", "opset1", {x, zero}), b.op("Less", "opset1", {b.divide(b.like(x, 1), x), zero})});
  const auto i32 = [&](double v) { return b.constant(Tensor::filled(b.context(), to, {v}, {})); };
  return {b.select(negative, i32(INT32_MIN), i32(0))};
}

void register_bits(Registry& r) {
  replace<bitcast>(r, {"Bitcast", "Less(Bitcast(x), 0)", "Less(Select(sign of x, least, 0), 0)"});
}

}  // namespace mo::tensorflow
