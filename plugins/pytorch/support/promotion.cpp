#include "support/promotion.hpp"

#include <algorithm>

namespace mo::pytorch {

static int kind_of(ElementType t) { return t == ElementType::boolean ? 0 : is_integer(t) ? 1 : 2; }

ElementType promote(ElementType a, ElementType b) {
  if (a == b || b == ElementType::unknown) return a;
  if (a == ElementType::unknown) return b;
  if (kind_of(a) != kind_of(b)) return kind_of(a) > kind_of(b) ? a : b;
  if (is_float(a)) return bits(a) != bits(b) ? (bits(a) > bits(b) ? a : b) : ElementType::f32;
  const auto is_signed = [](ElementType t) { return info(t).kind == 'i'; };
  if (is_signed(a) == is_signed(b)) return bits(a) > bits(b) ? a : b;
  const ElementType s = is_signed(a) ? a : b, u = is_signed(a) ? b : a;
  if (bits(s) > bits(u)) return s;
  return bits(u) < 16 ? ElementType::i16 : bits(u) < 32 ? ElementType::i32 : ElementType::i64;
}

void Promotion::add_tensor(ElementType type, bool has_dims) {
  ElementType& of = has_dims ? dims_ : scalars_;
  of = promote(of, type);
}

void Promotion::add_number(ElementType type) { numbers_ = promote(numbers_, type); }

static ElementType combined(ElementType higher, ElementType lower) {
  if (higher == ElementType::unknown) return lower;
  if (lower == ElementType::unknown || kind_of(lower) <= kind_of(higher)) return higher;
  return lower;
}

ElementType Promotion::type() const { return combined(dims_, combined(scalars_, numbers_)); }

}  // namespace mo::pytorch
