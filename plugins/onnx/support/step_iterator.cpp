#include "support/step_iterator.hpp"

#include <mo/port_map.hpp>

namespace mo::onnx {

void StepIterator::next(const OutPort& value, const OutPort& state, int64_t port) {
  const auto at = std::find(parameters_.begin(), parameters_.end(), state.node()) - parameters_.begin();
  edges_.insert(edges_.end(), {give(value, port, {}), static_cast<int64_t>(at)});
}

void StepIterator::collect(const OutPort& value, int64_t port, int64_t axis) { give(value, port, axis); }

Ports StepIterator::finish(uint32_t outputs) const {
  const Node t = b_.node("TensorIterator", "opset1", outer_, outputs);
  t.set("body", GraphHandle{body_.id()}).set("port_map", lines_).set("back_edges", edges_);
  return t.out_ports();
}

OutPort StepIterator::parameter(const OutPort& outer, std::optional<int64_t> axis) {
  const Node p = body_.create_node("Parameter", "opset1", text("argument_", outer_.size()));
  if (outer.type() != ElementType::unknown) p.set("element_type", outer.type());
  p.out_port().set_shape(outer.type(), Shape::unknown());
  const auto number = static_cast<int64_t>(outer_.size());
  add(false, number, number, axis);
  outer_.push_back(outer);
  parameters_.push_back(p);
  return p.out_port();
}

int64_t StepIterator::give(const OutPort& value, int64_t port, std::optional<int64_t> axis) {
  body_.create_node("Result", "opset1", text("result_", results_), {value});
  add(true, port, results_, axis);
  return results_++;
}

void StepIterator::add(bool output, int64_t external, int64_t internal, std::optional<int64_t> axis) {
  PortMapEntry e;
  e.output = output;
  e.external = external;
  e.internal = internal;
  if (axis) e.axis = *axis;
  if (axis && backwards_) {
    e.start = -1;
    e.end = 0;
    e.stride = -1;
  }
  append_text(lines_.emplace_back(), e);
}

}  // namespace mo::onnx
