#include "apps/run/with_type.hpp"

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

#include <mo/small_floats.hpp>
#include <mo/tensor.hpp>

namespace mo::app {

namespace {

bool is_whole(ElementType t) { return is_integer(t) || t == ElementType::boolean; }

// Elements of less than a byte stand one behind the other, from the lowest bits on.
unsigned bits_at(const Tensor& t, size_t i) {
  const auto* const bytes = static_cast<const uint8_t*>(t.data());
  const auto width = static_cast<size_t>(bits(t.type()));
  return bytes[i * width / 8] >> (i * width % 8) & ((1U << width) - 1);
}
void put_bits(void* to, ElementType type, size_t i, unsigned code) {
  auto* const bytes = static_cast<uint8_t*>(to);
  const auto width = static_cast<size_t>(bits(type));
  uint8_t& byte = bytes[i * width / 8];
  const size_t shift = i * width % 8;
  const unsigned others = shift == 0 ? 0 : byte & ((1U << shift) - 1);
  byte = static_cast<uint8_t>(others | code << shift);
}

double number_of(const Tensor& t, size_t i) {
  return is_small_float(t.type()) ? small_float_value(t.type(), bits_at(t, i)) : t.number(i);
}
void put_number(void* to, ElementType type, size_t i, double v) {
  if (is_small_float(type))
    put_bits(to, type, i, small_float_code(type, static_cast<float>(v)));
  else
    store_number(to, type, i, v);
}

}  // namespace

core::TensorRef with_type(const core::TensorRef& tensor, ElementType type) {
  if (tensor->type == type) return tensor;
  const auto known = [](ElementType t) { return is_float(t) && (bits(t) >= 16 || is_small_float(t)); };
  const auto fits_bytes = [](ElementType t) { return bits(t) >= 8 || bits(t) == 4 || bits(t) == 2; };
  const bool floats = known(tensor->type) && known(type);
  const bool whole = is_whole(tensor->type) && is_whole(type) && fits_bytes(type);
  if (!floats && !whole) fail("element type ", name(tensor->type), " cannot become ", name(type));
  const Tensor from = Tensor::borrow(&core::host_table(), tensor.get());
  core::TensorRef to = core::make_tensor(type, tensor->dims);
  const Tensor written = Tensor::borrow(&core::host_table(), to.get());
  for (size_t i = 0, n = from.size(); i < n; ++i) {
    if (floats) {
      put_number(to->buffer.get(), type, i, number_of(from, i));
      continue;
    }
    const int64_t v = from.integer(i);
    if (bits(type) < 8) {
      put_bits(to->buffer.get(), type, i, static_cast<unsigned>(v) & ((1U << bits(type)) - 1));
    } else {
      const size_t width = static_cast<size_t>(bits(type)) / 8;
      std::memcpy(to->buffer.get() + i * width, &v, width);  // little-endian: the low bytes
    }
    const bool fits = written.integer(i) == v && (v >= 0 || is_signed(type)) &&
                      (type != ElementType::boolean || v == 0 || v == 1);
    if (!fits) fail("element ", i, " is ", v, ", which does not fit into ", name(type));
  }
  return to;
}

}  // namespace mo::app
