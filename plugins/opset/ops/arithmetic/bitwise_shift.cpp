// BitwiseLeftShift and BitwiseRightShift. The specification leaves shifts by less than 0, or by as many bits
// as there are, to the hardware: here nothing but the sign remains.
#include "support/bitwise.hpp"
#include "support/first_releases.hpp"

namespace mo::opset {

namespace shifting {

template <class T>
bool out_of_bits(T count) {
  if constexpr (std::is_signed_v<T>)
    if (count < 0) return true;
  return static_cast<uint64_t>(count) >= sizeof(T) * 8;
}
// Shifts that stay among the bits; others are not told apart.
static bool regular(ElementType t, const Interval& counts) { return counts.lo >= 0 && counts.hi < bits(t); }

struct Left {
  static constexpr std::string_view doc = "a with its bits moved up by b places";
  static constexpr bool booleans = false;
  template <class T>
  static T of(T a, T b) {
    if (out_of_bits(b)) return 0;
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << static_cast<unsigned>(b));
  }
  static Interval bounds(ElementType t, const Interval& a, const Interval& b) {
    if (!regular(t, b) || b.hi > 62) return {};
    return interval::product(a, {int64_t{1} << b.lo, int64_t{1} << b.hi});
  }
};

struct Right {
  static constexpr std::string_view doc = "a with its bits moved down by b places";
  static constexpr bool booleans = false;
  template <class T>
  static T of(T a, T b) {
    if (out_of_bits(b)) {
      if constexpr (std::is_signed_v<T>) return a < 0 ? T{-1} : T{0};
      return 0;
    }
    return static_cast<T>(a >> static_cast<unsigned>(b));
  }
  static Interval bounds(ElementType t, const Interval& a, const Interval& b) {
    if (!regular(t, b) || b.hi > 62) return {std::min<int64_t>(a.lo, 0), std::max<int64_t>(a.hi, 0)};
    return interval::quotient(a, {int64_t{1} << b.lo, int64_t{1} << b.hi}, &interval::floor_quotient);
  }
};

}  // namespace shifting

void register_bitwise_shift(Registry& r) {
  r.operation<BitwiseBinary<shifting::Left>>("BitwiseLeftShift", "opset15");
  r.operation<BitwiseBinary<shifting::Right>>("BitwiseRightShift", "opset15");
  came_with("2024.4", "BitwiseLeftShift", "opset15");
  came_with("2024.4", "BitwiseRightShift", "opset15");
}

}  // namespace mo::opset
