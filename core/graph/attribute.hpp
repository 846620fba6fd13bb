// Typed attribute values of nodes and graphs.
#pragma once

#include "core/graph/symbols.hpp"
#include "core/graph/tensor.hpp"

#include <boost/container/vector.hpp>

#include <variant>

namespace mo::core {

class Graph;
using GraphPtr = std::shared_ptr<Graph>;

struct Bytes {
  std::string data;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// Order of alternatives = nothing anyone may rely on; see kind_of.
using Attribute =
    std::variant<std::monostate, int64_t, double, bool, std::string, ElementType,
                 std::shared_ptr<const Shape>, TensorRef, GraphPtr, Bytes, std::vector<int64_t>,
                 std::vector<double>, std::vector<uint8_t>, std::vector<std::string>,
                 std::vector<ElementType>, std::vector<Shape>, std::vector<TensorRef>, std::vector<GraphPtr>>;

int32_t kind_of(const Attribute&);  // MO_VALUE_
inline Attribute shape_attribute(Shape s) { return std::make_shared<const Shape>(std::move(s)); }

// A handful of attributes by key, in order of first setting.
class AttributeMap {
 public:
  using Item = std::pair<Symbol, Attribute>;
  // Each node has two of these, most of them empty.
  using Items =
      boost::container::vector<Item, void,
                               boost::container::vector_options_t<boost::container::stored_size<uint32_t>>>;
  const Attribute* find(Symbol key) const {
    for (const Item& i : items_)
      if (i.first == key) return &i.second;
    return nullptr;
  }
  // What a change took away: enough to take it back.
  struct Before {
    Attribute value;  // monostate: there was none
    uint32_t place = 0;
  };
  // monostate erases.
  Before set(Symbol key, Attribute value) {
    const bool erases = std::holds_alternative<std::monostate>(value);
    for (auto i = items_.begin(); i != items_.end(); ++i) {
      if (i->first != key) continue;
      Before before{std::exchange(i->second, std::move(value)), static_cast<uint32_t>(i - items_.begin())};
      if (erases) items_.erase(i);
      return before;
    }
    if (!erases) items_.emplace_back(key, std::move(value));
    return {};
  }
  // Takes back the latest change, which was of this key.
  void put_back(Symbol key, Before before) {
    if (std::holds_alternative<std::monostate>(before.value))
      set(key, {});
    else if (find(key) != nullptr)
      set(key, std::move(before.value));
    else
      items_.emplace(items_.begin() + before.place, key, std::move(before.value));
  }
  const Items& items() const { return items_; }
  Items& items() { return items_; }
  bool empty() const { return items_.empty(); }

 private:
  Items items_;
};

}  // namespace mo::core
