#include "core/registry/abi.hpp"

namespace mo::core {

Graph& graph_at(mo_context* c, mo_graph handle) {
  Graph* g = handle == 0 || handle > 0xffffffffU ? nullptr
                                                 : session_of(c).space()->find(static_cast<uint32_t>(handle));
  if (g == nullptr) throw Error(text("graph handle ", handle, " is stale or none"), MO_STALE_HANDLE);
  return *g;
}

// Texts are made apart: what is called for every question stays short.
[[noreturn, gnu::noinline]] static void fail_with_handle(mo_node handle) {
  throw Error(
      text("node handle ", handle,
           handle == 0 ? " is none" : " is stale: the node was removed or belongs to another session"),
      MO_STALE_HANDLE);
}

NodeAt node_at(mo_context* c, mo_node handle) {
  Graph* g = session_of(c).space()->find(static_cast<uint32_t>(handle >> 32));
  const auto id = static_cast<NodeId>((handle & 0xffffffffU) - 1);
  if (handle == 0 || g == nullptr || !g->alive(id)) fail_with_handle(handle);
  return {g, id};
}

[[noreturn, gnu::noinline]] static void fail_with_port(const NodeAt& n, mo_port p, bool in, size_t count) {
  const auto fail = [&](const std::string& what) { throw Error(what, MO_INVALID_ARGUMENT, p.node); };
  if (p.direction != MO_PORT_OUT && p.direction != MO_PORT_IN)
    fail(text("direction of a port is ", p.direction, "; expected MO_PORT_OUT or MO_PORT_IN"));
  if (p.direction != (in ? MO_PORT_IN : MO_PORT_OUT))
    fail(text("an ", in ? "in" : "out", "-port is expected, not an ", in ? "out" : "in", "-port"));
  throw Error(text("node ", describe(*n.graph, n.id), " has no ", in ? "input" : "output", " port ", p.index,
                   "; it has ", count),
              MO_INVALID_ARGUMENT, p.node);
}

static PortAt port_at(mo_context* c, mo_port p, int32_t direction) {
  const NodeAt n = node_at(c, p.node);
  const bool in = direction == MO_PORT_IN;
  const size_t count = in ? n.record().inputs.size() : n.record().outputs.size();
  if (p.direction != direction || p.index >= count) fail_with_port(n, p, in, count);
  return {n.graph, {n.id, p.index}};
}

PortAt out_port_at(mo_context* c, mo_port p) { return port_at(c, p, MO_PORT_OUT); }
PortAt in_port_at(mo_context* c, mo_port p) { return port_at(c, p, MO_PORT_IN); }

PortAt tensor_at(mo_context* c, mo_port p) {
  if (p.direction != MO_PORT_IN) return out_port_at(c, p);
  const PortAt in = in_port_at(c, p);
  const PortRef source = in.graph->source(in.ref);
  if (!source)
    throw Error(text("input ", p.index, " of ", describe(*in.graph, in.ref.node), " is not connected"),
                MO_NOT_FOUND, p.node);
  return {in.graph, source};
}

void fail_with_null(std::string_view what) {
  throw Error(text("argument '", what, "' is NULL"), MO_INVALID_ARGUMENT);
}

std::string_view checked(mo_str s, std::string_view what) {
  if (s.data == nullptr && s.size != 0)
    throw Error(text(what, " is NULL with a length of ", s.size), MO_INVALID_ARGUMENT);
  if (s.size > (size_t{1} << 30))
    throw Error(text(what, " has a length of ", s.size, " bytes"), MO_INVALID_ARGUMENT);
  const std::string_view v = view(s);
  if (!is_utf8(v)) throw Error(text(what, " is not UTF-8"), MO_INVALID_ARGUMENT);
  return v;
}

ElementType checked_type(int64_t t) {
  if (t < 0 || t >= static_cast<int64_t>(element_types.size()))
    throw Error(text("there is no element type ", t), MO_INVALID_ARGUMENT);
  return static_cast<ElementType>(t);
}

Shape checked_shape(const mo_shape* s, std::string_view what) {
  need(s, what);
  if (s->rank == -1) return Shape::unknown();
  if (s->rank < -1 || s->rank > 1024)
    throw Error(text(what, " has rank ", s->rank, "; expected -1 to 1024"), MO_INVALID_ARGUMENT);
  if (s->rank > 0) need(s->dims, "dims");
  for (int64_t i = 0; i < s->rank; ++i) {
    const mo_dim d = s->dims[i];
    if (d.min < 0 || d.max < -1 || (d.max != -1 && d.max < d.min))
      throw Error(text(what, " has an impossible dimension ", i, ": from ", d.min, " to ", d.max),
                  MO_INVALID_ARGUMENT);
  }
  return Shape(*s);
}

Bound checked_bound(const mo_interval& i, std::string_view what) {
  constexpr uint32_t known = MO_OPEN_MIN | MO_OPEN_MAX;
  const bool possible = i.open != 0 || i.min <= i.max;
  const bool clear =
      ((i.open & MO_OPEN_MIN) == 0 || i.min == 0) && ((i.open & MO_OPEN_MAX) == 0 || i.max == 0);
  if ((i.open & ~known) != 0 || i.reserved != 0 || !possible || !clear)
    throw Error(
        text(what, " is from ", i.min, " to ", i.max, ", open ", i.open, ", reserved ", i.reserved,
             "; expected an end of 0 where it is open, the ends in order where none is, and reserved 0"),
        MO_INVALID_ARGUMENT);
  return Bound(i);
}

mo_status note_failure(mo_context* c, mo_status status, std::string message) {
  auto* call = static_cast<CallContext*>(c);
  call->error = std::move(message);
  call->error_where = 0;
  call->remarks = {};
  call->failure.reset();
  return status;
}

mo_status note_exception(mo_context* c) noexcept {
  try {
    try {
      throw;
    } catch (const Error& e) {
      const mo_status status = note_failure(c, e.status() == MO_OK ? MO_ERROR : e.status(), e.what());
      auto* call = static_cast<CallContext*>(c);
      call->error_where = e.where();
      call->remarks.hint = e.said().hint;
      return status;
    } catch (const Failure& f) {
      const mo_status status = note_failure(c, MO_ERROR, f.message());
      static_cast<CallContext*>(c)->failure = f;
      return status;
    } catch (const std::bad_alloc&) {
      return note_failure(c, MO_NO_MEMORY, "out of memory");
    } catch (const std::exception& e) {
      return note_failure(c, MO_ERROR, reason_of(e));
    }
  } catch (...) {
    return MO_NO_MEMORY;
  }
}

}  // namespace mo::core
