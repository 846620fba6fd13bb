#include "support/build.hpp"

namespace mo::onnx {

static OutPort spatial_axes(const Build& b) { return b.axes(b.in(0), 2, INT64_MAX); }

static Ports global_average_pool(Build& b, const SourceNode&) {
  return {b.reduce("ReduceMean", b.in(0), spatial_axes(b), true)};
}
static Ports global_max_pool(Build& b, const SourceNode&) {
  return {b.reduce("ReduceMax", b.in(0), spatial_axes(b), true)};
}
// p is a float in version 1.
static Ports global_lp_pool(Build& b, const SourceNode& n) {
  const double p = n.version() < 2 ? n.native("p", 2.0) : static_cast<double>(n.native("p", 2));
  if (p == 1) return {b.reduce("ReduceL1", b.in(0), spatial_axes(b), true)};
  if (p == 2) return {b.reduce("ReduceL2", b.in(0), spatial_axes(b), true)};
  const OutPort x = b.in(0);
  const OutPort powers = b.op("Power", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, p)});
  return {b.op("Power", "opset1", {b.reduce("ReduceSum", powers, spatial_axes(b), true), b.like(x, 1 / p)})};
}

void register_global_pool(Registry& r) {
  replace<global_average_pool>(r, {"GlobalAveragePool", "GlobalAveragePool(x)", "ReduceMean(x, [2, 3, …])"});
  replace<global_max_pool>(r, {"GlobalMaxPool", "GlobalMaxPool(x)", "ReduceMax(x, [2, 3, …])"});
  replace<global_lp_pool>(r, {"GlobalLpPool", "GlobalLpPool(x)", "ReduceL2(x, [2, 3, …])"});
}

}  // namespace mo::onnx
