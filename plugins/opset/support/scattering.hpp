// Operations that write updates into a copy of the data at places that indices name.
#pragma once

#include "support/movement.hpp"

namespace mo::opset {

inline int64_t place_in(int64_t index, int64_t size) {
  require(index >= -size && index < size, "index ", index, " is outside of ", -size, " to ", size - 1);
  return index < 0 ? index + size : index;
}

// A copy of the data, whose elements are whole bytes, that may be written.
inline std::pair<Tensor, void*> copied(const EvalContext& c, const Tensor& data) {
  auto out = Tensor::create_bytes(c.context(), data.type(), data.dims());
  if (data.bytes() != 0) std::memcpy(out.second, data.data(), data.bytes());
  return out;
}

// Output 0 like input 0. With exact indices the bounds of data and updates move: write(bytes of the data,
// bytes of the updates, width of an element).
template <class Write>
void output_scattered(const InferContext& c, bool exact, Write write) {
  const ElementType t = common_type(c, {0, 2});
  const Shape data = c.shape(0), updates = c.shape(2);
  if (exact && may_have_bounds(t, data) && may_have_bounds(t, updates) && bounds_wanted(c, {0, 2})) {
    auto list = intervals_or_unknown(c, 0, static_cast<size_t>(data.elements().value()));
    const auto from = intervals_or_unknown(c, 2, static_cast<size_t>(updates.elements().value()));
    write(list.data(), from.data(), sizeof(Interval));
    return output_intervals(c, 0, t, data, list);
  }
  c.output(0, t, data);
}

}  // namespace mo::opset
