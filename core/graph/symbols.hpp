// Interned strings: ops, names and attribute keys are compared as numbers.
#pragma once

#include "core/support/flat_index.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace mo::core {

using Symbol = uint32_t;  // 0 is the empty string

class SymbolTable {
 public:
  SymbolTable() : texts_(1) {}
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  Symbol intern(std::string_view s) {
    if (s.empty()) return 0;
    const uint32_t hash = hash_of(s);
    if (const Symbol known = index_.find(hash, Equal{this, s}); known != FlatIndex::none) return known;
    const auto id = static_cast<Symbol>(texts_.size());
    texts_.push_back(keep(s));
    index_.insert(hash, id);
    return id;
  }
  // 0 for a string nobody interned.
  Symbol find(std::string_view s) const {
    const Symbol known = s.empty() ? 0 : index_.find(hash_of(s), Equal{this, s});
    return known == FlatIndex::none ? 0 : known;
  }
  std::string_view text(Symbol s) const { return texts_[s]; }
  bool contains(Symbol s) const { return s < texts_.size(); }

 private:
  struct Equal {
    const SymbolTable* table;
    std::string_view wanted;
    bool operator()(Symbol s) const { return table->texts_[s] == wanted; }
  };
  static uint32_t hash_of(std::string_view s) {
    return static_cast<uint32_t>(std::hash<std::string_view>{}(s));
  }

  // Blocks are never moved: views into them stay valid.
  std::string_view keep(std::string_view s) {
    constexpr std::size_t block = std::size_t{1} << 16;
    if (s.size() > room_) {
      room_ = std::max(block, s.size());
      blocks_.push_back(std::unique_ptr<char[]>(new char[room_]));
      next_ = blocks_.back().get();
    }
    std::memcpy(next_, s.data(), s.size());
    const std::string_view kept(next_, s.size());
    next_ += s.size();
    room_ -= s.size();
    return kept;
  }

  std::vector<std::string_view> texts_;
  FlatIndex index_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace mo::core
