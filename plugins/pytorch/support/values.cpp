#include "support/values.hpp"

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

OutPort flat(const Call& c, const OutPort& x) {
  return x.shape().rank() == 1 ? x : c.b.reshape(x, Ints{-1});
}

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
  return c.b.convert(c.b.reduce("ReduceProd", sizes, c.b.list({0}), false), x.type());
}

OutPort mean_of(const Call& c, const OutPort& x, const Ints& axes) {
  return c.b.reduce("ReduceMean", x, c.b.list(axes), true);
}

OutPort variance_of(const Call& c, const OutPort& x, const Ints& axes) {
  const OutPort distance = c.b.subtract(x, mean_of(c, x, axes));
  return mean_of(c, c.b.multiply(distance, distance), axes);
}

OutPort sigmoid(const Call& c, const OutPort& x) { return c.op1("Sigmoid", {x}); }

OutPort is_less(const Call& c, const OutPort& x, const OutPort& limit) { return c.op1("Less", {x, limit}); }

}  // namespace mo::pytorch
