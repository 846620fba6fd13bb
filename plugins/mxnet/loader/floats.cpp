#include "loader/floats.hpp"

#include <mo/half.hpp>
#include <mo/lazy.hpp>

namespace mo::mxnet {

namespace {

template <class From, class F>
Tensor converted(Context c, const Tensor& t, F one) {
  return lazy_map_to<From, float>(c, t, ElementType::f32, [one](uint64_t, const From* x, float* y, size_t n) {
    std::transform(x, x + n, y, one);
  });
}

template <class From>
Tensor numbers(Context c, const Tensor& t) {
  return converted<From>(c, t, [](From v) { return static_cast<float>(v); });
}

}  // namespace

Tensor as_floats(Context c, const Tensor& t) {
  switch (t.type()) {
    case ElementType::f32:
      return t;
    case ElementType::f64:
      return numbers<double>(c, t);
    case ElementType::f16:
      return converted<uint16_t>(c, t, half_to_float);
    case ElementType::bf16:
      return converted<uint16_t>(c, t, bfloat_to_float);
    case ElementType::boolean:
      return converted<uint8_t>(c, t, [](uint8_t v) { return v == 0 ? 0.0F : 1.0F; });
    case ElementType::u8:
      return numbers<uint8_t>(c, t);
    case ElementType::i8:
      return numbers<int8_t>(c, t);
    case ElementType::u16:
      return numbers<uint16_t>(c, t);
    case ElementType::i16:
      return numbers<int16_t>(c, t);
    case ElementType::u32:
      return numbers<uint32_t>(c, t);
    case ElementType::i32:
      return numbers<int32_t>(c, t);
    case ElementType::u64:
      return numbers<uint64_t>(c, t);
    case ElementType::i64:
      return numbers<int64_t>(c, t);
    default:
      fail("its elements are ", name(t.type()));
  }
}

}  // namespace mo::mxnet
