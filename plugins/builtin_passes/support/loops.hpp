// Loops are the operations whose body runs many times: Loop and TensorIterator.
#pragma once

#include <mo/bodies.hpp>
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

// Of each Parameter of the body, whether every turn sets it anew.
inline std::vector<bool> changing_parameters(const Node& loop, size_t parameters) {
  std::vector<bool> changes(parameters, false);
  const auto edges = loop.attr("back_edges", std::vector<int64_t>{});
  for (size_t i = 1; i < edges.size(); i += 2) changes.at(static_cast<size_t>(edges[i])) = true;
  return changes;
}

}  // namespace mo::builtin_passes
