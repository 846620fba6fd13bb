#include "core/run/with_type.hpp"

#include "core/host/abi.hpp"

#include <mo/tensor.hpp>

namespace mo::core {

namespace {

bool is_whole(ElementType t) { return is_integer(t) || t == ElementType::boolean; }

}  // namespace

TensorRef with_type(const TensorRef& tensor, ElementType type) {
  if (tensor->type == type) return tensor;
  const bool floats = is_float(tensor->type) && is_float(type) && bits(type) >= 16;
  const bool whole = is_whole(tensor->type) && is_whole(type) && bits(type) >= 8;
  if (!floats && !whole) fail("element type ", name(tensor->type), " cannot become ", name(type));
  const Tensor from = Tensor::borrow(&host_table(), tensor.get());
  TensorRef to = make_tensor(type, tensor->dims);
  const Tensor written = Tensor::borrow(&host_table(), to.get());
  for (size_t i = 0, n = from.size(); i < n; ++i) {
    if (floats) {
      store_number(to->buffer.get(), type, i, from.number(i));
      continue;
    }
    const int64_t v = from.integer(i);
    const size_t width = static_cast<size_t>(bits(type)) / 8;
    std::memcpy(to->buffer.get() + i * width, &v, width);  // little-endian: the low bytes
    const bool fits = written.integer(i) == v && (v >= 0 || is_signed(type)) &&
                      (type != ElementType::boolean || v == 0 || v == 1);
    if (!fits) fail("element ", i, " is ", v, ", which does not fit into ", name(type));
  }
  return to;
}

}  // namespace mo::core
