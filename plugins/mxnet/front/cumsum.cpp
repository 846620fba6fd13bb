#include "support/registering.hpp"
#include "support/types.hpp"

namespace mo::mxnet {

namespace cumulating {

static Ports cumsum(Build& b, const SourceNode& n) {
  const auto axis = n.find_native<int64_t>("axis");
  OutPort x = axis ? b.in(0) : b.reshape(b.in(0), b.list({-1}));
  if (n.has_native("dtype")) x = b.convert(x, type_of(n));
  const Node c = b.node("CumSum", "opset3", {x, b.integer(axis.value_or(0))});
  c.set("exclusive", false).set("reverse", false);
  return {c.out_port()};
}

}  // namespace cumulating

void register_cumsum(Registry& r) {
  convert<cumulating::cumsum>(r, "_np_cumsum cumsum", "cumsum(x)", "CumSum(x, axis)");
}

}  // namespace mo::mxnet
