// A graph as a drawing in the DOT language of graphviz.
#pragma once

#include "core/graph/graph.hpp"

#include <map>

namespace mo::app {

enum class Mark { made, changed };

struct DotOptions {
  std::string title;
  std::map<std::pair<const core::Graph*, core::NodeId>, Mark> marks;  // coloured
  // Of a bigger graph this many nodes are drawn: what is marked and what is around it.
  size_t most_nodes = 400;
};

// The same graph gives the same text. Bodies are drawn as boxes around their nodes.
std::string to_dot(const core::Graph&, const DotOptions& = {});

}  // namespace mo::app
