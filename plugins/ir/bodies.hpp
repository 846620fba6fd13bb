// How the ports of an operation are connected with its body: <port_map> and <back_edges>, in the form of
// mo/port_map.hpp.
#pragma once

#include "graph_reader.hpp"

namespace mo::ir {

struct BodyMap {
  std::vector<std::string> entries;
  std::vector<int64_t> back_edges;
};
BodyMap read_body_map(const Layer& layer, pugi::xml_node body, const std::string& prefix);

}  // namespace mo::ir
