#include <algorithm>

#include "core/match/match.hpp"

namespace mo::core {

namespace {

std::optional<double> number(const Attribute& a) {
  if (const auto* i = std::get_if<int64_t>(&a)) return static_cast<double>(*i);
  if (const auto* b = std::get_if<bool>(&a)) return *b ? 1 : 0;
  if (const auto* d = std::get_if<double>(&a)) return *d;
  return std::nullopt;
}

std::optional<std::vector<double>> numbers(const Attribute& a) {
  if (const auto* i = std::get_if<std::vector<int64_t>>(&a)) return std::vector<double>(i->begin(), i->end());
  if (const auto* d = std::get_if<std::vector<double>>(&a)) return *d;
  if (const auto* b = std::get_if<std::vector<uint8_t>>(&a)) return std::vector<double>(b->begin(), b->end());
  return std::nullopt;
}

bool same(const TensorRef& a, const TensorRef& b) { return a == b || (a && b && equal_contents(*a, *b)); }

}  // namespace

bool attribute_equal(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) {
    if (const auto x = number(a), y = number(b); x && y) return *x == *y;
    if (const auto x = numbers(a), y = numbers(b); x && y) return *x == *y;
    return false;
  }
  if (const auto* s = std::get_if<std::shared_ptr<const Shape>>(&a))
    return **s == **std::get_if<std::shared_ptr<const Shape>>(&b);
  if (const auto* t = std::get_if<TensorRef>(&a)) return same(*t, std::get<TensorRef>(b));
  if (const auto* t = std::get_if<std::vector<TensorRef>>(&a)) {
    const auto& u = std::get<std::vector<TensorRef>>(b);
    return std::equal(t->begin(), t->end(), u.begin(), u.end(), same);
  }
  return a == b;
}

}  // namespace mo::core
