// Values of element-wise operations: computed at once, and where there are many, in windows when they are
// read, so that weights which are folded take no memory.
#pragma once

#include "support/broadcasting.hpp"
#include "support/elements.hpp"

#include <functional>

namespace mo::opset {

// Writes the `n` elements of the result from those of the operands; step 0: one element for all.
template <size_t N>
using RowOf = std::function<void(const std::array<const char*, N>& in, const std::array<size_t, N>& steps,
                                 char* out, size_t n)>;

// The result of a walk. `row` looks at nothing that does not live as long as the tensor. Refused where the
// result is absurdly larger than the operands.
template <size_t N>
Tensor combined(const EvalContext& c, const std::array<Tensor, N>& in, const Walk<N>& walk, ElementType type,
                RowOf<N> row);
extern template Tensor combined<2>(const EvalContext&, const std::array<Tensor, 2>&, const Walk<2>&,
                                   ElementType, RowOf<2>);
extern template Tensor combined<3>(const EvalContext&, const std::array<Tensor, 3>&, const Walk<3>&,
                                   ElementType, RowOf<3>);
extern template Tensor combined<5>(const EvalContext&, const std::array<Tensor, 5>&, const Walk<5>&,
                                   ElementType, RowOf<5>);

// Writes `n` elements of the result from as many of the operand, of which the first is number `first`.
using Mapping = std::function<void(const char* in, char* out, size_t n)>;
// A result whose elements follow from those of one operand. Both types are of whole bytes.
Tensor mapped(const EvalContext& c, const Tensor& in, ElementType type, Mapping f);

}  // namespace mo::opset
