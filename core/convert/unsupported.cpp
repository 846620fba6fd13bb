#include "core/convert/missing.hpp"

#include "core/infer/replaced_graph.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

constexpr size_t most_names = 20;

std::string type_of(const Missing& m) {
  if (!m.opset.empty()) return text(m.opset, "::", m.key.op);
  std::string out = m.key.op;
  if (!m.key.domain.empty()) out += text(" of domain '", m.key.domain, "'");
  if (m.key.version != 0) out += text(", version ", m.key.version);
  return out;
}

void collect(Session& session, const Graph& g, const std::string& where, bool vendors_at_work,
             std::map<std::string, Missing>& found) {
  for (NodeId n : g.nodes()) {
    const NodeRecord& r = g.node(n);
    const bool own_word =
        r.op == g.space().parameter || r.op == g.space().result || r.op == g.space().constant;
    // What a node replaced gives shapes, where it can, and is not converted.
    for (const GraphPtr& body : g.bodies(n))
      if (body != replaced_graph(g, n))
        collect(session, *body, text(where, g.name(n), "/"), vendors_at_work, found);
    if (own_word || operation_of(session, g, n) != nullptr) continue;
    const std::string by = session.authors.blame(g, n);
    if (vendors_at_work && !by.empty()) continue;  // it may be of their own use
    Missing m;
    if (r.opset == 0)
      if (const auto key = native_key(session, g, n)) m.key = *key;
    if (m.key.op.empty()) m.key.op = g.op(n);
    m.opset = g.opset(n);
    Missing& entry = found.try_emplace(type_of(m), m).first->second;
    if (entry.nodes.empty()) {
      entry.first = node_handle(g, n);
      entry.place = native_place(session, g, n);
    }
    entry.nodes.push_back(text(where, g.name(n)));
    if (!by.empty()) entry.reasons.insert(text("'", g.name(n), "' is", by));
    const auto declined = session.declined.find(node_handle(g, n));
    if (declined == session.declined.end()) continue;
    for (const Session::Declined& d : declined->second)
      entry.reasons.insert(text("plugin ", d.plugin->id, ": ", d.why));
  }
}

std::string range(const Extractor& e) {
  if (e.since == 0 && e.until == 0) return "any version";
  if (e.until == 0) return text("versions from ", e.since);
  return e.since == e.until ? text("version ", e.since)
                            : text("versions ", std::max(e.since, 1), " to ", e.until);
}

std::string in_domain(const std::string& domain) {
  return domain.empty() ? "the default domain" : text("domain '", domain, "'");
}

// What comes close among the operations of the source framework.
std::set<std::string> near_extractors(const Session& session, const Missing& m) {
  const Registry& r = session.registry();
  r.open_contents();  // other frameworks may have it
  std::set<std::string> lines;
  std::vector<std::string> names;
  for (const Extractor* e : r.extractors()) {
    const bool here = e->framework.empty() ||
                      (session.frontend != nullptr && r.same_framework(e->framework, session.frontend->name));
    if (!here) {
      if (e->op == m.key.op && e->domain == m.key.domain)
        lines.insert(text("plugin ", e->plugin->id, " knows it for ", e->framework, " only"));
      continue;
    }
    if (e->op == m.key.op && e->domain == m.key.domain) {
      const bool covers =
          (e->since == 0 || m.key.version >= e->since) && (e->until == 0 || m.key.version <= e->until);
      if (covers && !m.reasons.empty()) continue;  // it says why
      lines.insert(
          text("plugin ", e->plugin->id, covers ? " declined it; it takes " : " knows it for ", range(*e)));
    } else if (e->op == m.key.op) {
      lines.insert(text("plugin ", e->plugin->id, " knows ", e->op, " of ", in_domain(e->domain)));
    } else {
      names.push_back(e->op);
    }
  }
  const std::string whole = m.key.domain.empty() ? m.key.op : text(m.key.domain, ".", m.key.op);
  for (const Transformation* t : r.transformations())
    for (const std::string& op : t->ops)
      if (op.substr(op.find_last_of(".:") + 1) == m.key.op && op != whole && op != "::" + whole &&
          op.front() != '*')
        lines.insert(text("transformation ", t->id, " of plugin ", t->plugin->id, " looks for '", op,
                          "'; this one is '::", whole, "'"));
  for (const std::string& name : nearest(m.key.op, names)) {
    if (name == m.key.op) continue;
    for (const Extractor* e : r.extractors()) {
      if (e->op != name) continue;
      const bool only_case = edit_distance(name, m.key.op, 0) == 0;
      lines.insert(text("plugin ", e->plugin->id, " knows ", name, " of ", in_domain(e->domain),
                        only_case ? ": the names differ in upper and lower case" : ""));
      break;
    }
  }
  return lines;
}

std::set<std::string> near_operations(const Session& session, const Missing& m) {
  std::set<std::string> lines;
  std::vector<std::string> names;
  for (const Operation* o : session.registry().operations()) {
    if (o->op == m.key.op) lines.insert(text("plugin ", o->plugin->id, " defines ", o->opset, "::", o->op));
    names.push_back(o->op);
  }
  if (!lines.empty()) return lines;
  for (const std::string& name : nearest(m.key.op, names))
    lines.insert(text("an operation named ", name, " is defined"));
  return lines;
}

std::string describe(const Session& session, const Missing& m) {
  std::string out = text(type_of(m), ": ", m.nodes.size(), m.nodes.size() == 1 ? " node, " : " nodes, ");
  for (size_t i = 0; i < std::min(m.nodes.size(), most_names); ++i)
    out += text(i == 0 ? "'" : ", '", m.nodes[i], "'");
  if (m.nodes.size() > most_names) out += text(" and ", m.nodes.size() - most_names, " more");
  if (!m.place.empty()) out += text("; ", m.nodes.size() == 1 ? "" : "the first ", "in ", m.place);
  for (const std::string& line : m.reasons) out += "\n    " + line;
  for (const std::string& line : nearest_to(session, m)) out += "\n    " + line;
  return out;
}

}  // namespace

std::map<std::string, Missing> missing_operations(Session& session, const Graph& g, bool vendors_at_work) {
  std::map<std::string, Missing> found;
  collect(session, g, {}, vendors_at_work, found);
  return found;
}

std::set<std::string> nearest_to(const Session& session, const Missing& m) {
  return m.opset.empty() ? near_extractors(session, m) : near_operations(session, m);
}

void check_all_supported(Session& session, const Graph& g, bool vendors_at_work) {
  const std::map<std::string, Missing> found = missing_operations(session, g, vendors_at_work);
  if (found.empty()) return;
  std::vector<const Missing*> by_count;
  size_t nodes = 0;
  for (const auto& [type, m] : found) {
    by_count.push_back(&m);
    nodes += m.nodes.size();
  }
  std::ranges::stable_sort(by_count, std::greater{}, [](const Missing* m) { return m->nodes.size(); });
  std::string list;
  for (const Missing* m : by_count) list += (list.empty() ? "" : "\n") + describe(session, *m);
  throw Failure(
      Exit::model, "MO0401",
      text("no plugin supports ", found.size(), found.size() == 1 ? " operation type" : " operation types",
           " of the model (", nodes, nodes == 1 ? " node)" : " nodes)"))
      .with("missing", list)
      .with("hint",
            "add the plugin that knows them with --extensions, or leave them out with --input and --output;\n"
            "`mo-host list operators` shows what is known");
}

}  // namespace mo::core
