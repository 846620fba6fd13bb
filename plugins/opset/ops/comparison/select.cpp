// Select: elements of `then` where the condition holds, of `else` where it does not.
#include "support/binary.hpp"
#include "support/movement.hpp"

namespace mo::opset {

struct Select {
  static constexpr std::string_view type = "Select", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("condition, then, else")
        .input("condition", Role::none, boolean_type)
        .inputs({"then", "else"})
        .element_wise()
        .outputs(1);
    add_auto_broadcast(s);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {1, 2});
    const Shape out = result(c, c.shape(0), c.shape(1), c.shape(2));
    const bool still = c.shape(0).is_static() && c.shape(1).is_static() && c.shape(2).is_static();
    if (still && may_have_bounds(t, out) && bounds_wanted(c, {0, 1, 2}))
      return output_intervals(c, 0, t, out, bounds(c, out));
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = c.input(1).type();
    const Tensor condition = c.input(0), a = in_bytes(c, c.input(1)), b = in_bytes(c, c.input(2));
    require(t == c.input(2).type() && condition.type() == ElementType::boolean, "element types are ",
            name(condition.type()), ", ", name(a.type()), " and ", name(b.type()));
    result(c, condition.shape(), a.shape(), b.shape());
    const Walk<3> walk({condition.dims(), a.dims(), b.dims()});
    const size_t width = width_of(a.type());
    const RowOf<3> row = [width](const std::array<const char*, 3>& in, const std::array<size_t, 3>& step,
                                 char* out, size_t n) {
      for (size_t i = 0; i < n; ++i) {
        const bool choice = Bool::get(in[0], i * step[0]);
        std::memcpy(out + i * width, choice ? in[1] + i * step[1] * width : in[2] + i * step[2] * width,
                    width);
      }
    };
    c.output(0, of_type(c, combined<3>(c, {condition, a, b}, walk, a.type(), row), t));
  }

 private:
  static Shape result(const OpContext& c, const Shape& condition, const Shape& a, const Shape& b) {
    if (condition == a && a == b && a.is_static()) return a;
    const auto mode = c.attr<std::string>("auto_broadcast");
    const auto join = [&](const Shape& x, const Shape& y) {
      const auto both = mode == "none" ? merge(x, y) : broadcast(x, y);
      if (!both)
        fail("shapes ", condition, ", ", a, " and ", b, " do not fit together (auto_broadcast is ", mode,
             ")");
      return *both;
    };
    const Shape all = join(join(a, b), condition);
    if (mode != "pdpd" || !all.has_rank() || !a.has_rank()) return all;
    // Only the condition and `else` are stretched.
    const auto both = merge(all, a);
    if (!both)
      fail("shapes ", condition, " and ", b, " do not broadcast to ", a, " (auto_broadcast is pdpd)");
    return *both;
  }
  static std::vector<Interval> bounds(const InferContext& c, const Shape& out) {
    std::array<std::vector<Interval>, 3> in;
    for (size_t i = 0; i < 3; ++i)
      in[i] = intervals_or_unknown(c, i, static_cast<size_t>(c.shape(i).elements().value()));
    std::vector<Interval> list(static_cast<size_t>(out.elements().value()));
    Walk<3>({c.shape(0).to_static(), c.shape(1).to_static(), c.shape(2).to_static()})
        .rows([&](size_t o, const std::array<size_t, 3>& at, const std::array<size_t, 3>& step, size_t n) {
          for (size_t i = 0; i < n; ++i) {
            const Interval choice = in[0][at[0] + i * step[0]];
            const Interval &a = in[1][at[1] + i * step[1]], &b = in[2][at[2] + i * step[2]];
            list[o + i] = !choice.exact() ? interval::unite(a, b) : choice.lo != 0 ? a : b;
          }
        });
    return list;
  }
};

void register_select(Registry& r) { r.operation<Select>(); }

}  // namespace mo::opset
