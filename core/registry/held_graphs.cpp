#include "core/registry/held_graphs.hpp"

#include "core/support/contains.hpp"

#include <algorithm>

namespace mo::core {

namespace {

std::vector<GraphPtr> graphs_in(const Attribute& value) {
  if (const auto* g = std::get_if<GraphPtr>(&value)) return {*g};
  if (const auto* list = std::get_if<std::vector<GraphPtr>>(&value)) return *list;
  return {};
}

bool is_around(const Graph& outer, const Graph& g) {
  for (const Graph* at = &g; at != nullptr; at = at->parent())
    if (at == &outer) return true;
  return false;
}

void check_holder(const Graph& g, NodeId n, std::string_view key, const Graph& body) {
  const auto refuse = [&](const std::string& why) {
    throw Error(
        text("the graph '", body.name(), "' cannot be attribute '", key, "' of ", describe(g, n), ": ", why),
        MO_INVALID_ARGUMENT, node_handle(g, n));
  };
  if (is_around(body, g)) refuse("the node lies in it");
  if (const Graph* holder = body.parent())
    refuse(text(describe(*holder, body.parent_node()),
                " holds it; a graph has one holder, so take it away there first, or set a clone"));
  if (!body.may_be_body()) refuse("it is not a sub-graph; make one with create");
}

// Taken back, it is as loose as before.
void take(Session& session, Graph& g, NodeId n, const GraphPtr& body) {
  if (session.loose_graphs().erase(body->serial()) == 0) return;
  if (Journal* journal = g.journal())
    journal->record(&g, n, "take graph",
                    [&session, body] { session.loose_graphs().emplace(body->serial(), body); });
}

}  // namespace

void set_attribute_of_node(Session& session, Graph& g, NodeId n, std::string_view key, Attribute value) {
  const std::vector<GraphPtr> graphs = graphs_in(value);
  const Attribute* old = g.attribute(n, key);
  std::vector<GraphPtr> let_go = old == nullptr ? std::vector<GraphPtr>() : graphs_in(*old);
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (std::find(graphs.begin(), graphs.begin() + static_cast<ptrdiff_t>(i), graphs[i]) !=
        graphs.begin() + static_cast<ptrdiff_t>(i))
      throw Error(text("the graph '", graphs[i]->name(), "' stands twice in a list; a graph has one holder"),
                  MO_INVALID_ARGUMENT);
    if (!contains(let_go, graphs[i])) check_holder(g, n, key, *graphs[i]);
  }
  std::erase_if(let_go, [&](const GraphPtr& held) { return held == nullptr || contains(graphs, held); });
  keep_what_is_let_go(session, g, let_go);
  for (const GraphPtr& body : graphs) take(session, g, n, body);
  g.set_attribute(n, key, std::move(value));
}

Attribute without_graphs(Attribute value) {
  if (graphs_in(value).empty()) return value;
  throw Error("only attributes of nodes hold graphs", MO_INVALID_ARGUMENT);
}

void keep_what_is_let_go(Session& session, const Graph& g, const std::vector<GraphPtr>& graphs) {
  if (g.journal() != nullptr) return;
  for (const GraphPtr& body : graphs) session.loose_graphs().emplace(body->serial(), body);
}

}  // namespace mo::core
