#include "core/match/ops.hpp"

#include <algorithm>

#include "core/match/match.hpp"

namespace mo::core {

// Interned, not looked up: a name nobody has used yet may come up while the filter is in use.
OpFilter::OpFilter(SymbolTable& symbols, const std::vector<std::string>& ops, const Plugin* asking)
    : symbols_(&symbols) {
  for (const std::string& spelled : ops) {
    add({symbols.intern(spelled), Sets::of_openvino, 0});
    if (asking != nullptr)
      for (const auto& [op, opset] : asking->own_operations)
        if (op == spelled) add({symbols.intern(op), Sets::one, symbols.intern(opset)});
    for (size_t at = spelled.find("::"); at != std::string::npos; at = spelled.find("::", at + 1)) {
      const std::string_view all = spelled, set = all.substr(0, at);
      add({symbols.intern(all.substr(at + 2)), set == "*" ? Sets::any : Sets::one, symbols.intern(set)});
    }
  }
}

void OpFilter::add(Entry e) {
  entries_.push_back(e);
  if (std::find(ops_.begin(), ops_.end(), e.op) == ops_.end()) ops_.push_back(e.op);
}

size_t OpFilter::count(const Graph& g) const {
  if (any()) return g.size();
  size_t n = 0;
  for (Symbol op : ops_) n += g.nodes_of(op).size();
  return n;
}

void OpFilter::collect(const Graph& g, std::vector<NodeId>& out) const {
  if (any()) {
    const auto all = g.nodes();
    out.insert(out.end(), all.begin(), all.end());
    return;
  }
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (Symbol op : ops_) {
    const auto here = static_cast<std::ptrdiff_t>(out.size());
    for (NodeId n : g.nodes_of(op))
      if (matches(g.node(n))) out.push_back(n);
    std::inplace_merge(out.begin() + first, out.begin() + here, out.end());  // each is in order
  }
}

bool op_matches(const Graph& g, NodeId candidate, const std::vector<std::string>& ops) {
  return OpFilter(g.symbols(), ops).matches(g.node(candidate));
}

}  // namespace mo::core
