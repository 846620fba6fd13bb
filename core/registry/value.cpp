// mo_value <-> Attribute.
#include <cstring>

#include "core/registry/abi.hpp"

namespace mo::core {

namespace {

// One list is handed out once, however often it is asked for.
template <class T>
struct LentList {
  const void* from;
  size_t size;
  T* items;
};

template <class T, class Item, class Convert>
T* convert_list(Scratch& scratch, const std::vector<Item>& list, Convert convert) {
  const size_t hash = reinterpret_cast<uintptr_t>(list.data()) / alignof(std::max_align_t);
  const auto* before = scratch.find_lent<LentList<T>>(hash, [&](const LentList<T>& lent) {
    if (lent.from != list.data() || lent.size != list.size()) return false;
    for (size_t i = 0; i < list.size(); ++i)
      if (const T now = convert(list[i]); std::memcmp(&now, &lent.items[i], sizeof now) != 0) return false;
    return true;
  });
  if (before != nullptr) return before->items;
  T* items = scratch.array<T>(list.size());
  for (size_t i = 0; i < list.size(); ++i) items[i] = convert(list[i]);
  scratch.note_lent(hash, &scratch.keep(LentList<T>{list.data(), list.size(), items}));
  return items;
}

// Strings, shapes and the like stay where the attribute has them: borrowed until the node is edited.
struct ToAbi {
  Scratch& scratch;
  mo_value v{};

  void operator()(std::monostate) {}
  void operator()(int64_t i) { v.u.i = i; }
  void operator()(double f) { v.u.f = f; }
  void operator()(bool b) { v.u.i = b ? 1 : 0; }
  void operator()(const std::string& s) { v.u.s = str(s); }
  void operator()(ElementType t) { v.u.i = static_cast<int64_t>(t); }
  void operator()(const std::shared_ptr<const Shape>& s) { v.u.shape = s->abi(); }
  void operator()(const TensorRef& t) { v.u.tensor = t.get(); }
  void operator()(const GraphPtr& g) { v.u.graph = g == nullptr ? 0 : g->serial(); }
  void operator()(const Bytes& b) { v.u.s = str(b.data); }
  void operator()(const std::vector<int64_t>& l) { list(l.size()).ints = l.data(); }
  void operator()(const std::vector<double>& l) { list(l.size()).floats = l.data(); }
  void operator()(const std::vector<uint8_t>& l) { list(l.size()).bools = l.data(); }
  void operator()(const std::vector<std::string>& l) {
    list(l.size()).strings = convert_list<mo_str>(scratch, l, [](const std::string& s) { return str(s); });
  }
  void operator()(const std::vector<ElementType>& l) {
    list(l.size()).types =
        convert_list<mo_type>(scratch, l, [](ElementType t) { return static_cast<mo_type>(t); });
  }
  void operator()(const std::vector<Shape>& l) {
    list(l.size()).shapes = convert_list<mo_shape>(scratch, l, [](const Shape& s) { return s.abi(); });
  }
  void operator()(const std::vector<TensorRef>& l) {
    list(l.size()).tensors = convert_list<mo_tensor*>(scratch, l, [](const TensorRef& t) { return t.get(); });
  }
  void operator()(const std::vector<GraphPtr>& l) {
    list(l.size()).graphs = convert_list<mo_graph>(
        scratch, l, [](const GraphPtr& g) { return g == nullptr ? 0 : mo_graph{g->serial()}; });
  }
  auto list(size_t n) -> decltype(v.u)& {
    v.count = n;
    return v.u;
  }
};

template <class Item, class Convert>
auto read_list(const mo_value& v, const Item* items, Convert convert) {
  std::vector<decltype(convert(*items))> list;
  if (v.count > (uint64_t{1} << 32)) throw Error(text("a list of ", v.count, " items"), MO_INVALID_ARGUMENT);
  if (v.count != 0) need(items, "list");
  list.reserve(v.count);
  for (uint64_t i = 0; i < v.count; ++i) list.push_back(convert(items[i]));
  return list;
}

TensorRef checked_tensor(mo_tensor* t) {
  need(t, "tensor");
  return TensorRef::share(t);
}

GraphPtr checked_graph(Session& session, mo_graph handle) {
  Graph* g = handle > 0xffffffffU ? nullptr : session.space()->find(static_cast<uint32_t>(handle));
  if (g == nullptr) throw Error(text("graph handle ", handle, " is stale or none"), MO_STALE_HANDLE);
  return g->shared_from_this();
}

}  // namespace

mo_value to_abi(const Attribute& a, Scratch& scratch) {
  ToAbi convert{scratch};
  convert.v.kind = kind_of(a);
  std::visit(convert, a);
  return convert.v;
}

Attribute from_abi(Session& session, const mo_value& v) {
  if (v.reserved != 0)
    throw Error(text("reserved of a value is ", v.reserved, "; expected 0"), MO_INVALID_ARGUMENT);
  const bool is_list = v.kind >= MO_VALUE_INTS && v.kind <= MO_VALUE_GRAPHS;
  if (!is_list && v.count != 0)
    throw Error(
        text("count of a value of kind ", v.kind, " is ", v.count, "; expected 0, as it is not a list"),
        MO_INVALID_ARGUMENT);
  switch (v.kind) {
    case MO_VALUE_NONE:
      return {};
    case MO_VALUE_INT:
      return v.u.i;
    case MO_VALUE_FLOAT:
      return v.u.f;
    case MO_VALUE_BOOL:
      if (v.u.i != 0 && v.u.i != 1)
        throw Error(text("a boolean value is ", v.u.i, "; expected 0 or 1"), MO_INVALID_ARGUMENT);
      return v.u.i != 0;
    case MO_VALUE_STRING:
      return std::string(checked(v.u.s, "string"));
    case MO_VALUE_TYPE:
      return checked_type(v.u.i);
    case MO_VALUE_SHAPE:
      return shape_attribute(checked_shape(&v.u.shape, "shape"));
    case MO_VALUE_TENSOR:
      return checked_tensor(v.u.tensor);
    case MO_VALUE_GRAPH:
      return checked_graph(session, v.u.graph);
    case MO_VALUE_BYTES:
      if (v.u.s.size != 0) need(v.u.s.data, "bytes");
      return Bytes{std::string(view(v.u.s))};
    case MO_VALUE_INTS:
      return read_list(v, v.u.ints, [](int64_t i) { return i; });
    case MO_VALUE_FLOATS:
      return read_list(v, v.u.floats, [](double f) { return f; });
    case MO_VALUE_BOOLS:
      return read_list(v, v.u.bools, [](uint8_t b) { return static_cast<uint8_t>(b != 0 ? 1 : 0); });
    case MO_VALUE_STRINGS:
      return read_list(v, v.u.strings, [](mo_str s) { return std::string(checked(s, "string")); });
    case MO_VALUE_TYPES:
      return read_list(v, v.u.types, [](mo_type t) { return checked_type(t); });
    case MO_VALUE_SHAPES:
      return read_list(v, v.u.shapes, [](const mo_shape& s) { return checked_shape(&s, "shape"); });
    case MO_VALUE_TENSORS:
      return read_list(v, v.u.tensors, [](mo_tensor* t) { return checked_tensor(t); });
    case MO_VALUE_GRAPHS:
      return read_list(v, v.u.graphs, [&](mo_graph g) { return checked_graph(session, g); });
    default:
      throw Error(text("there is no kind of value ", v.kind), MO_INVALID_ARGUMENT);
  }
}

}  // namespace mo::core
