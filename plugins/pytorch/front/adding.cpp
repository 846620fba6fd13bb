// Sums and differences, the second one scaled. Sums of truth values say whether one holds.
#include "support/values.hpp"

namespace mo::pytorch {

namespace adding {

static OutPort scaled(const Call& c, const OutPort& y) {
  if (!c.is_given("alpha")) return y;
  return c.b.multiply(y, c.scalar("alpha", y));
}

// A real number is added to the real part of a complex one.
static std::array<OutPort, 2> terms(const Call& c) {
  if (!c.is_complex("self") && !c.is_complex("other")) return c.promoted("self", "other");
  require(!c.is_complex("alpha"), "factors that are complex are not supported");
  const ElementType type = c.promoted_type({"self", "other"});
  return {as_complex(c, "self", type), as_complex(c, "other", type)};
}

static Ports add(const Call& c) {
  const auto [x, y] = terms(c);
  if (x.type() == ElementType::boolean) return {c.op1("LogicalOr", {x, y})};
  return {c.b.add(x, scaled(c, y))};
}

static Ports subtract(const Call& c) {
  const auto [x, y] = terms(c);
  return {c.b.subtract(x, scaled(c, y))};
}

static Ports subtract_from(const Call& c) {
  const auto [x, y] = terms(c);
  return {c.b.subtract(y, scaled(c, x))};
}

}  // namespace adding

void register_adding(Registry& r) {
  convert<adding::add>(r, "aten.add.Tensor aten.add.Scalar", "add(x, y, alpha)",
                       "Add(x, Multiply(y, alpha))");
  convert<adding::subtract>(r, "aten.sub.Tensor aten.sub.Scalar aten.subtract.Tensor aten.subtract.Scalar",
                            "sub(x, y, alpha)", "Subtract(x, Multiply(y, alpha))");
  convert<adding::subtract_from>(r, "aten.rsub.Tensor aten.rsub.Scalar", "rsub(x, y, alpha)",
                                 "Subtract(y, Multiply(x, alpha))");
}

}  // namespace mo::pytorch
