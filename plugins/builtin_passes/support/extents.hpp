// Where the sizes of tensors come from: which dimensions cannot change when the model gets inputs of other
// shapes, and which are always equal.
#pragma once

#include <mo/sdk.hpp>

#include <unordered_map>

namespace mo::builtin_passes {

// The size of a dimension, or an element of a list of sizes. Equal extents are equal numbers, whatever the
// shapes of the inputs are.
struct Extent {
  enum class Kind : uint8_t { fixed, dimension, element };
  Kind kind = Kind::fixed;
  int64_t value = 0;  // fixed
  mo_node node = 0;   // else: dimension `index` of output `port`, or element `index` of its value
  uint32_t port = 0, index = 0;

  bool is_fixed() const { return kind == Kind::fixed; }
  bool is_dimension() const { return kind == Kind::dimension; }
  bool same_tensor(const Extent& o) const { return kind == o.kind && node == o.node && port == o.port; }
  friend bool operator==(const Extent& a, const Extent& b) {
    return a.same_tensor(b) && (a.is_fixed() ? a.value == b.value : a.index == b.index);
  }
  friend bool operator!=(const Extent& a, const Extent& b) { return !(a == b); }
};

using Extents = std::vector<Extent>;

struct PortExtents {
  std::optional<Extents> dims;    // of a tensor of known rank
  std::optional<Extents> values;  // of a scalar or a list of integers that is short and made of sizes
};

// Looks, when asked for a port, at what it is computed from, and remembers it. The graph may change meanwhile
// as long as the values of its tensors do not.
class ExtentsOf {
 public:
  const PortExtents& of(const OutPort&);
  const std::optional<Extents>& dims(const OutPort& p) { return of(p).dims; }
  const std::optional<Extents>& values(const OutPort& p) { return of(p).values; }

 private:
  std::unordered_map<mo_node, std::vector<PortExtents>> known_;
};

// For files of rules: what is known of the inputs of a node, whose outputs are to be found.
struct ExtentsQuery {
  Node node;
  std::string op;
  std::vector<const PortExtents*> in;  // nullptr where nothing is connected
  const std::optional<Extents>& dims(size_t i) const;
  const std::optional<Extents>& values(size_t i) const;
};
using ExtentsRule = void (*)(const ExtentsQuery&, std::vector<PortExtents>& out);
// Nothing for operations whose results have sizes of their own.
ExtentsRule extents_rule(const std::string& op);

Extent fixed_extent(int64_t value);
// Sizes that nothing is known of: those that do change, those of operations without a rule.
Extents own_dims(const OutPort&, const Shape&);
// Numpy's broadcasting; an extent of its own where it is open which of two decides.
Extents broadcast_extents(const Extents&, const Extents&, const Extents& own);

}  // namespace mo::builtin_passes
