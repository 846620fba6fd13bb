// Equal, NotEqual, Less, LessEqual, Greater and GreaterEqual.
#include "support/binary.hpp"

namespace mo::opset {

namespace compare {
template <class I>
Interval equal(const I& a, const I& b) {
  if (a.hi < b.lo || b.hi < a.lo) return 0;
  return a.exact() && b.exact() ? Interval(1) : Interval(0, 1);
}
template <class I>
Interval less(const I& a, const I& b) {
  if (a.hi < b.lo) return 1;
  return a.lo >= b.hi ? Interval(0) : Interval(0, 1);
}
template <class I>
Interval less_equal(const I& a, const I& b) {
  if (a.hi <= b.lo) return 1;
  return a.lo > b.hi ? Interval(0) : Interval(0, 1);
}
}  // namespace compare

#define MO_COMPARISON(NAME, OPERATOR, BOUNDS)                          \
  struct NAME {                                                        \
    static constexpr std::string_view doc = "a " #OPERATOR " b";       \
    static constexpr bool commutes = (1 OPERATOR 2) == (2 OPERATOR 1); \
    template <class T>                                                 \
    static bool of(T a, T b) {                                         \
      return a OPERATOR b;                                             \
    }                                                                  \
    template <class I>                                                 \
    static Interval bounds(const I& a, const I& b) {                   \
      return BOUNDS;                                                   \
    }                                                                  \
  };
MO_COMPARISON(Equal, ==, compare::equal(a, b))
MO_COMPARISON(NotEqual, !=, interval::difference(1, compare::equal(a, b)))
MO_COMPARISON(Less, <, compare::less(a, b))
MO_COMPARISON(LessEqual, <=, compare::less_equal(a, b))
MO_COMPARISON(Greater, >, compare::less(b, a))
MO_COMPARISON(GreaterEqual, >=, compare::less_equal(b, a))
#undef MO_COMPARISON

void register_compare(Registry& r) {
  r.operation<Comparison<Equal>>("Equal", "opset1");
  r.operation<Comparison<NotEqual>>("NotEqual", "opset1");
  r.operation<Comparison<Less>>("Less", "opset1");
  r.operation<Comparison<LessEqual>>("LessEqual", "opset1");
  r.operation<Comparison<Greater>>("Greater", "opset1");
  r.operation<Comparison<GreaterEqual>>("GreaterEqual", "opset1");
}

}  // namespace mo::opset
