// Something that depends on which dimension it works along.
#pragma once

#include "mutants.hpp"

namespace mutants {

// Elements along `axis` in the opposite order.
inline void reverse(mo::EvalContext& c, size_t axis) {
  size_t inner = 1;
  const mo::Tensor in = c.input(0);
  for (size_t d = axis + 1; d < in.rank(); ++d) inner *= static_cast<size_t>(in.dim(d));
  const auto length = static_cast<size_t>(in.dim(axis));
  for_each_number(c, [&](const mo::Tensor& x, size_t i) {
    const size_t along = i / inner % length;
    return x.number(i + (length - 1 - along) * inner - along * inner);
  });
}

}  // namespace mutants
