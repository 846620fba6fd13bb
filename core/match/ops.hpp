// The `ops` of a transformation or pattern node as numbers.
#pragma once

#include "core/registry/registry.hpp"

#include <mo/types.hpp>

#include <boost/container/small_vector.hpp>

namespace mo::core {

class OpFilter {
 public:
  OpFilter() = default;  // every op
  // Entries are as mo_transformation_def.ops says; "a::B" is also the type of that name.
  // A type without a set is also that of the sets in which `asking` defines it.
  OpFilter(SymbolTable&, const std::vector<std::string>& ops, const Plugin* asking = nullptr);

  bool any() const { return entries_.empty(); }
  bool matches(const NodeRecord& n) const {
    if (any()) return true;
    for (const Entry& e : entries_)
      if (n.op == e.op &&
          (e.sets == Sets::any || (e.sets == Sets::one ? n.opset == e.opset : is_public(n.opset))))
        return true;
    return false;
  }
  // At least the number of living nodes that match; by index.
  size_t count(const Graph&) const;
  // Adds those that match, in order of creation.
  void collect(const Graph&, std::vector<NodeId>&) const;

 private:
  enum class Sets : uint8_t { of_openvino, one, any };
  struct Entry {
    Symbol op;
    Sets sets;
    Symbol opset;
  };
  void add(Entry);
  // One of OpenVINO's sets, or none yet.
  bool is_public(Symbol opset) const {
    if (opset == 0) return true;
    if (opset != last_) {
      last_ = opset;
      last_is_public_ = is_operation_set(symbols_->text(opset));
    }
    return last_is_public_;
  }
  const SymbolTable* symbols_ = nullptr;
  mutable Symbol last_ = 0;  // the same set comes again and again
  mutable bool last_is_public_ = true;
  boost::container::small_vector<Entry, 2> entries_;
  boost::container::small_vector<Symbol, 2> ops_;  // each once
};

}  // namespace mo::core
