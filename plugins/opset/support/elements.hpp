// Typed loops over elements of any alignment: one switch per tensor, none per element.
#pragma once

#include <mo/draft/folding.h>
#include <mo/sdk.hpp>

#include <cmath>

namespace mo::opset {

template <class S>
S load(const void* p, size_t i) {
  S v;
  std::memcpy(&v, static_cast<const char*>(p) + i * sizeof(S), sizeof v);
  return v;
}
template <class S>
void save(void* p, size_t i, S v) {
  std::memcpy(static_cast<char*>(p) + i * sizeof(S), &v, sizeof v);
}

// How elements of one type are stored and what is computed with.
template <ElementType E, class Stored, class Computed = Stored>
struct Element {
  static constexpr ElementType type = E;
  static constexpr bool is_float = std::is_floating_point_v<Computed>;
  using stored = Stored;
  using computed = Computed;
  static Computed get(const void* p, size_t i) {
    if constexpr (E == ElementType::f16)
      return half_to_float(load<uint16_t>(p, i));
    else if constexpr (E == ElementType::bf16)
      return bfloat_to_float(load<uint16_t>(p, i));
    else if constexpr (E == ElementType::boolean)
      return load<uint8_t>(p, i) != 0;
    else
      return load<Stored>(p, i);
  }
  static void put(void* p, size_t i, Computed v) {
    if constexpr (E == ElementType::f16)
      save(p, i, float_to_half(v));
    else if constexpr (E == ElementType::bf16)
      save(p, i, float_to_bfloat(v));
    else
      save(p, i, static_cast<Stored>(v));
  }
};
using F32 = Element<ElementType::f32, float>;
using F64 = Element<ElementType::f64, double>;
using F16 = Element<ElementType::f16, uint16_t, float>;
using Bf16 = Element<ElementType::bf16, uint16_t, float>;
using I8 = Element<ElementType::i8, int8_t>;
using I16 = Element<ElementType::i16, int16_t>;
using I32 = Element<ElementType::i32, int32_t>;
using I64 = Element<ElementType::i64, int64_t>;
using U8 = Element<ElementType::u8, uint8_t>;
using U16 = Element<ElementType::u16, uint16_t>;
using U32 = Element<ElementType::u32, uint32_t>;
using U64 = Element<ElementType::u64, uint64_t>;
using Bool = Element<ElementType::boolean, uint8_t, bool>;

// The shape is known but this value is not computed: the host leaves the node as it is.
template <class... Args>
[[noreturn]] void no_value(const Args&... args) {
  throw Error(text(args...), MO_UNSUPPORTED);
}
[[noreturn]] inline void no_values_for(ElementType t) {
  no_value("no values are computed for element type ", name(t));
}

// Calls f with the Element of a type: of floats, of integers of whole bytes, of both, or with boolean as
// well.
template <class F>
auto for_float(ElementType t, F&& f) {
  switch (t) {
    case ElementType::f32:
      return f(F32{});
    case ElementType::f64:
      return f(F64{});
    case ElementType::f16:
      return f(F16{});
    case ElementType::bf16:
      return f(Bf16{});
    default:
      no_values_for(t);
  }
}
template <class F>
auto for_integer(ElementType t, F&& f) {
  switch (t) {
    case ElementType::i8:
      return f(I8{});
    case ElementType::i16:
      return f(I16{});
    case ElementType::i32:
      return f(I32{});
    case ElementType::i64:
      return f(I64{});
    case ElementType::u8:
      return f(U8{});
    case ElementType::u16:
      return f(U16{});
    case ElementType::u32:
      return f(U32{});
    case ElementType::u64:
      return f(U64{});
    default:
      no_values_for(t);
  }
}
template <class F>
auto for_number(ElementType t, F&& f) {
  return is_integer(t) ? for_integer(t, f) : for_float(t, f);
}
template <class F>
auto for_element(ElementType t, F&& f) {
  return t == ElementType::boolean ? f(Bool{}) : for_number(t, f);
}

// Where values of fewer bytes are computed, they are computed at once.
inline constexpr uint64_t lazy_bytes = uint64_t{1} << 20;

// A result that may be much larger than what it is made of. Refused when it is absurdly so: attributes and
// shapes of a hostile model must not take the machine's memory.
inline constexpr uint64_t grown_limit = uint64_t{1} << 30;
inline void check_grown(ElementType type, const std::vector<int64_t>& dims, uint64_t input_bytes) {
  const Dim count = Shape(dims).elements();
  const auto width = static_cast<uint64_t>(std::max(8, bits(type)) / 8);
  const auto limit = std::max(grown_limit, 16 * std::min(input_bytes, uint64_t{1} << 40));
  if (static_cast<uint64_t>(count.value()) > limit / width)
    no_value("a result of shape ", Shape(dims), " is too large");
}
// Steps beyond what is read and written, which the host counts while constants are folded.
inline bool may_spend(const Context& c, double steps) {
  const void* found = nullptr;
  if (c.host()->get_interface(c.get(), str(MO_FOLDING_INTERFACE), MO_FOLDING_REVISION, &found) != MO_OK)
    return true;
  const auto all = static_cast<uint64_t>(std::min(steps, 0x1p62));
  return static_cast<const mo_folding*>(found)->work(c.get(), all) == MO_OK;
}
inline void spend(const Context& c, double steps) {
  if (!may_spend(c, steps))
    no_value("a value that takes about ", steps, " steps more than others is not computed");
}

inline std::pair<Tensor, void*> create_grown(const EvalContext& c, ElementType type,
                                             const std::vector<int64_t>& dims, uint64_t input_bytes) {
  check_grown(type, dims, input_bytes);
  return Tensor::create_bytes(c.context(), type, dims);
}

}  // namespace mo::opset
