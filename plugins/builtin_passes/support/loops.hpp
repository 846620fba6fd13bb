// Loops are the operations whose body runs many times: Loop and TensorIterator.
#pragma once

#include <mo/bodies.hpp>
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

inline std::vector<Node> loops_of(const Graph& g) {
  std::vector<Node> loops;
  for (const char* op : {"Loop", "TensorIterator"})
    for (const Node& n : g.get_op_nodes(op)) loops.push_back(n);
  return loops;
}

// Of each Parameter of the body, whether every turn sets it anew.
inline std::vector<bool> changing_parameters(const Node& loop, size_t parameters) {
  std::vector<bool> changes(parameters, false);
  const auto edges = loop.attr("back_edges", std::vector<int64_t>{});
  for (size_t i = 1; i < edges.size(); i += 2) changes.at(static_cast<size_t>(edges[i])) = true;
  return changes;
}

// Takes out those that `gone` names, when there are any.
inline void remove_named_parameters(const Node& loop, const std::vector<bool>& gone) {
  if (std::find(gone.begin(), gone.end(), true) != gone.end()) remove_body_parameters(loop, gone);
}

}  // namespace mo::builtin_passes
