// The `ops` of a transformation or pattern node as numbers.
#pragma once

#include "core/graph/graph.hpp"

#include <boost/container/small_vector.hpp>

namespace mo::core {

class OpFilter {
 public:
  OpFilter() = default;  // every op
  // Entries are "Type", "opset::Type" or "::Type"; "a::B" is also the type of that name, of any opset.
  OpFilter(SymbolTable&, const std::vector<std::string>& ops);

  bool any() const { return entries_.empty(); }
  bool matches(const NodeRecord& n) const {
    if (any()) return true;
    for (const Entry& e : entries_)
      if (n.op == e.op && (e.any_opset || n.opset == e.opset)) return true;
    return false;
  }
  // At least the number of living nodes that match; by index.
  size_t count(const Graph&) const;
  // Adds those that match, in order of creation.
  void collect(const Graph&, std::vector<NodeId>&) const;

 private:
  struct Entry {
    Symbol op;
    bool any_opset;
    Symbol opset;
  };
  void add(Entry);
  boost::container::small_vector<Entry, 2> entries_;
  boost::container::small_vector<Symbol, 2> ops_;  // each once
};

}  // namespace mo::core
