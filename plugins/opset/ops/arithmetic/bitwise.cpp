// BitwiseAnd, BitwiseOr, BitwiseXor and BitwiseNot: of integers, and of booleans, for which they are logical.
#include "support/bitwise.hpp"

namespace mo::opset {

namespace bitwise {

// All ones up to the highest bit that a value of 0 to `high` may have.
static int64_t mask_over(int64_t high) {
  int64_t mask = 0;
  while (mask < high) mask = mask * 2 + 1;
  return mask;
}

struct And {
  static constexpr std::string_view doc = "bits set in a and in b";
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
  // Of wide intervals that are not negative.
  static Interval wide(const Interval& a, const Interval& b) { return {0, std::min(a.hi, b.hi)}; }
};
struct Or {
  static constexpr std::string_view doc = "bits set in a or in b";
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
  static Interval wide(const Interval& a, const Interval& b) {
    return {std::max(a.lo, b.lo), mask_over(std::max(a.hi, b.hi))};
  }
};
struct Xor {
  static constexpr std::string_view doc = "bits set in one of a and b";
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
  static Interval wide(const Interval& a, const Interval& b) { return {0, mask_over(std::max(a.hi, b.hi))}; }
};

template <class Op>
struct Bits {
  static Interval bounds(ElementType, const Interval& a, const Interval& b) {
    if (const auto all = tried(a, b, [](int64_t x, int64_t y) { return Op::of(x, y); })) return *all;
    return a.lo >= 0 && b.lo >= 0 ? Op::wide(a, b) : Interval();
  }
  template <class T>
  static T of(T a, T b) {
    return Op::of(a, b);
  }
  static constexpr std::string_view doc = Op::doc;
  static constexpr bool booleans = true, commutes = true;
};

struct BitwiseNot {
  static constexpr std::string_view type = "BitwiseNot", opset = "opset13";
  static void schema(OpSchema& s) { s.doc("each bit the other way").input("data").element_wise().outputs(1); }
  static void infer(InferContext& c) {
    require_bits(c, 0, true);
    const ElementType t = c.type(0);
    if (!bounds_wanted(c, {0})) return c.output(0, t, c.shape(0));
    // In two's complement ~x is -1 - x; an unsigned type counts from its greatest value.
    const Interval all = interval::range_of(t);
    auto list = *intervals(c, 0);
    for (Interval& v : list)
      v = t == ElementType::u64 ? all : interval::difference(is_signed(t) ? -1 : all.hi, v);
    output_intervals(c, 0, t, c.shape(0), list);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    if (is_float(in.type())) no_values_for(in.type());
    const auto out = Tensor::create_bytes(c.context(), in.type(), in.dims());
    for_element(in.type(), [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      if constexpr (std::is_same_v<T, bool>) {
        for (size_t i = 0; i < in.size(); ++i) E::put(out.second, i, !E::get(in.data(), i));
      } else if constexpr (std::is_integral_v<T>) {
        for (size_t i = 0; i < in.size(); ++i) E::put(out.second, i, static_cast<T>(~E::get(in.data(), i)));
      }
    });
    c.output(0, out.first);
  }
};

}  // namespace bitwise

void register_bitwise(Registry& r) {
  r.operation<BitwiseBinary<bitwise::Bits<bitwise::And>>>("BitwiseAnd", "opset13");
  r.operation<BitwiseBinary<bitwise::Bits<bitwise::Or>>>("BitwiseOr", "opset13");
  r.operation<BitwiseBinary<bitwise::Bits<bitwise::Xor>>>("BitwiseXor", "opset13");
  r.operation<bitwise::BitwiseNot>();
}

}  // namespace mo::opset
