// A symbol: the network as NAME-symbol.json describes it.
#pragma once

#include <mo/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::mxnet {

struct Entry {  // an output of a node
  uint32_t node = 0, output = 0;
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Symbol;

struct SymbolNode {
  std::string op, name;
  std::vector<Entry> inputs;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Symbol> sub_graphs;  // of control flow, and of operators that were fused
  size_t byte = 0;                 // behind its '{' in the file; 0: it was made
  uint64_t tag = 0;                // among all nodes, those of sub-graphs too; 0: not given yet

  const std::string* find(std::string_view name) const;
  std::string text(std::string_view name) const;  // "" when absent
  bool is_variable() const { return op == "null"; }
};

struct Symbol {
  std::vector<SymbolNode> nodes;  // inputs come before their readers
  std::vector<Entry> heads;
  int64_t version = 800;  // 10000 * major + 100 * minor + patch

  // Nodes that are variables: of a sub-graph its inputs, in this order.
  std::vector<uint32_t> variables() const;
};

// "node 7 ('conv0')"
std::string describe(const Symbol& s, size_t node);

// Errors: no JSON, with the byte; no symbol, with the node. `path` is for messages only.
Symbol read_symbol(std::string_view bytes, std::string_view path);

}  // namespace mo::mxnet
