#include "support/tensor_forms.hpp"

#include <numeric>

namespace mo::builtin_passes {

OutPort TensorForms::ints(const Order& values) {
  OutPort& port = ints_[values];
  if (!port) port = graph_.create_ints("order", values).out_port();
  return port;
}

OutPort TensorForms::get(size_t tensor, bool turned) {
  Tensor& t = tensors_[tensor];
  OutPort& wanted = t.ports[turned ? 1 : 0];
  if (wanted || t.rank < 3) return wanted ? wanted : t.ports[turned ? 0 : 1];
  const OutPort have = t.ports[turned ? 0 : 1];
  if (const Node maker = t.makers[turned ? 1 : 0]) {
    if (maker.in_port(0).get_source() != have) maker.in_port(0).set_source(have);
    wanted = maker.out_port();
    return wanted;
  }
  const Order order = turned ? channels_first(t.rank) : channels_last(t.rank);
  const std::string name = text(have.node().name(), turned ? "/channels_first" : "/channels_last");
  wanted = graph_.create_node("Transpose", "opset1", name, {have, ints(order)}).out_port();
  return wanted;
}

// [C] becomes [1,C,1,1], [W,C] becomes [1,C,1,W].
OutPort TensorForms::spread(const OutPort& operand, size_t operand_rank, size_t rank) {
  OutPort& made = spread_[{operand.node().id(), {operand.index(), rank}}];
  if (made) return made;
  made = operand;
  const std::string name = text(operand.node().name(), "/turned");
  Order order(operand_rank);
  std::iota(order.begin(), order.end(), -1);
  order[0] = static_cast<int64_t>(operand_rank) - 1;
  if (operand_rank > 1)
    made = graph_.create_node("Transpose", "opset1", name, {made, ints(order)}).out_port();
  Order axes{0};
  for (size_t i = 2; i < 2 + rank - 1 - operand_rank; ++i) axes.push_back(static_cast<int64_t>(i));
  made = graph_.create_node("Unsqueeze", "opset1", name, {made, ints(axes)}).out_port();
  return made;
}

}  // namespace mo::builtin_passes
