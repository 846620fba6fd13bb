// Tensors of strings that are computed.
#pragma once

#include "support/elements.hpp"

#include <mo/strings.hpp>

namespace mo::opset {

// A tensor of these, unless they take more than a constant may.
inline Tensor tensor_of(const Context& c, const std::vector<std::string_view>& list,
                        const std::vector<int64_t>& dims) {
  uint64_t total = 0;
  for (const std::string_view s : list)
    if ((total += s.size()) > grown_limit) no_value("the strings are too large");
  return Tensor::strings(c, list, dims);
}

}  // namespace mo::opset
