// The loaded network: what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/symbol.hpp"

#include <mo/frontend.hpp>

namespace mo::mxnet {

class MxnetModel : public FrontEndModel {
 public:
  // Keeps the symbol's file for who asks where a node stands in it.
  MxnetModel(Symbol symbol, File file, std::string path)
      : symbol_(std::move(symbol)), file_(std::move(file)), path_(std::move(path)) {
    number(symbol_);
  }
  MxnetModel(const MxnetModel&) = delete;
  MxnetModel& operator=(const MxnetModel&) = delete;
  const Symbol& symbol() const { return symbol_; }

  // A node's operator as transformations know it: of a Custom one the domain and its op_type.
  std::string op_of(const SymbolNode& n) const {
    const OwnKey& k = known(n.tag).key;
    return k.domain.empty() ? k.op : text(k.domain, '.', k.op);
  }

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override {
    const OwnKey& k = known(tag).key;
    return {k.domain, 1, k.op};
  }
  Place native_place(uint64_t tag) override;

 private:
  struct OwnKey {
    std::string_view domain;
    std::string op;
  };
  struct Known {
    const SymbolNode* node;
    OwnKey key;
  };
  // Gives all nodes their tags: 1, 2, …
  void number(Symbol& s) {
    for (SymbolNode& n : s.nodes) {
      known_.push_back({&n, n.op == "Custom" ? OwnKey{"Custom", n.text("op_type")} : OwnKey{"", n.op}});
      n.tag = known_.size();
      for (Symbol& inner : n.sub_graphs) number(inner);
    }
  }
  const Known& known(uint64_t tag) const {
    require(tag != 0 && tag <= known_.size(), "no node of the symbol has tag ", tag);
    return known_[static_cast<size_t>(tag) - 1];
  }

  Symbol symbol_;
  File file_;
  std::string path_;
  std::vector<Known> known_;  // by tag
};

}  // namespace mo::mxnet
