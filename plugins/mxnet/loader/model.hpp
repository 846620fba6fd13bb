// The loaded network: what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/symbol.hpp"

#include <mo/frontend.hpp>

namespace mo::mxnet {

class MxnetModel : public FrontEndModel {
 public:
  explicit MxnetModel(Symbol symbol) : symbol_(std::move(symbol)) {
    for (const SymbolNode& n : symbol_.nodes)
      keys_.push_back(n.op == "Custom" ? OwnKey{"Custom", n.text("op_type")} : OwnKey{"", n.op});
  }
  const Symbol& symbol() const { return symbol_; }

  // The tag of a node, and its operator as transformations know it: of a Custom one the domain and its
  // op_type.
  static uint64_t tag_of(size_t node) { return node + 1; }
  std::string op_of(size_t node) const {
    const OwnKey& k = keys_[node];
    return k.domain.empty() ? k.op : text(k.domain, '.', k.op);
  }

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override {
    const OwnKey& k = keys_[node_of(tag)];
    return {k.domain, 1, k.op};
  }

 private:
  size_t node_of(uint64_t tag) const {
    require(tag != 0 && tag <= symbol_.nodes.size(), "no node of the symbol has tag ", tag);
    return static_cast<size_t>(tag) - 1;
  }
  struct OwnKey {
    std::string_view domain;
    std::string op;
  };
  Symbol symbol_;
  std::vector<OwnKey> keys_;
};

}  // namespace mo::mxnet
