#include "apps/run/compare.hpp"

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

#include <mo/tensor.hpp>

#include <cmath>

namespace mo::app {

namespace {

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isfinite(d) ? d : HUGE_VAL;
}

bool has_numbers(ElementType t) {
  if (t == ElementType::boolean || is_integer(t)) return true;
  return is_float(t) && bits(t) >= 16;
}

}  // namespace

Difference compare(const core::TensorRef& a, const core::TensorRef& b) {
  Difference d;
  if (a->type != b->type)
    d.problem = text("its type is ", name(b->type), " instead of ", name(a->type));
  else if (a->dims != b->dims)
    d.problem = text("its shape is ", core::shape_of(*b), " instead of ", core::shape_of(*a));
  if (!d.problem.empty()) return d;
  if (a->bytes == b->bytes && (a->bytes == 0 || std::memcmp(a->data(), b->data(), a->bytes) == 0)) return d;
  if (!has_numbers(a->type)) {
    d.largest = d.relative = HUGE_VAL;
    return d;
  }
  const Tensor x = Tensor::borrow(&core::host_table(), a.get()),
               y = Tensor::borrow(&core::host_table(), b.get());
  double scale = 0;
  for (size_t i = 0, n = x.size(); i < n; ++i) {
    const double v = x.number(i), there = distance(v, y.number(i));
    if (std::isfinite(v)) scale = std::max(scale, std::abs(v));
    if (there > d.largest) {
      d.largest = there;
      d.index = i;
    }
  }
  // Beside nothing but zeros, and for whole numbers, a difference counts as it is.
  d.relative = !is_float(a->type) ? (d.largest > 0 ? std::max(1.0, d.largest) : 0)
               : scale > 0        ? d.largest / scale
                                  : d.largest;
  return d;
}

}  // namespace mo::app
