// Which tensors of a graph are stored channels first, so that the fewest Transposes are left: a minimum cut.
// The vertices are operations, an edge between two costs a Transpose when they want a tensor in different
// orders.
#pragma once

#include "support/layout_rules.hpp"

#include <unordered_map>

namespace mo::builtin_passes {

// A vertex of the cut: 0 is the model's order, 1 is turned, others are open.
using Label = uint32_t;

struct LayoutItem {
  // Of Transposes: gives what it reads channels first, or last.
  enum class Kind : uint8_t { other, first, last };
  OpView view;
  Behaviour behaviour;
  Kind kind = Kind::other;
  Label in = 0, out = 0;
  size_t tensor = 0;  // its first output
};

struct LayoutTensor {
  Shape shape;
  Label made = 0;
  bool constant = false;  // stored in either order
  std::vector<Label> readers;
  bool has_forms() const { return shape.rank() >= 3; }
};

class LayoutChoice {
 public:
  // Looks at nothing but the Transposes when there are none that matter.
  explicit LayoutChoice(const Graph&);
  bool has_transposes() const { return !items_.empty(); }
  void choose();

  const std::vector<LayoutItem>& items() const { return items_; }
  const std::vector<LayoutTensor>& tensors() const { return tensors_; }
  size_t tensor_of(const OutPort& p) const { return items_[places_.at(p.node().id())].tensor + p.index(); }
  bool turned(Label l) const { return l == 1 || (l != 0 && sides_[l]); }

 private:
  void add(const Node&);
  void read(LayoutItem&);
  void set_free(LayoutItem&);
  void keep(const LayoutItem&);
  uint32_t labels_ = 2;
  std::vector<LayoutItem> items_;
  std::vector<LayoutTensor> tensors_;
  std::unordered_map<mo_node, size_t> places_;
  std::vector<std::pair<Label, int64_t>> costs_;  // of being turned
  std::vector<bool> sides_;
};

}  // namespace mo::builtin_passes
