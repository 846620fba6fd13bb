// Arrays of tensors: one tensor with a dimension for the elements in front.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace arrays {

// Element i becomes another, or the next one is appended.
static Ports write(const Op& o) {
  const bool pir = o.is_pir();
  const OutPort x = o.unsqueezed(o.in(pir ? "1" : "X"), {0}), i = o.as_list(o.in(pir ? "2" : "I"));
  const OutPort array = o.maybe(pir ? "0" : "Array");
  if (!array) return {x};
  const auto part = [&](const OutPort& begin, const OutPort& end) {
    return o.op("Slice", "opset8", {array, begin, end, o.list({1}), o.list({0})});
  };
  return {o.concat({part(o.list({0}), i), x, part(o.add(i, o.list({1})), o.list({INT32_MAX}))}, 0)};
}

static Ports read(const Op& o) {
  const OutPort i = o.as_scalar(o.convert(o.in("1 I"), ElementType::i64));
  return {o.gather(o.in("0 X"), i, 0)};
}

static Ports length(const Op& o) {
  const OutPort size = o.has("0 X") ? o.dim(o.in("0 X"), 0) : o.list({0});
  const Shape said = o.node().out_port().shape();
  return {said.has_rank() && said.rank() == 0 ? o.as_scalar(size) : size};
}

// Elements behind one another along an axis, or in a dimension of their own.
static Ports to_tensor(const Op& o) {
  const OutPort x = o.in("0 X");
  const bool stacks = o.flag("use_stack", false);
  const int64_t rank = o.rank(x), element = rank - 1;
  int64_t axis = o.integer("axis", 0);
  const int64_t dims = stacks ? rank : element;
  require(axis >= -dims && axis < dims, "attribute 'axis' is ", axis, " of ", dims, " dimensions");
  if (axis < 0) axis += dims;
  Ints order;
  for (int64_t i = 1; i <= axis; ++i) order.push_back(i);
  order.push_back(0);
  for (int64_t i = axis + 1; i < rank; ++i) order.push_back(i);
  OutPort y = axis == 0 ? x : o.transpose(x, order);
  const OutPort each = stacks ? o.list({1}) : o.dim(x, axis + 1);
  if (!stacks) {
    Ports shape;
    const OutPort all = o.shape_of(x);
    if (axis > 0) shape.push_back(o.part(all, 1, axis + 1));
    shape.push_back(o.list({-1}));
    if (axis + 2 < rank) shape.push_back(o.part(all, axis + 2, INT64_MAX));
    y = o.reshape(y, o.concat(shape));
  }
  const OutPort sizes = o.convert(o.broadcast(each, o.dim(x, 0)), ElementType::i32);
  return o.give({{"0 Out", {y}}, {"1 OutIndex", {sizes}}});
}

}  // namespace arrays

void register_arrays(Registry& r) {
  using namespace arrays;
  convert<write>(r, "array_write write_to_array", "array_write(array, x, i)",
                 "Concat(Slice(array), Unsqueeze(x), Slice(array))");
  convert<read>(r, "array_read read_from_array", "array_read(array, i)", "Gather(array, i)");
  convert<length>(r, "array_length lod_array_length", "array_length(array)", "ShapeOf(array)");
  convert<to_tensor>(r, "array_to_tensor tensor_array_to_tensor", "array_to_tensor(array)",
                     "Reshape(Transpose(array))");
}

}  // namespace mo::paddle
