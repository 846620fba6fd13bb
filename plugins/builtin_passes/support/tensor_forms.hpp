// The forms in which tensors are there: in the model's order, turned, or both, with one Transpose for all
// that read the other one.
#pragma once

#include "support/layout_rules.hpp"

namespace mo::builtin_passes {

class TensorForms {
 public:
  explicit TensorForms(const Graph& g) : graph_(g) {}

  size_t add(size_t rank) {
    tensors_.push_back({rank, {}, {}, false});
    return tensors_.size() - 1;
  }
  void set(size_t tensor, bool turned, const OutPort& port) {
    tensors_[tensor].ports[turned ? 1 : 0] = port;
    tensors_[tensor].first_turned = turned;
  }
  // A Transpose of the model that makes this form, should it be needed.
  void may_make(size_t tensor, bool turned, const Node& transpose) {
    Node& made = tensors_[tensor].makers[turned ? 1 : 0];
    if (!made) made = transpose;
  }
  OutPort get(size_t tensor, bool turned);
  // The one that costs nothing.
  bool is_turned(size_t tensor) const { return tensors_[tensor].first_turned; }
  OutPort any(size_t tensor) const { return tensors_[tensor].ports[is_turned(tensor) ? 1 : 0]; }
  // Turned, what has fewer dimensions than the `rank` of what it is spread over.
  OutPort spread(const OutPort& operand, size_t operand_rank, size_t rank);

 private:
  struct Tensor {
    size_t rank;
    OutPort ports[2];
    Node makers[2];
    bool first_turned;
  };
  OutPort ints(const Order&);
  Graph graph_;
  std::vector<Tensor> tensors_;
  std::map<Order, OutPort> ints_;
  std::map<std::pair<mo_node, std::pair<uint32_t, size_t>>, OutPort> spread_;
};

}  // namespace mo::builtin_passes
