#include "support/open_axes.hpp"

#include <numeric>

namespace mo::builtin_passes {

OpenAxes open_axes(const Build& b) {
  constexpr int64_t most = 64;
  only_when(!b.in(1).value(), "its axes are known");
  const Shape x = b.in(0).shape(), axes = b.in(1).shape();
  only_when(x.has_rank(), "the rank of what it takes is not known");
  only_when(axes.is_static() && axes.size() <= 1, "how many axes there are is not known");
  const OpenAxes found{static_cast<int64_t>(x.size()), axes.size() == 1 ? axes[0].value() : 1};
  only_when(found.rank + found.count <= most, "there are more than ", most, " dimensions");
  return found;
}

OutPort marked_axes(const Build& b, int64_t n) {
  const OutPort from_front = b.op("FloorMod", "opset1", {b.convert(b.in(1), ElementType::i64), b.integer(n)});
  Ints places(static_cast<size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  const OutPort equal = b.op("Equal", "opset1", {b.reshape(from_front, b.list({-1, 1})), b.list(places)});
  return b.reduce("ReduceLogicalOr", equal, b.integer(0), false);
}

OutPort count_before(const Build& b, const OutPort& flags) {
  const Node n = b.node("CumSum", "opset3", {b.convert(flags, ElementType::i64), b.integer(0)});
  return n.set("exclusive", true).set("reverse", false).out_port();
}

}  // namespace mo::builtin_passes
