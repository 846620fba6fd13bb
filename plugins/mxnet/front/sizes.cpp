// What follows from a shape alone.
#include "support/registering.hpp"

namespace mo::mxnet {

namespace sizes {

static Ports shape_array(Build& b, const SourceNode&) { return {b.shape_of(b.in(0))}; }
static Ports size_array(Build& b, const SourceNode&) {
  return {b.reduce("ReduceProd", b.shape_of(b.in(0)), b.list({0}), true)};
}

}  // namespace sizes

void register_sizes(Registry& r) {
  convert<sizes::shape_array>(r, "shape_array", "shape_array(x)", "ShapeOf(x)");
  convert<sizes::size_array>(r, "size_array", "size_array(x)", "ReduceProd(ShapeOf(x))");
}

}  // namespace mo::mxnet
