// Places of a graph by the names that users write: nodes, tensors, "port:node" for an in-port, "node:port"
// for an out-port.
#pragma once

#include "core/graph/graph.hpp"

namespace mo::core {

struct Place {
  enum class Kind { node, in, out };
  Kind kind = Kind::node;
  NodeId node = no_node;
  uint32_t port = 0;
  PortRef ref() const { return {node, port}; }
};

class Places {
 public:
  explicit Places(const Graph& g);
  // For --output: an out-port, always.
  PortRef output(const std::string& name) const;
  // For --input: a Parameter or another node as a whole, an in-port, or an out-port.
  Place input(const std::string& name) const;

 private:
  struct Named {
    NodeId node = no_node;
    PortRef tensor;
  };
  Named look_up(const std::string& name) const;
  std::optional<Place> port_form(const std::string& name) const;
  [[noreturn]] void fail_unknown(const std::string& name, const char* option) const;
  [[noreturn]] void fail_collision(const std::string& name, const Named&, const char* option) const;

  const Graph& graph_;
  std::unordered_map<Symbol, PortRef> tensors_;
};

}  // namespace mo::core
