#include "support/bodies.hpp"

namespace mo::opset {

namespace {

// Values of floats would be computed with from round to round for nothing.
bool keeps_value(const Known& k) { return !is_float(k.type) && may_have_bounds(k.type, k.shape); }

std::optional<std::vector<Interval>> elements_of(const mo_tensor_desc& d, const Shape& shape,
                                                 const std::optional<Tensor>& value) {
  if (!may_have_bounds(static_cast<ElementType>(d.element_type), shape)) return std::nullopt;
  std::vector<Interval> list;
  if (value) {
    const auto ints = value->to_ints();
    return std::vector<Interval>(ints.begin(), ints.end());
  }
  if (d.bounds == nullptr) return std::nullopt;
  for (uint64_t i = 0; i < d.bounds_count; ++i) list.emplace_back(Bound(d.bounds[i]));
  return list;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.type() == b.type() && a.dims() == b.dims() && a.bytes() == b.bytes() &&
         (a.bytes() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.bytes())) == 0);
}

// The number of a port map entry as an index below `count`.
size_t index_of(int64_t n, size_t count, std::string_view what, std::string_view where) {
  require(n >= 0 && n < static_cast<int64_t>(count), "attribute '", where, "' names ", what, " ", n,
          " but there are ", count);
  return static_cast<size_t>(n);
}

}  // namespace

Known known_input(const InferContext& c, size_t i) {
  Known k{c.type(i), c.shape(i), std::nullopt, intervals(c, i)};
  if (keeps_value(k)) k.value = c.value(i);
  return k;
}

std::optional<int64_t> only_element(const Known& k) {
  if (!k.elements || k.elements->size() != 1 || !(*k.elements)[0].exact()) return std::nullopt;
  return (*k.elements)[0].lo;
}

bool same(const Known& a, const Known& b) {
  return a.type == b.type && a.shape.has_rank() == b.shape.has_rank() && a.shape == b.shape &&
         a.value.has_value() == b.value.has_value() && (!a.value || same_bytes(*a.value, *b.value)) &&
         a.elements == b.elements;
}

Known joined(const Known& a, const Known& b) {
  if (a.type != b.type && a.type != ElementType::unknown && b.type != ElementType::unknown)
    fail("element types ", name(a.type), " and ", name(b.type), " meet; expected the same");
  Known k;
  if (a.type == b.type) k.type = a.type;
  if (a.shape.has_rank() && b.shape.has_rank() && a.shape.size() == b.shape.size()) {
    k.shape = a.shape;
    for (size_t i = 0; i < k.shape.size(); ++i) k.shape[i] = unite(a.shape[i], b.shape[i]);
  }
  if (a.value && b.value && same_bytes(*a.value, *b.value)) k.value = a.value;
  if (a.elements && b.elements && k.shape.is_static()) {
    k.elements = a.elements;
    for (size_t i = 0; i < k.elements->size(); ++i)
      (*k.elements)[i] = interval::unite((*a.elements)[i], (*b.elements)[i]);
  }
  return k;
}

Known widened(const Known& before, const Known& later) {
  Known k = later;
  k.value.reset();
  k.elements.reset();
  if (!before.shape.has_rank() || !later.shape.has_rank()) return k;
  for (size_t i = 0; i < k.shape.size(); ++i) {
    const Dim &old = before.shape[i], &now = later.shape[i];
    k.shape[i] = Dim(now.min == old.min ? now.min : 0, now.max == old.max ? now.max : -1);
  }
  return k;
}

void output_known(const InferContext& c, uint32_t port, const Known& k) {
  if (k.elements && may_have_bounds(k.type, k.shape))
    return output_intervals(c, port, k.type, k.shape, *k.elements);
  c.output(port, k.type, k.shape);
}

thread_local BodyWork* BodyWork::outermost_ = nullptr;

BodyWork::BodyWork() {
  if (outermost_ == nullptr) outermost_ = this;
}
BodyWork::~BodyWork() {
  if (outermost_ == this) outermost_ = nullptr;
}

bool BodyWork::is_spent() {
  constexpr uint64_t for_each_node = 100, any_nodes = 50'000;
  const BodyWork* w = outermost_;
  return w != nullptr && (w->is_too_much_ || w->done_ > for_each_node * w->nodes_ + any_nodes);
}

void BodyWork::add(const Graph& body) {
  if (outermost_ == nullptr) return;
  uint64_t nodes = 0;
  const Context c = body.context();
  c.check(c.graph().nodes(c.get(), body.id(), str(""), nullptr, 0, &nodes));
  outermost_->done_ += nodes;
  if (outermost_->seen_.insert(body.id()).second) outermost_->nodes_ += nodes;
  constexpr double steps_of_node = 1000;
  if (loops_at_work != 0 && !may_spend(c, steps_of_node * static_cast<double>(nodes)))
    outermost_->is_too_much_ = true;
}

void Body::schema(OpSchema& s, const std::string& prefix, bool repeated) {
  s.attr<GraphHandle>(prefix + "body").not_in_ir();
  s.attr<std::vector<std::string>>(prefix + "port_map").not_in_ir();
  if (repeated) s.attr<std::vector<int64_t>>(prefix + "back_edges", std::vector<int64_t>{}).not_in_ir();
}

Body::Body(const OpContext& c, std::string_view prefix) {
  const std::string map = text(prefix, "port_map"), back = text(prefix, "back_edges");
  graph_ = Graph(c.context(), c.attr<GraphHandle>(text(prefix, "body")).id);
  parameters_ = graph_.parameters();
  results_ = graph_.results();
  inputs_.resize(parameters_.size());
  outputs_.resize(c.outputs());
  std::set<size_t> read, written;
  for (const std::string& line : c.attr<std::vector<std::string>>(map)) {
    const PortMapEntry e = parse_port_map_entry(line);
    if (e.output) {
      const size_t result = index_of(e.internal, results_.size(), "Result", map);
      if (e.purpose == "execution_condition") condition_ = result;
      if (e.external == -1) continue;
      const size_t port = index_of(e.external, outputs_.size(), "output", map);
      require(written.insert(port).second, "attribute '", map, "' has two entries for output ", port);
      outputs_[port] = e;
    } else {
      const size_t parameter = index_of(e.internal, inputs_.size(), "Parameter", map);
      require(read.insert(parameter).second, "attribute '", map, "' has two entries for Parameter ",
              parameter);
      if (e.external != -1) index_of(e.external, c.inputs(), "input", map);
      require(e.external != -1 || e.purpose == "current_iteration", "attribute '", map, "' gives Parameter ",
              parameter, " no input and no purpose; expected one of them");
      inputs_[parameter] = e;
    }
    require(!e.axis || (e.stride != 0 && e.part_size > 0 && e.stride != Interval::lowest), "attribute '", map,
            "' has '", line, "'; expected a stride other than 0, and parts of 1 or more");
  }
  require(read.size() == inputs_.size(), "attribute '", map, "' has entries for ", read.size(), " of ",
          inputs_.size(), " Parameters; expected all");
  require(written.size() == outputs_.size(), "attribute '", map, "' has entries for ", written.size(), " of ",
          outputs_.size(), " outputs; expected all");
  const auto edges = c.find_attr<std::vector<int64_t>>(back).value_or(std::vector<int64_t>{});
  require(edges.size() % 2 == 0, "attribute '", back, "' has ", edges.size(), " numbers; expected pairs");
  std::set<size_t> targets;
  for (size_t i = 0; i < edges.size(); i += 2) {
    const size_t from = index_of(edges[i], results_.size(), "Result", back);
    const size_t to = index_of(edges[i + 1], inputs_.size(), "Parameter", back);
    require(targets.insert(to).second, "attribute '", back, "' leads to Parameter ", to, " twice");
    require(inputs_[to].external != -1 && !inputs_[to].axis, "attribute '", back, "' leads to Parameter ", to,
            ", which has no whole input to start with");
    back_edges_.emplace_back(from, to);
  }
}

Known Body::declared(size_t parameter) const {
  const Node& p = parameters_[parameter];
  Known k;
  k.type = p.attr("element_type", ElementType::unknown);
  k.shape = p.find_attr<Shape>("shape").value_or(Shape::unknown());
  return k;
}

std::vector<Known> Body::infer(const std::vector<Known>& parameters) const {
  inferred_.clear();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const OutPort port = parameters_[i].out_port(0);
    const Known& k = parameters[i];
    port.set_shape(k.type, k.shape);
    if (k.value) port.set_value(*k.value);
  }
  BodyWork::add(graph_);
  graph_.infer_all();
  inferred_ = parameters;
  std::vector<Known> list;
  for (size_t i = 0; i < results_.size(); ++i) list.push_back(result(i));
  return list;
}

void Body::remember(std::vector<Known> parameters) const {
  for (Known& k : parameters) k.value.reset();
  // Not twice for nothing: with nested bodies that would be 2^depth times.
  const auto as_before = [](const Known& a, const Known& b) {
    return a.type == b.type && a.shape.has_rank() == b.shape.has_rank() && a.shape == b.shape && !b.value;
  };
  if (!std::equal(parameters.begin(), parameters.end(), inferred_.begin(), inferred_.end(), as_before))
    infer(parameters);
}

void Body::forget() const {
  for (const Node& p : parameters_) p.out_port(0).set_shape(p.out_port(0).type(), Shape::unknown());
}

Known Body::result(size_t i) const {
  const OutPort source = results_[i].in_port(0).get_source();
  require(static_cast<bool>(source), "Result ", i, " of the body reads nothing");
  const Context c = source.context();
  const mo_tensor_desc* d = nullptr;
  c.check(c.graph().desc(c.get(), source.abi(), &d));
  Known k{static_cast<ElementType>(d->element_type), Shape(d->shape), std::nullopt, std::nullopt};
  if (d->value != nullptr && keeps_value(k)) k.value = Tensor::borrow(c.host(), d->value);
  k.elements = elements_of(*d, k.shape, k.value);
  return k;
}

}  // namespace mo::opset
