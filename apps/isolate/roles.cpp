#include "apps/isolate/roles.hpp"

#include <algorithm>

namespace mo::app::isolate {

// The struct is a plugin's, and may be shorter than ours.
void InNodeInit::send(Side&, Writer& w, const mo_node_init* init) {
  w.put<uint8_t>(init != nullptr);
  if (init == nullptr) return;
  constexpr uint32_t most_ports = 1U << 20U;  // beyond that the host refuses the node
  mo_node_init i{};
  std::memcpy(&i, init, std::min(init->size, sizeof i));
  w.put(i.size);
  w.string(i.op);
  w.string(i.opset);
  w.string(i.name);
  w.list(i.n_inputs > most_ports ? nullptr : i.inputs, i.n_inputs);
  w.put(i.n_outputs);
  put_strings(w, i.n_outputs > most_ports ? nullptr : i.output_names, i.n_outputs);
  w.put(i.native);
}

void InNodeInit::Held::receive(Side&, Reader& r) {
  there = r.flag();
  if (!there) return;
  const auto number = [](uint64_t count) {
    if (count > UINT32_MAX) throw Violation("a node has an impossible number of ports");
    return static_cast<uint32_t>(count);
  };
  value.size = r.get<size_t>();
  value.op = r.string();
  value.opset = r.string();
  value.name = r.string();
  uint64_t count = 0;
  value.inputs = r.list<mo_port>(count);
  value.n_inputs = number(count);
  value.n_outputs = r.get<uint32_t>();
  value.output_names = get_strings(r, count);
  if (count != value.n_outputs) throw Violation("a node has names for other outputs than its own");
  value.native = r.get<uint64_t>();
}

void put_infer_args(Side& s, Writer& w, const mo_infer_args& a) {
  w.put(a.node);
  w.put(a.n_inputs);
  w.put(a.n_outputs);
  for (uint32_t i = 0; i < a.n_inputs; ++i) put_desc(s, w, a.inputs[i]);
}

mo_infer_args get_infer_args(Side& s, Reader& r) {
  mo_infer_args a{};
  a.size = sizeof a;
  a.node = r.get<mo_node>();
  a.n_inputs = r.get<uint32_t>();
  a.n_outputs = r.get<uint32_t>();
  auto* inputs = r.room<const mo_tensor_desc*>(a.n_inputs);
  for (uint32_t i = 0; i < a.n_inputs; ++i) inputs[i] = get_desc(s, r);
  a.inputs = inputs;
  return a;
}

void put_evaluate_args(Side& s, Writer& w, const mo_evaluate_args& a) {
  w.put(a.node);
  w.put(a.n_inputs);
  w.put(a.n_outputs);
  for (uint32_t i = 0; i < a.n_inputs; ++i) s.put_tensor(w, a.inputs[i]);
}

mo_evaluate_args get_evaluate_args(Side& s, Reader& r) {
  mo_evaluate_args a{};
  a.size = sizeof a;
  a.node = r.get<mo_node>();
  a.n_inputs = r.get<uint32_t>();
  a.n_outputs = r.get<uint32_t>();
  auto* inputs = r.room<mo_tensor*>(a.n_inputs);
  for (uint32_t i = 0; i < a.n_inputs; ++i) inputs[i] = s.get_tensor(r);
  a.inputs = inputs;
  return a;
}

void put_probe_args(Side&, Writer& w, const mo_probe_args& a) {
  w.string(a.path);
  w.string(a.extension);
  w.string({static_cast<const char*>(a.head), a.head_bytes});
  w.put(a.file_bytes);
}

mo_probe_args get_probe_args(Side&, Reader& r) {
  mo_probe_args a{};
  a.size = sizeof a;
  a.path = r.string();
  a.extension = r.string();
  const mo_str head = r.string();
  a.head = head.data;
  a.head_bytes = head.size;
  a.file_bytes = r.get<uint64_t>();
  return a;
}

// The struct is a plugin's, and may be shorter than ours.
void put_message(Side&, Writer& w, const mo_message& message) {
  mo_message m{};
  std::memcpy(static_cast<void*>(&m), &message, std::min(message.size, sizeof m));
  w.put(m.size);
  for (const mo_str& s : {m.text, m.hint, m.code, m.option, m.file}) w.string(s);
  for (const uint64_t n : {m.line, m.column, m.offset, m.node}) w.put(n);
}

mo_message get_message(Side&, Reader& r) {
  mo_message m{};
  m.size = std::min(r.get<size_t>(), sizeof m);
  for (mo_str* s : {&m.text, &m.hint, &m.code, &m.option, &m.file}) *s = r.string();
  for (uint64_t* n : {&m.line, &m.column, &m.offset, &m.node}) *n = r.get<uint64_t>();
  return m;
}

void OutRuntime::take(Side& s, Reader& r, mo_runtime* where) {
  mo_runtime all{};
  all.name = s.keep(r.view());
  for (int32_t* n : {&all.year, &all.number, &all.opset, &all.ir_version}) *n = r.get<int32_t>();
  all.size = std::min(where->size, sizeof all);
  std::memcpy(static_cast<void*>(where), &all, all.size);
}

void OutRuntime::Held::answer(Side&, Writer& w) {
  w.string(value.name);
  for (const int32_t n : {value.year, value.number, value.opset, value.ir_version}) w.put(n);
}

}  // namespace mo::app::isolate
