#include "apps/isolate/values.hpp"

#include <vector>

namespace mo::app::isolate {

void put_shape(Writer& w, const mo_shape& s) {
  w.put(s.rank);
  const bool known = s.rank > 0 && s.rank <= 1024 && s.dims != nullptr;
  w.put<uint8_t>(known);
  if (known) w.raw(s.dims, static_cast<size_t>(s.rank) * sizeof(mo_dim));
}

mo_shape get_shape(Reader& r) {
  mo_shape s{};
  s.rank = r.get<int64_t>();
  if (!r.flag()) return s;
  if (s.rank <= 0 || s.rank > 1024) throw Violation("a shape has dimensions and an impossible rank");
  auto* dims = r.arena().array<mo_dim>(static_cast<size_t>(s.rank));
  std::memcpy(dims, r.raw(static_cast<size_t>(s.rank) * sizeof(mo_dim)),
              static_cast<size_t>(s.rank) * sizeof(mo_dim));
  s.dims = dims;
  return s;
}

void put_strings(Writer& w, const mo_str* items, uint64_t count) {
  const bool there = items != nullptr && count <= Writer::longest_list;
  w.put(count);
  w.put<uint8_t>(there);
  for (uint64_t i = 0; there && i < count; ++i) w.string(items[i]);
}

const mo_str* get_strings(Reader& r, uint64_t& count) {
  count = r.get<uint64_t>();
  if (!r.flag()) return nullptr;
  auto* items = r.room<mo_str>(count);
  for (uint64_t i = 0; i < count; ++i) items[i] = r.string();
  return items;
}

void put_value(Side& side, Writer& w, const mo_value& v) {
  w.put(v.kind);
  w.put(v.reserved);
  w.put(v.count);
  switch (v.kind) {
    case MO_VALUE_STRING:
    case MO_VALUE_BYTES:
      return w.string(v.u.s);
    case MO_VALUE_SHAPE:
      return put_shape(w, v.u.shape);
    case MO_VALUE_TENSOR:
      return side.put_tensor(w, v.u.tensor);
    case MO_VALUE_INTS:
    case MO_VALUE_FLOATS:
    case MO_VALUE_GRAPHS:
      return w.list(v.u.ints, v.count);
    case MO_VALUE_BOOLS:
      return w.list(v.u.bools, v.count);
    case MO_VALUE_TYPES:
      return w.list(v.u.types, v.count);
    case MO_VALUE_STRINGS:
      return put_each(w, v.u.strings, v.count, [&](mo_str s) { w.string(s); });
    case MO_VALUE_SHAPES:
      return put_each(w, v.u.shapes, v.count, [&](const mo_shape& s) { put_shape(w, s); });
    case MO_VALUE_TENSORS:
      return put_each(w, v.u.tensors, v.count, [&](mo_tensor* t) { side.put_tensor(w, t); });
    default:  // a number, nothing, or a kind that does not exist, which the receiver refuses
      return w.put(v.u.i);
  }
}

mo_value get_value(Side& side, Reader& r) {
  mo_value v{};
  v.kind = r.get<int32_t>();
  v.reserved = r.get<int32_t>();
  v.count = r.get<uint64_t>();
  const auto plain = [&]<class T>(const T*& items) {
    uint64_t count = 0;
    items = r.list<T>(count);
    if (count != v.count) throw Violation("a list says two lengths");
  };
  switch (v.kind) {
    case MO_VALUE_STRING:
    case MO_VALUE_BYTES:
      v.u.s = r.string();
      break;
    case MO_VALUE_SHAPE:
      v.u.shape = get_shape(r);
      break;
    case MO_VALUE_TENSOR:
      v.u.tensor = side.get_tensor(r);
      break;
    case MO_VALUE_INTS:
      plain(v.u.ints);
      break;
    case MO_VALUE_FLOATS:
      plain(v.u.floats);
      break;
    case MO_VALUE_GRAPHS:
      plain(v.u.graphs);
      break;
    case MO_VALUE_BOOLS:
      plain(v.u.bools);
      break;
    case MO_VALUE_TYPES:
      plain(v.u.types);
      break;
    case MO_VALUE_STRINGS:
      v.u.strings = get_each<mo_str>(r, v.count, [&] { return r.string(); });
      break;
    case MO_VALUE_SHAPES:
      v.u.shapes = get_each<mo_shape>(r, v.count, [&] { return get_shape(r); });
      break;
    case MO_VALUE_TENSORS:
      v.u.tensors = get_each<mo_tensor*>(r, v.count, [&] { return side.get_tensor(r); });
      break;
    default:
      v.u.i = r.get<int64_t>();
  }
  return v;
}

mo_value keep_value(const mo_value& v, Arena& arena) {
  mo_value kept = v;
  if (v.kind == MO_VALUE_STRING || v.kind == MO_VALUE_BYTES)
    kept.u.s = arena.keep({v.u.s.data, v.u.s.data == nullptr ? 0 : v.u.s.size});
  if (v.kind == MO_VALUE_STRINGS && v.u.strings != nullptr) {
    auto* items = arena.array<mo_str>(v.count);
    for (uint64_t i = 0; i < v.count; ++i) items[i] = arena.keep({v.u.strings[i].data, v.u.strings[i].size});
    kept.u.strings = items;
  }
  return kept;
}

void put_desc(Side& side, Writer& w, const mo_tensor_desc* d) {
  w.put<uint8_t>(d != nullptr);
  if (d == nullptr) return;
  put_shape(w, d->shape);
  side.put_tensor(w, d->value);
  w.list(d->bounds, d->bounds_count);
  w.put(d->element_type);
}

const mo_tensor_desc* get_desc(Side& side, Reader& r) {
  if (!r.flag()) return nullptr;
  auto* d = r.arena().array<mo_tensor_desc>(1);
  *d = {};
  d->size = sizeof *d;
  d->shape = get_shape(r);
  d->value = side.get_tensor(r);
  d->bounds = r.list<mo_interval>(d->bounds_count);
  d->element_type = r.get<mo_type>();
  return d;
}

namespace {

void put_symbol_list(Writer& w, const mo_symbol* items, int64_t count) {
  w.put(count);
  w.list(items, count < 0 ? 0 : static_cast<uint64_t>(count));
}

const mo_symbol* get_symbol_list(Reader& r, int64_t& count) {
  count = r.get<int64_t>();
  uint64_t there = 0;
  return r.list<mo_symbol>(there);
}

}  // namespace

void put_symbols(Side&, Writer& w, const mo_symbols& s) {
  w.put(s.size);
  w.put(s.count);
  put_each(w, s.tensors, s.count, [&](const mo_tensor_symbols* t) {
    w.put<uint8_t>(t != nullptr);
    if (t == nullptr) return;
    w.put(t->size);
    put_symbol_list(w, t->dims, t->rank);
    put_symbol_list(w, t->values, t->n_values);
  });
}

mo_symbols get_symbols(Side&, Reader& r) {
  mo_symbols s{};
  s.size = r.get<size_t>();
  s.count = r.get<uint64_t>();
  s.tensors = get_each<const mo_tensor_symbols*>(r, s.count, [&]() -> const mo_tensor_symbols* {
    if (!r.flag()) return nullptr;
    auto* t = r.arena().array<mo_tensor_symbols>(1);
    t->size = r.get<size_t>();
    t->dims = get_symbol_list(r, t->rank);
    t->values = get_symbol_list(r, t->n_values);
    return t;
  });
  return s;
}

}  // namespace mo::app::isolate
