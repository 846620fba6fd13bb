#include "support/values.hpp"

#include <limits>
#include <numeric>

namespace mo::pytorch {

OutPort as_float(const Call& c, const OutPort& x) {
  return is_float(x.type()) ? x : as_type(c, x, ElementType::f32);
}

OutPort as_truth(const Call& c, const OutPort& x) {
  if (x.type() == ElementType::boolean) return x;
  return c.op1("NotEqual", {x, c.like(x, 0)});
}

OutPort as_type(const Call& c, const OutPort& x, ElementType type) {
  return type == ElementType::boolean ? as_truth(c, x) : c.b.convert(x, type);
}

OutPort gather(const Call& c, const OutPort& x, const OutPort& indices, int64_t axis) {
  return c.b.node("Gather", "opset8", {x, indices, c.b.integer(axis)}).set("batch_dims", 0).out_port();
}

OutPort slice(const Call& c, const OutPort& x, int64_t axis, const OutPort& begin, const OutPort& end,
              int64_t step) {
  return c.b.op("Slice", "opset8", {x, begin, end, c.b.list({step}), c.b.list({axis})});
}

OutPort slice(const Call& c, const OutPort& x, int64_t axis, int64_t begin, int64_t end, int64_t step) {
  if (begin == 0 && end == INT64_MAX && step == 1) return x;
  return slice(c, x, axis, c.b.list({begin}), c.b.list({end}), step);
}

OutPort reversed(const Call& c, const OutPort& x, int64_t axis) {
  return slice(c, x, axis, -1, INT64_MIN, -1);
}

OutPort count_to(const Call& c, const OutPort& size) { return c.b.range(c.b.integer(0), size, 1); }

OutPort size_of(const Call& c, const OutPort& x, int64_t axis) { return as_scalar(c, c.b.dim(x, axis)); }

OutPort as_list(const Call& c, const OutPort& scalar) { return c.b.reshape(scalar, Ints{1}); }

OutPort as_scalar(const Call& c, const OutPort& list) {
  if (const auto v = list.value()) return c.b.constant(v->reshaped(c.b.context(), {}));
  return c.b.squeeze(list, {0});
}

OutPort flat(const Call& c, const OutPort& x) { return x.shape().rank() == 1 ? x : c.b.reshape(x, Ints{-1}); }

OutPort transposed(const Call& c, const OutPort& x) {
  Ints order = counted(c.rank(x));
  require(order.size() >= 2, "it reads a tensor of ", order.size(), " dimensions, expected two or more");
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return c.b.transpose(x, order);
}

OutPort moved(const Call& c, const OutPort& x, size_t from, size_t to) {
  if (from == to) return x;
  Ints order = counted(c.rank(x));
  order.erase(order.begin() + static_cast<int64_t>(from));
  order.insert(order.begin() + static_cast<int64_t>(to), static_cast<int64_t>(from));
  return c.b.transpose(x, order);
}

Ints counted(size_t rank) {
  Ints list(rank);
  std::iota(list.begin(), list.end(), int64_t{0});
  return list;
}

OutPort count_of(const Call& c, const OutPort& x, const Ints& axes) {
  const OutPort sizes = gather(c, c.b.shape_of(x), c.b.list(axes), 0);
  return c.convert_like(c.b.reduce("ReduceProd", sizes, c.b.list({0}), false), x);
}

OutPort mean_of(const Call& c, const OutPort& x, const Ints& axes) {
  return c.b.reduce("ReduceMean", x, c.b.list(axes), true);
}

OutPort variance_of(const Call& c, const OutPort& x, const Ints& axes) {
  const OutPort distance = c.b.subtract(x, mean_of(c, x, axes));
  return mean_of(c, c.b.multiply(distance, distance), axes);
}

Parts taken_apart(const Call& c, const OutPort& x) {
  return {gather(c, x, c.b.integer(0), -1), gather(c, x, c.b.integer(1), -1)};
}

OutPort norm_of(const Call& c, const OutPort& x, double p, const OutPort& axes, bool keep) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto over = [&](std::string_view type, const OutPort& v) { return c.b.reduce(type, v, axes, keep); };
  if (p == 2) return over("ReduceL2", x);
  if (p == 1) return over("ReduceL1", x);
  if (p == 0) return over("ReduceSum", c.convert_like(as_truth(c, x), x));
  const OutPort size = c.op1("Abs", {x});
  if (p == infinity) return over("ReduceMax", size);
  if (p == -infinity) return over("ReduceMin", size);
  const OutPort sum = over("ReduceSum", c.op1("Power", {size, c.like(x, p)}));
  return c.op1("Power", {sum, c.like(x, 1 / p)});
}

OutPort joined(const Call& c, const Parts& z) {
  const OutPort last = c.b.list({-1});
  return c.b.concat({c.b.unsqueeze(z.real, last), c.b.unsqueeze(z.imaginary, last)}, -1);
}

OutPort turned_by(const Call& c, const OutPort& size, const OutPort& angle) {
  return joined(c, {c.b.multiply(size, c.op1("Cos", {angle})), c.b.multiply(size, c.op1("Sin", {angle}))});
}

OutPort conjugate(const Call& c, const OutPort& z) { return c.b.multiply(z, c.b.like(z, {1, -1}, {2})); }

OutPort complex_product(const Call& c, const OutPort& x, const OutPort& y) {
  const Parts a = taken_apart(c, x), b = taken_apart(c, y);
  return joined(c, {c.b.subtract(c.b.multiply(a.real, b.real), c.b.multiply(a.imaginary, b.imaginary)),
                    c.b.add(c.b.multiply(a.real, b.imaginary), c.b.multiply(a.imaginary, b.real))});
}

OutPort with_imaginary_zeros(const Call& c, const OutPort& x) {
  return joined(c, {x, c.b.multiply(x, c.like(x, 0))});
}

OutPort as_complex(const Call& c, std::string_view name, ElementType type) {
  const OutPort x = c.as(name, type);
  return c.is_complex(name) ? x : with_imaginary_zeros(c, x);
}

OutPort polynomial(const Call& c, const OutPort& x, const std::vector<double>& factors) {
  OutPort y = c.like(x, factors[0]);
  for (size_t i = 1; i < factors.size(); ++i) y = c.b.add(c.b.multiply(y, x), c.like(x, factors[i]));
  return y;
}

OutPort sigmoid(const Call& c, const OutPort& x) { return c.op1("Sigmoid", {x}); }

OutPort keeping_nan(const Call& c, const OutPort& x, const OutPort& y) {
  return c.b.select(c.op1("Equal", {x, x}), y, x);
}

OutPort is_less(const Call& c, const OutPort& x, const OutPort& limit) { return c.op1("Less", {x, limit}); }

}  // namespace mo::pytorch
