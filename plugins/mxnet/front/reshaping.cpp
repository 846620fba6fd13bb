// Dimensions added, taken away or joined.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace reshaping {

static Ports like(Build& b, const SourceNode& n) {
  for (const std::string_view name : {"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"})
    require(!n.has_native(name), "attribute '", name, "' of reshape_like is not supported");
  return {b.reshape(b.in(0), b.shape_of(b.in(1)))};
}

static Ports flatten(Build& b, const SourceNode&) { return {b.reshape(b.in(0), Ints{0, -1})}; }

static Ports expand_dims(Build& b, const SourceNode& n) {
  return {b.unsqueeze(b.in(0), b.list({n.native<int64_t>("axis")}))};
}

static Ports squeeze(Build& b, const SourceNode& n) {
  const Shape s = shape_of(b, b.in(0));
  Ints axes = ints_of(n, "axis");
  if (axes.empty()) {
    require(s.has_rank(), "which dimensions are 1 is not known",
            hint("give the inputs shapes with --input_shape"));
    for (size_t i = 0; i < s.size(); ++i)
      if (s[i] == Dim(1)) axes.push_back(static_cast<int64_t>(i));
  }
  if (axes.empty()) return {b.in(0)};
  if (s.has_rank() && axes.size() == s.size()) return {b.reshape(b.in(0), b.list({1}))};
  return {b.squeeze(b.in(0), axes)};
}

}  // namespace reshaping

void register_reshaping(Registry& r) {
  convert<reshaping::like>(r, "reshape_like", "reshape_like(x, y)", "Reshape(x, ShapeOf(y))");
  convert<reshaping::flatten>(r, "Flatten flatten", "Flatten(x)", "Reshape(x, [0, -1])");
  convert<reshaping::expand_dims>(r, "expand_dims _npi_expand_dims", "expand_dims(x)", "Unsqueeze(x, axis)");
  convert<reshaping::squeeze>(r, "squeeze _np_squeeze", "squeeze(x)", "Squeeze(x, axes)");
}

}  // namespace mo::mxnet
