#include "support/broadcasting.hpp"

#include "support/limits.hpp"

namespace mo::opset {

void add_auto_broadcast(OpSchema& s) {
  s.attr<std::string>("auto_broadcast", "numpy").one_of({"none", "numpy", "pdpd"}).role(Role::spread);
}

Shape align_pdpd(const Shape& a, const Shape& b, int64_t axis) {
  if (!a.has_rank() || !b.has_rank()) return b;
  require(b.size() <= a.size(), "shape ", b, " does not broadcast to ", a);
  const int64_t first = axis < 0 ? a.rank() - b.rank() : axis;
  Shape r = b;
  while (!r.empty() && first + r.rank() > a.rank() && r.back().contains(1)) r.resize(r.size() - 1);
  require(first + r.rank() <= a.rank(), "axis is ", axis, " but ", b, " does not fit into ", a, " there");
  while (static_cast<int64_t>(r.size()) + first < a.rank()) r.push_back(1);
  return r;
}

void check_broadcast(const Node& n) {
  check_limits(n, {{"no device computes auto_broadcast pdpd, and its axis is not read", "",
                    "src/plugins/intel_cpu/src/nodes/eltwise.cpp (isSupportedOperation) of 2026, "
                    "src/core/src/op/util/attr_types.cpp (auto_broadcast_axis)",
                    [](const Node& l) { return l.attr("auto_broadcast", std::string()) != "pdpd"; }}});
}

Shape broadcast_inputs(const InferContext& c) {
  const Shape a = c.shape(0), b = c.shape(1);
  if (a == b && a.is_static()) return a;
  const auto mode = c.attr<std::string>("auto_broadcast");
  if (mode == "none") {
    const auto both = merge(a, b);
    if (!both) fail("shapes ", a, " and ", b, " differ and auto_broadcast is none");
    return *both;
  }
  if (mode == "pdpd") {
    // Only the second operand is stretched.
    if (!a.has_rank() || !b.has_rank()) return a;
    const Shape aligned = align_pdpd(a, b, c.attr<int64_t>("axis", -1));
    Shape out = a;
    for (size_t i = 0; i < aligned.size(); ++i) {
      Dim& d = out[a.size() - aligned.size() + i];
      if (aligned[i].contains(1)) continue;
      const auto both = intersect(d, aligned[i]);
      if (!both) fail("shape ", b, " does not broadcast to ", a);
      d = *both;
    }
    return out;
  }
  const auto both = broadcast(a, b);
  if (!both) fail("shapes ", a, " and ", b, " do not broadcast");
  return *both;
}

}  // namespace mo::opset
