#include "support/broadcasting.hpp"

#include "support/limits.hpp"

namespace mo::opset {

void add_auto_broadcast(OpSchema& s) {
  s.attr<std::string>("auto_broadcast", "numpy").one_of({"none", "numpy", "pdpd"});
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

// A dimension of 1 that meets a greater one, other than at the end, where it stands for nothing.
static bool spreads_nothing(const Node& n) {
  if (n.attr("auto_broadcast", std::string()) != "pdpd") return true;
  const Shape a = n.in_port(0).shape(), b = n.in_port(1).shape();
  if (!a.has_rank() || !b.has_rank()) return true;
  const int64_t axis = n.attr("axis", int64_t{-1}), first = axis < 0 ? a.rank() - b.rank() : axis;
  size_t length = b.size();
  while (length > 0 && b[length - 1] == Dim(1)) --length;
  for (size_t i = 0; i < length; ++i) {
    const int64_t at = first + static_cast<int64_t>(i);
    if (at < a.rank() && b[i] == Dim(1) && a[static_cast<size_t>(at)] != Dim(1)) return false;
  }
  return true;
}

void check_broadcast(const Node& n) {
  check_limits(n, {{"with auto_broadcast pdpd no dimension of 1 is spread", "2022.3",
                    "ngraph/core/src/op/util/elementwise_args.cpp:37", spreads_nothing}});
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
