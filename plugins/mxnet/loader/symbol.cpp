#include "loader/symbol.hpp"

#include "loader/symbol_events.hpp"

#include <limits>

namespace mo::mxnet {

const std::string* SymbolNode::find(std::string_view wanted) const {
  for (const auto& [key, value] : attributes)
    if (key == wanted) return &value;
  return nullptr;
}

std::string SymbolNode::text(std::string_view wanted) const {
  const std::string* value = find(wanted);
  return value == nullptr ? std::string() : *value;
}

std::vector<uint32_t> Symbol::variables() const {
  std::vector<uint32_t> list;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_variable()) list.push_back(static_cast<uint32_t>(i));
  return list;
}

std::string describe(const Symbol& s, size_t node) {
  const bool named = node < s.nodes.size() && !s.nodes[node].name.empty();
  return named ? mo::text("node ", node, " ('", s.nodes[node].name, "')") : mo::text("node ", node);
}

static void check_entry(const Symbol& s, const Entry& e, size_t end, const std::string& who) {
  require(e.node < s.nodes.size(), who, " reads node ", e.node, ", but there are only ", s.nodes.size());
  require(e.node < end, who, " reads ", describe(s, e.node),
          ", which does not come before it; a symbol has no cycles");
  // How many outputs an operator has is known to what converts it.
  constexpr uint32_t most_outputs = 1U << 16;
  require(e.output < most_outputs, who, " reads output ", e.output, " of ", describe(s, e.node));
}

static void check(Symbol& s) {
  require(!s.nodes.empty(), "it has no \"nodes\"");
  require(s.nodes.size() < std::numeric_limits<uint32_t>::max(), "it has too many nodes");
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    require(!s.nodes[i].op.empty(), describe(s, i), " has no \"op\"");
    // Programs in C++ wrote operators without one.
    require(!s.nodes[i].name.empty() || !s.nodes[i].is_variable(), describe(s, i), " has no \"name\"");
    if (s.nodes[i].name.empty()) s.nodes[i].name = text(s.nodes[i].op, '_', i);
    require(!s.nodes[i].is_variable() || s.nodes[i].inputs.empty(), describe(s, i),
            " is a variable with inputs");
    for (const Entry& e : s.nodes[i].inputs) check_entry(s, e, i, describe(s, i));
    for (size_t k = 0; k < s.nodes[i].sub_graphs.size(); ++k) {
      try {
        check(s.nodes[i].sub_graphs[k]);
      } catch (const Error& e) {
        throw Error(text(describe(s, i), ", sub-graph ", k, ": ", e.what()), e.status(), e.where());
      }
    }
  }
  require(!s.heads.empty(), "it has no \"heads\": nothing says what its outputs are");
  for (const Entry& e : s.heads) check_entry(s, e, s.nodes.size(), "\"heads\"");
}

Symbol read_symbol(std::string_view bytes, std::string_view path) {
  try {
    Symbol s = symbol_of_json(bytes);
    check(s);
    return s;
  } catch (const Error& e) {
    throw Error(text("'", path, "' is not a symbol of MXNet: ", e.what()), e.status(), e.where());
  }
}

}  // namespace mo::mxnet
