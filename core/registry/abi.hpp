// The host's side of mo/plugin.h: what its functions share.
#pragma once

#include "core/registry/session.hpp"
#include "core/support/utf8.hpp"

#include <functional>

namespace mo::core {

// A node or port that a plugin named, checked.
struct NodeAt {
  Graph* graph;
  NodeId id;
  const NodeRecord& record() const { return graph->node(id); }
};
struct PortAt {
  Graph* graph;
  PortRef ref;
};

// Error(MO_WRONG_PHASE) while a lazy tensor is read, which may be on any thread.
inline Session& session_of(mo_context* c) {
  Session* s = static_cast<CallContext*>(c)->session;
  if (s == nullptr) throw Error("a lazy tensor is read: only tensors can be", MO_WRONG_PHASE);
  return *s;
}
// nullptr while a lazy tensor is read: what is made for that is gone soon.
inline std::shared_ptr<MemoryAccount> account_of(mo_context* c) {
  const Session* s = static_cast<CallContext*>(c)->session;
  return s == nullptr ? nullptr : s->memory();
}
Graph& graph_at(mo_context*, mo_graph);    // Error(MO_STALE_HANDLE)
NodeAt node_at(mo_context*, mo_node);      // Error(MO_STALE_HANDLE)
PortAt out_port_at(mo_context*, mo_port);  // Error when stale, of the other direction, or out of range
PortAt in_port_at(mo_context*, mo_port);
// The out-port, or the source of an in-port (Error when unconnected).
PortAt tensor_at(mo_context*, mo_port);
// A view of what is known; lives as long as the state stays as it is.
mo_tensor_desc desc_of(const TensorState&);

inline mo_port port_handle(const Graph& g, PortRef p, int32_t direction) {
  return p ? mo_port{node_handle(g, p.node), p.port, direction} : mo_port{0, 0, direction};
}

// Text from a plugin: pointer and length consistent, UTF-8. Error(MO_INVALID_ARGUMENT) names `what`.
std::string_view checked(mo_str s, std::string_view what);
ElementType checked_type(int64_t);
Shape checked_shape(const mo_shape* s, std::string_view what);
Bound checked_bound(const mo_interval&, std::string_view what);

[[noreturn]] void fail_with_null(std::string_view what);
inline void need(const void* pointer, std::string_view what) {
  if (pointer == nullptr) fail_with_null(what);
}

// Writes a list the way all list functions do: of each item what `make` makes of it.
template <class List, class T, class Make = std::identity>
void give_list(const List& list, T* items, uint64_t capacity, uint64_t* count, Make make = {}) {
  need(count, "count");
  if (capacity != 0) need(items, "items");
  *count = list.size();
  uint64_t i = 0;
  for (const auto& item : list) {
    if (i == capacity) break;
    items[i++] = make(item);
  }
}

// Keeps the failure for Call::check and its text for the plugin.
mo_status note_failure(mo_context* c, mo_status status, std::string text);
mo_status note_exception(mo_context* c) noexcept;  // inside a catch block

// Runs a host function: nothing is thrown across the boundary.
template <class F>
mo_status guarded(mo_context* c, F f) noexcept {
  if (c == nullptr || !is_ours(c->host)) return MO_INVALID_ARGUMENT;
  try {
    if constexpr (std::is_same_v<decltype(f()), mo_status>) {
      return f();
    } else {
      f();
      return MO_OK;
    }
  } catch (...) {
    return note_exception(c);
  }
}

}  // namespace mo::core
