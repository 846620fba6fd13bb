// Writing in place: a program may write into a tensor, or into a view of one, and read the other afterwards.
// A graph has only values, so a write makes a new one. Who reads a view after a write gets a view of the new
// value; what is written into a view is put back into what it is a view of.
#include "loader/graph_reader.hpp"

namespace mo::pytorch {

size_t GraphReader::root_of(size_t slot) const {
  while (slots_[slot].base != no_slot) slot = slots_[slot].base;
  return slot;
}

OutPort GraphReader::current(size_t slot) {
  Slot& s = slots_[slot];
  require(s.problem.empty(), "it reads ", s.problem);
  if (s.base == no_slot) {
    if (s.port) return s.port;
    const Tensor value = model_.weights().tensor(c_, s.weight);
    std::string node = s.weight;
    std::replace(node.begin(), node.end(), '.', '/');
    s.port = graph_.create_const(text(prefix_, node), value).out_port();
    s.port.set_tensor_names({s.weight});
    return s.port;
  }
  const uint64_t writes = slots_[root_of(slot)].writes;
  if (s.seen != writes) {
    s.port = replay(s).at(s.part);
    s.seen = writes;
  }
  return s.port;
}

// The tensor that the operator looks at or writes into: its first one.
size_t GraphReader::written_slot(const Value& node) const {
  size_t found = no_slot;
  node.at("inputs").each([&](const Value& input) {
    const Value t = input.at("arg")["as_tensor"];
    if (found == no_slot && t) found = slot_of(t.at("name").word());
  });
  require(found != no_slot, "it reads no tensor");
  return found;
}

bool GraphReader::is_view(const Target& target, const Value& node) const {
  if (target.domain != "aten") return false;
  const View view = view_of(target.base());
  if (view != View::if_dense) return view != View::none;
  // A copy, unless elements lie one after the other.
  const Value argument = node.at("inputs");
  std::string_view name;
  argument.each([&](const Value& input) {
    const Value t = input.at("arg")["as_tensor"];
    if (name.empty() && t) name = t.at("name").word();
  });
  const auto meta = scope_->tensors.find(name);
  if (meta == scope_->tensors.end()) return false;
  std::vector<int64_t> sizes, strides;
  meta->second.at("sizes").each([&](const Value& s) { sizes.push_back(fixed_size(s)); });
  meta->second.at("strides").each([&](const Value& s) { strides.push_back(fixed_size(s)); });
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- != 0;) {
    if (i >= strides.size() || sizes[i] <= 0) return false;
    if (sizes[i] != 1 && strides[i] != expected) return false;
    if (__builtin_mul_overflow(expected, sizes[i], &expected)) return false;
  }
  return true;
}

void GraphReader::add_views(const Value& node, const std::vector<Result>& results, const Node& n,
                            size_t base) {
  const uint64_t writes = slots_[root_of(base)].writes;
  for (size_t i = 0; i < results.size(); ++i) {
    Slot& s = slots_[define(results[i], n.out_port(i))];
    s.base = base;
    s.view = node;
    s.scope = scope_;
    s.part = i;
    s.seen = writes;
  }
}

// The node once more, reading what its input is now.
std::vector<OutPort> GraphReader::replay(const Slot& view) {
  const std::shared_ptr<Scope> before = std::exchange(scope_, view.scope);
  std::vector<Result> results = results_of(view.view);
  const std::string name = text(node_name(view.view, results), "/again");
  for (Result& r : results) r.name = {};
  // The view's own name may stand for something else by now, but what it reads is older than it.
  Target target = read_target(view.view.at("target").word());
  const Node n = emit(std::move(target), arguments_of(view.view), results, view.view, name);
  scope_ = before;
  return n.out_ports();
}

void GraphReader::write(size_t slot, const OutPort& value) {
  Slot& s = slots_[slot];
  if (s.base == no_slot) {
    s.port = value;
    ++s.writes;
    return;
  }
  const size_t base = s.base;
  const OutPort whole = current(base);
  write(base, put_back(s, whole, value));
  s.port = value;
  s.seen = slots_[root_of(slot)].writes;
}

OutPort GraphReader::put_back(const Slot& view, const OutPort& base, const OutPort& value) {
  const Value& node = view.view;
  const Target target = read_target(node.at("target").word());
  const View kind = view_of(target.base());
  if (kind == View::same) return value;
  Result whole = slots_[view.base].is;
  whole.name = {};
  const std::string name = text(node_name(node, {view.is}), "/back");
  const auto call = [&](std::string op, Arguments a) {
    return emit({"aten", std::move(op), false}, std::move(a), {whole}, node, name).out_port(0);
  };
  const std::shared_ptr<Scope> before = std::exchange(scope_, view.scope);
  const Arguments given = arguments_of(node);
  scope_ = before;
  const auto attribute = [&](std::string_view of) -> Attribute {
    for (const auto& [n, v] : given.attributes())
      if (n == of) return v;
    return {};
  };
  const auto ints = [&](std::string_view of) {
    const Attribute a = attribute(of);
    if (const auto* one = std::get_if<int64_t>(&a)) return std::vector<int64_t>{*one};
    const auto* list = std::get_if<std::vector<int64_t>>(&a);
    require(list != nullptr, "argument '", of, "' is computed, but has to be known to write into it");
    return *list;
  };
  Arguments a;
  switch (kind) {
    case View::reshaped:
    case View::if_dense:
      require(target.op != "view.dtype", "it writes into a tensor seen as one of another type");
      a.connect("self", value, whole.is_complex);
      a.connect("other", base, whole.is_complex);
      return call("view_as.default", std::move(a));
    case View::swapped:
      a.connect("self", value, whole.is_complex);
      for (const auto& [n, v] : given.attributes()) a.set(n, v);
      return call(target.op, std::move(a));
    case View::permuted: {
      std::vector<int64_t> dims = ints("dims"), back(dims.size());
      for (size_t i = 0; i < dims.size(); ++i)
        back[normalize_axis(dims[i], dims.size(), "a dimension")] = static_cast<int64_t>(i);
      a.connect("self", value, whole.is_complex);
      a.set("dims", back);
      return call("permute.default", std::move(a));
    }
    case View::moved:
      a.connect("self", value, whole.is_complex);
      a.set("source", ints("destination"));
      a.set("destination", ints("source"));
      return call("movedim.intlist", std::move(a));
    case View::narrowed: {
      const int64_t start = ints("start").front();
      a.connect("self", base, whole.is_complex);
      a.connect("src", value, whole.is_complex);
      a.set("dim", ints("dim").front());
      a.set("start", start);
      a.set("end", detail::checked_add(start, ints("length").front()));
      return call("slice_scatter.default", std::move(a));
    }
    case View::some: {
      a.connect("self", base, whole.is_complex);
      a.connect("src", value, whole.is_complex);
      for (const auto& [n, v] : given.attributes()) a.set(n, v);
      for (size_t i = 0; i < given.names().size(); ++i)
        if (given.names()[i] != "self") a.connect(given.names()[i], given.inputs()[i], false);
      return call(text(target.base(), "_scatter.default"), std::move(a));
    }
    case View::parts:
    case View::unbound: {
      std::vector<OutPort> parts = replay(view);
      parts.at(view.part) = value;
      for (size_t i = 0; i < parts.size(); ++i)
        a.connect(text("tensors[", i, ']'), parts[i], whole.is_complex);
      const Attribute dim = attribute("dim");
      if (std::holds_alternative<int64_t>(dim)) a.set("dim", dim);
      return call(kind == View::parts ? "cat.default" : "stack.default", std::move(a));
    }
    default:
      fail("it writes into a tensor whose elements '", target.op, "' repeats");
  }
}

}  // namespace mo::pytorch
