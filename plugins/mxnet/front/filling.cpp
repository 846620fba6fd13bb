// Tensors of one number.
#include "support/registering.hpp"
#include "support/shapes.hpp"
#include "support/types.hpp"

namespace mo::mxnet {

namespace filling {

static OutPort filled(const Build& b, double value, ElementType type, const OutPort& shape) {
  return b.broadcast(b.constant(Tensor::filled(b.context(), type, {value}, {})), shape);
}

// 0 is a batch that is not known: 1 stands for it, and what reads it broadcasts.
static OutPort of_shape(const Build& b, const SourceNode& n, double value) {
  Ints dims = ints_of(n, "shape");
  for (int64_t& d : dims)
    if (d <= 0) d = 1;
  return filled(b, value, type_of(n), b.list(dims));
}

static Ports zeros(Build& b, const SourceNode& n) { return {of_shape(b, n, 0)}; }
static Ports ones(Build& b, const SourceNode& n) { return {of_shape(b, n, 1)}; }
static Ports full(Build& b, const SourceNode& n) { return {of_shape(b, n, n.native("value", 0.0))}; }

static OutPort like(const Build& b, double value) {
  const ElementType type = b.in(0).type();
  return filled(b, value, type == ElementType::unknown ? ElementType::f32 : type, b.shape_of(b.in(0)));
}
static Ports zeros_like(Build& b, const SourceNode&) { return {like(b, 0)}; }
static Ports ones_like(Build& b, const SourceNode&) { return {like(b, 1)}; }

}  // namespace filling

void register_filling(Registry& r) {
  convert<filling::zeros>(r, "_zeros _zeros_without_dtype _npi_zeros", "_zeros(shape)",
                          "Broadcast(0, shape)");
  convert<filling::ones>(r, "_ones _npi_ones", "_ones(shape)", "Broadcast(1, shape)");
  convert<filling::full>(r, "_full _npi_full", "_full(shape, value)", "Broadcast(value, shape)");
  convert<filling::zeros_like>(r, "zeros_like _np_zeros_like", "zeros_like(x)", "Broadcast(0, ShapeOf(x))");
  convert<filling::ones_like>(r, "ones_like _np_ones_like", "ones_like(x)", "Broadcast(1, ShapeOf(x))");
}

}  // namespace mo::mxnet
