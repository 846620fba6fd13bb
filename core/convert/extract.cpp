#include "core/convert/phases.hpp"
#include "core/registry/contain.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

std::optional<NativeKey> native_key(Session& session, const Graph& g, NodeId n) {
  const FrontEnd* f = session.frontend;
  if (f == nullptr || f->native_key == nullptr || g.node(n).native == 0) return std::nullopt;
  Call call(session);
  call->plugin = f->plugin;
  call->graph = const_cast<Graph*>(&g);
  call->node = n;
  mo_str domain{}, op{};
  NativeKey key;
  const mo_status status = contain(*call, "native_key", [&] {
    return f->native_key(f->self, call.get(), session.model, g.node(n).native, &domain, &key.version, &op);
  });
  call.check(status, "native_key");
  key.domain = view(domain);
  key.op = view(op);
  return key;
}

void tell_of_node(Session& session, Failure& f) {
  if (!f.has("pass")) session.authors.blame(f, *session.space());
  const Graph* g = session.space()->find(static_cast<uint32_t>(f.node() >> 32));
  const auto n = static_cast<NodeId>((f.node() & 0xffffffffU) - 1);
  if (g != nullptr && g->alive(n)) f.with("place", native_place(session, *g, n));
}

std::string native_place(Session& session, const Graph& g, NodeId n) {
  const FrontEnd* f = session.frontend;
  const uint64_t tag = session.authors.origin(g, n);
  if (f == nullptr || f->native_place == nullptr || tag == 0) return {};
  Call call(session);
  call->plugin = f->plugin;
  mo_str file{};
  uint64_t line = 0, byte = 0;
  const mo_status status = f->native_place(f->self, call.get(), session.model, tag, &file, &line, &byte);
  if (status != MO_OK) return {};  // an error is being told already
  return line != 0 ? text(file, ':', line) : text(file, ", byte ", byte);
}

namespace {

// False: the extractor says the node is not for it.
bool apply(Session& session, Graph& g, NodeId n, const Extractor& e) {
  Call call(session);
  call->plugin = e.plugin;
  call->graph = &g;
  call->node = n;
  const mo_status status =
      contain(*call, "extract", [&] { return e.extract(e.self, call.get(), node_handle(g, n)); });
  if (status == MO_NOT_APPLICABLE) {
    if (const std::string& why = call->declined.empty() ? call->error : call->declined; !why.empty())
      session.declined[node_handle(g, n)].push_back({e.plugin, why});
    return false;
  }
  try {
    call.check(status, "extract");
  } catch (Failure& f) {
    if (const auto key = native_key(session, g, n))
      f.with("source", text(key->op, key->domain.empty() ? "" : text(" of domain '", key->domain, "'"),
                            ", version ", key->version));
    throw;
  }
  return true;
}

// What an operation does not declare is not written: its author should hear of it. Ours have transformations
// that read such attributes.
void warn_of_undeclared(Session& session, const Graph& g, NodeId n, const Extractor& e,
                        std::set<std::string>& warned) {
  const Operation* op = g.alive(n) && !e.plugin->built_in ? operation_of(session, g, n) : nullptr;
  if (op == nullptr || op->op == "_") return;
  for (const auto& [key, value] : g.node(n).attributes.items()) {
    const std::string name(g.symbols().text(key));
    if (op->find(key) != nullptr || !warned.insert(text(op->opset, "::", op->op, " ", name)).second) continue;
    std::vector<std::string> known;
    for (const AttributeDef& d : op->attributes) known.push_back(d.name);
    const std::string hint = did_you_mean(name, known);
    session.log(MO_LOG_WARNING,
                text("the extractor of ", e.op, " sets '", name, "', which ", op->opset, "::", op->op,
                     " does not declare: it is not written", hint.empty() ? "" : "; " + hint),
                e.plugin);
  }
}

void note_author(Session& session, const Graph& g, NodeId n, const Extractor& e) {
  if (g.alive(n)) session.authors.note(g, n, session.authors.add({e.plugin, {}, {}, "extract"}), false);
}

bool apply_or_note(Session& session, Graph& g, NodeId n, const Extractor& e) {
  try {
    return apply(session, g, n, e);
  } catch (const Failure& f) {
    if (session.survey == nullptr || !session.survey->takes(g, n, f)) throw;
    return false;
  }
}

void extract_all(Session& session, Graph& g, std::set<const Plugin*>& used, Watch* watch,
                 std::set<std::string>& warned) {
  const std::string& framework = session.frontend->name;
  for (NodeId n = 0, end = g.end_id(); n < end; ++n) {  // not what extractors add
    if (!g.alive(n)) continue;
    if (const auto key = native_key(session, g, n)) {
      for (const Extractor* e : session.registry().extractors(framework, key->domain, key->op, key->version))
        if (apply_or_note(session, g, n, *e)) {
          used.insert(e->plugin);
          if (!e->plugin->built_in) note_author(session, g, n, *e);
          warn_of_undeclared(session, g, n, *e, warned);
          if (watch != nullptr) watch->extracted(g, n, *e);
          if (g.alive(n) && g.op(n) != key->op) session.extracted_as[key->op].emplace(g.op(n));
          break;
        }
    }
    if (!g.has_bodies() || !g.alive(n)) continue;
    for (const GraphPtr& body : g.bodies(n)) extract_all(session, *body, used, watch, warned);
  }
}

}  // namespace

void extract(Session& session, Graph& g, std::set<const Plugin*>& used, Watch* watch) {
  std::set<std::string> warned;
  extract_all(session, g, used, watch, warned);
}

}  // namespace mo::core
