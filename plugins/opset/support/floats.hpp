// Operations that compute with any floating-point type: in double for f64, in float for the others. And what
// their attributes and inputs have in common.
#pragma once

#include "support/movement.hpp"
#include "support/unary.hpp"

namespace mo::opset {

// Calls f with a number of the type that is computed with.
template <class F>
void with_float(ElementType t, F&& f) {
  for_float(t, [&](auto e) { f(typename decltype(e)::computed{}); });
}

template <class T>
Tensor tensor_of(const EvalContext& c, ElementType t, const Dims& dims, const std::vector<T>& elements) {
  auto [tensor, data] = Tensor::create_bytes(c.context(), t, dims);
  require(elements.size() == tensor.size(), "a tensor of ", tensor.size(), " elements cannot hold ",
          elements.size());
  void* const out = data;
  for_number(t, [&](auto e) {
    using E = decltype(e);
    for (size_t i = 0; i < elements.size(); ++i)
      E::put(out, i, static_cast<typename E::computed>(elements[i]));
  });
  return tensor;
}

// A computed number as element i of any type: the nearest integer, and the nearest end of a type's range.
// Sums of weights leave halves a little off, which must not decide what is nearest.
template <class E>
void put_nearest(void* out, size_t i, double v) {
  if (!E::is_float) v = std::nearbyint(std::abs(v) < 4096 ? static_cast<double>(static_cast<float>(v)) : v);
  E::put(out, i, saturate<typename E::computed>(v));
}

inline Dim dim_at(const Shape& s, size_t i) { return s.has_rank() && i < s.size() ? s[i] : any_dim; }
// The common part of a dimension of unknown or known rank and what is known of it already.
inline void narrow(Dim& known, const Shape& s, size_t i, std::string_view what) {
  if (s.has_rank()) known = same_dim(known, s[i], what);
}

// Attributes of floating-point type with a lower end, which may be excluded. NaN and infinity are errors.
inline double float_attr(const OpContext& c, std::string_view name, double least, bool excluded = false) {
  const auto v = c.attr<double>(name);
  require(std::isfinite(v) && (excluded ? v > least : v >= least), "attribute '", name, "' is ", v,
          "; expected ", excluded ? "more than " : "at least ", least);
  return v;
}
inline double positive_attr(const OpContext& c, std::string_view name) {
  return float_attr(c, name, 0, true);
}

// Where a result follows from much more computation than it has elements, attributes of a hostile model must
// not keep the machine busy for long.
inline void limit_work(std::initializer_list<int64_t> factors) {
  double steps = 1;
  for (const int64_t f : factors) steps *= static_cast<double>(std::max<int64_t>(f, 0));
  if (steps > 0x1p29) no_value("a value that takes about ", steps, " steps is not computed");
}

// The same, and while constants are folded for all of them together.
inline void limit_work(const OpContext& c, std::initializer_list<int64_t> factors) {
  limit_work(factors);
  double steps = 1;
  for (const int64_t f : factors) steps *= static_cast<double>(std::max<int64_t>(f, 0));
  spend(c.context(), steps);
}

// The nearest index of [low, high]; `low` for NaN.
inline int64_t clamped_index(double v, int64_t low, int64_t high) {
  if (!(v > static_cast<double>(low))) return low;
  return v >= static_cast<double>(high) ? high : static_cast<int64_t>(v);
}

}  // namespace mo::opset
