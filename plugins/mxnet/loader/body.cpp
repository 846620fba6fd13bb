#include "loader/body.hpp"

namespace mo::mxnet {

void Body::add(bool output, int64_t external, int64_t internal, bool sliced, std::string_view purpose) {
  PortMapEntry e;
  e.output = output;
  e.external = external;
  e.internal = internal;
  if (sliced) e.axis = 0;
  e.purpose = std::string(purpose);
  append_text(lines_.emplace_back(), e);
}

OutPort Body::parameter(size_t external, bool sliced) {
  const Node p = graph_.create_node("Parameter", "opset1", text("in_", parameters_));
  p.set("element_type", ElementType::f32);
  p.out_port().set_shape(ElementType::f32, Shape::unknown());
  add(false, static_cast<int64_t>(external), parameters_++, sliced);
  return p.out_port();
}

int64_t Body::result(const OutPort& x, size_t external, bool sliced) {
  graph_.create_node("Result", "opset1", text("out_", results_), {x});
  add(true, static_cast<int64_t>(external), results_, sliced);
  return results_++;
}

void Body::condition(const OutPort& x) {
  graph_.create_node("Result", "opset1", "condition", {x});
  add(true, -1, results_++, false, "execution_condition");
}

void Body::set(const Node& n, std::string_view prefix) const {
  n.set(text(prefix, "body"), GraphHandle{graph_.id()}).set(text(prefix, "port_map"), lines_);
  if (prefix.empty()) n.set("back_edges", edges_);
}

}  // namespace mo::mxnet
