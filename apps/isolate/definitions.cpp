#include "apps/isolate/definitions.hpp"

#include <algorithm>

namespace mo::app::isolate {

namespace {

template <class T, class Put>
void put_structs(Writer& w, const T* items, uint64_t count, Put put) {
  const Stride stride = stride_of(items, count);
  w.put(count);
  w.put<uint8_t>(items != nullptr);
  w.put(stride.readable);
  w.put<uint64_t>(stride.bytes);
  const auto* at = reinterpret_cast<const char*>(items);
  for (uint64_t i = 0; i < stride.readable; ++i, at += stride.bytes) {
    T copy{};
    std::memcpy(static_cast<void*>(&copy), at, std::min(stride.bytes, sizeof copy));
    w.put(copy);
    put(copy);
  }
}

// As far apart as the plugin has them.
template <class T, class Get>
const T* get_structs(Reader& r, uint64_t& count, Get get) {
  count = r.get<uint64_t>();
  const bool there = r.flag();
  const auto readable = r.get<uint64_t>();
  const auto stride = r.get<uint64_t>();
  static const T none{};  // of a size that is refused at once
  if (!there) return nullptr;
  if (readable == 0) return &none;
  if (readable > longest_definition_list || stride < sizeof(size_t) || stride > largest_stride)
    throw Violation("a list of structs has an impossible layout");
  if (readable < count) count = 1;
  char* items = static_cast<char*>(r.arena().get(readable * std::max<size_t>(stride, sizeof(T))));
  std::memset(items, 0, readable * std::max<size_t>(stride, sizeof(T)));
  for (uint64_t i = 0; i < readable; ++i) {
    T item = r.get<T>();
    if (i == 0 && readable > 1 && item.size != stride)
      throw Violation("a list of structs has an impossible layout");
    get(item);
    std::memcpy(items + i * stride, &item, std::min<size_t>(stride, sizeof item));
  }
  return reinterpret_cast<const T*>(items);
}

template <class T>
void clear_callbacks(T& d) {
  for_each_callback<T>([&](auto i) { d.*Callbacks::At<i()>::slot = nullptr; });
  d.user = nullptr;
  if constexpr (requires { d.release; }) d.release = nullptr;
}

void put_pattern_node(Side& s, Writer& w, const mo_pattern_node& n) {
  w.string(n.alias);
  put_strings(w, n.ops, n.n_ops);
  put_structs(w, n.attrs, n.n_attrs, [&](const mo_pattern_attr& a) {
    w.string(a.name);
    put_value(s, w, a.value);
  });
  put_structs(w, n.inputs, n.n_inputs, [](const mo_pattern_input&) {});
}

void get_pattern_node(Side& s, Reader& r, mo_pattern_node& n) {
  n.alias = r.string();
  n.ops = get_strings(r, n.n_ops);
  n.attrs = get_structs<mo_pattern_attr>(r, n.n_attrs, [&](mo_pattern_attr& a) {
    a.name = r.string();
    a.value = get_value(s, r);
  });
  n.inputs = get_structs<mo_pattern_input>(r, n.n_inputs, [](mo_pattern_input&) {});
  clear_callbacks(n);
}

}  // namespace

void put_definition(Side& s, Writer& w, const mo_operation_def& d) {
  w.put(d);
  w.string(d.op);
  w.string(d.opset);
  w.string(d.doc);
  put_structs(w, d.attrs, d.n_attrs, [&](const mo_attr_def& a) {
    w.string(a.name);
    w.string(a.ir_name);
    w.put<uint8_t>(a.fallback != nullptr);
    if (a.fallback != nullptr) put_value(s, w, *a.fallback);
    put_each(w, a.allowed, a.n_allowed, [&](mo_str text) { w.string(text); });
  });
  for (const auto& [items, count] : {std::pair(d.inputs, d.n_inputs), std::pair(d.outputs, d.n_outputs)})
    put_structs(w, items, count, [&](const mo_port_def& p) { w.string(p.name); });
}

void put_operation(Side& s, Writer& w, const mo_operation_def& d) { put_definition(s, w, d); }
mo_operation_def get_operation(Side& s, Reader& r) {
  mo_operation_def d{};
  get_definition(s, r, d);
  return d;
}

void get_definition(Side& s, Reader& r, mo_operation_def& d) {
  // Who asks for it may have it for longer than the message.
  const auto string = [&] {
    const mo_str text = r.string();
    return text.data == nullptr ? text : r.arena().keep({text.data, text.size});
  };
  d = r.get<mo_operation_def>();
  d.op = string();
  d.opset = string();
  d.doc = string();
  d.attrs = get_structs<mo_attr_def>(r, d.n_attrs, [&](mo_attr_def& a) {
    a.name = string();
    a.ir_name = string();
    a.fallback = nullptr;
    if (r.flag()) {
      auto* value = r.arena().array<mo_value>(1);
      *value = keep_value(get_value(s, r), r.arena());
      a.fallback = value;
    }
    a.allowed = get_each<mo_str>(r, a.n_allowed, string);
  });
  for (auto [items, count] : {std::pair(&d.inputs, &d.n_inputs), std::pair(&d.outputs, &d.n_outputs)})
    *items = get_structs<mo_port_def>(r, *count, [&](mo_port_def& p) { p.name = string(); });
  clear_callbacks(d);
}

void put_definition(Side&, Writer& w, const mo_extractor_def& d) {
  w.put(d);
  for (const mo_str s : {d.framework, d.domain, d.op}) w.string(s);
}

void get_definition(Side&, Reader& r, mo_extractor_def& d) {
  d = r.get<mo_extractor_def>();
  for (mo_str* s : {&d.framework, &d.domain, &d.op}) *s = r.string();
  clear_callbacks(d);
}

void put_definition(Side& s, Writer& w, const mo_transformation_def& d) {
  w.put(d);
  for (const mo_str t : {d.id, d.doc, d.before, d.after, d.group}) w.string(t);
  put_strings(w, d.run_before, d.n_run_before);
  put_strings(w, d.run_after, d.n_run_after);
  put_strings(w, d.frameworks, d.n_frameworks);
  put_strings(w, d.ops, d.n_ops);
  put_structs(w, d.nodes, d.n_nodes, [&](const mo_pattern_node& n) { put_pattern_node(s, w, n); });
  put_structs(w, d.edges, d.n_edges, [](const mo_pattern_edge&) {});
}

void get_definition(Side& s, Reader& r, mo_transformation_def& d) {
  d = r.get<mo_transformation_def>();
  for (mo_str* t : {&d.id, &d.doc, &d.before, &d.after, &d.group}) *t = r.string();
  d.run_before = get_strings(r, d.n_run_before);
  d.run_after = get_strings(r, d.n_run_after);
  d.frameworks = get_strings(r, d.n_frameworks);
  d.ops = get_strings(r, d.n_ops);
  d.nodes =
      get_structs<mo_pattern_node>(r, d.n_nodes, [&](mo_pattern_node& n) { get_pattern_node(s, r, n); });
  d.edges = get_structs<mo_pattern_edge>(r, d.n_edges, [](mo_pattern_edge&) {});
  clear_callbacks(d);
}

void put_definition(Side&, Writer& w, const mo_frontend_def& d) {
  w.put(d);
  w.string(d.name);
  put_strings(w, d.aliases, d.n_aliases);
  put_strings(w, d.extensions, d.n_extensions);
}

void get_definition(Side&, Reader& r, mo_frontend_def& d) {
  d = r.get<mo_frontend_def>();
  d.name = r.string();
  d.aliases = get_strings(r, d.n_aliases);
  d.extensions = get_strings(r, d.n_extensions);
  clear_callbacks(d);
  d.unload = nullptr;
}

void put_definition(Side&, Writer& w, const mo_option_def& d) {
  w.put(d);
  for (const mo_str s : {d.name, d.help, d.group, d.fallback}) w.string(s);
}

void get_definition(Side&, Reader& r, mo_option_def& d) {
  d = r.get<mo_option_def>();
  for (mo_str* s : {&d.name, &d.help, &d.group, &d.fallback}) *s = r.string();
}

void put_definition(Side&, Writer& w, const mo_converter_def& d) {
  w.put(d);
  w.string(d.type_name);
}

void get_definition(Side&, Reader& r, mo_converter_def& d) {
  d = r.get<mo_converter_def>();
  d.type_name = r.string();
  clear_callbacks(d);
}

void put_definition(Side&, Writer& w, const mo_plugin& d) {
  w.put(d);
  for (const mo_str s : {d.id, d.version, d.vendor, d.license, d.description, d.support_url}) w.string(s);
}

void get_definition(Side&, Reader& r, mo_plugin& d) {
  d = r.get<mo_plugin>();
  for (mo_str* s : {&d.id, &d.version, &d.vendor, &d.license, &d.description, &d.support_url})
    *s = r.string();
  d.shutdown = nullptr;
}

}  // namespace mo::app::isolate
