// LogicalAnd, LogicalOr, LogicalXor and LogicalNot.
#include "support/binary.hpp"

namespace mo::opset {

struct LogicalAnd {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "a and b";
  static bool of(bool a, bool b) { return a && b; }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::minimum(a, b); }
};
struct LogicalOr {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "a or b";
  static bool of(bool a, bool b) { return a || b; }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::maximum(a, b); }
};
struct LogicalXor {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "either a or b";
  static bool of(bool a, bool b) { return a != b; }
  static Interval bounds(const Interval& a, const Interval& b) {
    return a.exact() && b.exact() ? Interval(a.lo ^ b.lo) : Interval(0, 1);
  }
};

struct LogicalNot {
  static constexpr std::string_view type = "LogicalNot", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("not x").input("data", Role::none, boolean_type).element_wise().outputs(1);
  }
  static void infer(InferContext& c) {
    if (!bounds_wanted(c, {0})) return c.output(0, ElementType::boolean, c.shape(0));
    auto list = *intervals(c, 0);
    for (Interval& v : list) v = interval::difference(1, v);
    output_intervals(c, 0, ElementType::boolean, c.shape(0), list);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    c.output(0, mapped(c, in, in.type(), [](const char* from, char* to, size_t n) {
               for (size_t i = 0; i < n; ++i) Bool::put(to, i, !Bool::get(from, i));
             }));
  }
};

// One side may decide alone.
template <class Op>
struct Decided : Logical<Op> {
  static void infer(InferContext& c) {
    const Shape shape = broadcast_inputs(c);
    const bool one_is_known = c.value(0).has_value() != c.value(1).has_value();
    if (!one_is_known || !may_have_bounds(ElementType::boolean, shape) || !c.shape(0).is_static() ||
        !c.shape(1).is_static())
      return Logical<Op>::infer(c);
    output_intervals(c, 0, common_type(c, {0, 1}), shape, combine_intervals(c, shape, &Op::bounds));
  }
};

void register_logical(Registry& r) {
  r.operation<Decided<LogicalAnd>>("LogicalAnd", "opset1");
  r.operation<Decided<LogicalOr>>("LogicalOr", "opset1");
  r.operation<Logical<LogicalXor>>("LogicalXor", "opset1");
  r.operation<Logical<LogicalXor>>("Xor", "opset1");  // its name in the first operation set
  r.operation<LogicalNot>();
}

}  // namespace mo::opset
