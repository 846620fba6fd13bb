#include "apps/explore/provenance.hpp"

#include <algorithm>

#include "core/schedule/invariants.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

// What inference does to a node says nothing about who wanted it.
bool is_change(std::string_view what) { return what != "mark" && what != "infer" && what != "set tensor"; }

template <class G, class F>
void each_node(G& g, const F& f) {
  for (core::NodeId n : g.nodes()) {
    f(g, n);
    if (!g.has_bodies()) continue;
    for (const core::GraphPtr& body : g.bodies(n)) each_node<G>(*body, f);
  }
}

}  // namespace

std::string Provenance::who(const core::Transformation& t) const {
  return (t.plugin == nullptr ? t.id : text(t.plugin->id, " ", t.id)) + places_.in_brackets(&t);
}

void Provenance::loaded(core::Session& session, core::Graph& g) {
  places_ = Places(session.registry());
  const core::Plugin* plugin = session.frontend == nullptr ? nullptr : session.frontend->plugin;
  each_node(g, [&](const core::Graph& of, core::NodeId n) { nodes_[place(of, n)].frontend = plugin; });
}

void Provenance::extracted(const core::Graph& g, core::NodeId n, const core::Extractor& e) {
  nodes_[place(g, n)].extractor = e.plugin == nullptr ? nullptr : &e;
}

void Provenance::has_run(const core::Ran& ran) {
  for (size_t i = 0; i < ran.edits.size(); ++i) {
    const core::Journal::Edit& e = ran.edits[i];
    const core::Transformation* t = ran.author(i);
    if (t == nullptr || e.node == core::no_node || !is_change(e.what)) continue;
    if (ran.graph.space().find(e.serial) == nullptr) continue;
    History& h = nodes_[place(*e.graph, e.node)];
    if (e.what == "add node")
      h = {nullptr, nullptr, t, {}};
    else if (t != h.maker && !core::contains(h.changed, t))
      h.changed.push_back(t);
  }
}

void Provenance::prepared(core::Graph& main) {
  each_node(main, [&](core::Graph& g, core::NodeId n) {
    const History& h = nodes_[place(g, n)];
    const auto set = [&](std::string_view key, std::string value) {
      g.set_rt_info(n, text("provenance_", key), std::move(value));
    };
    set("made_by", h.maker != nullptr      ? who(*h.maker)
                   : h.frontend != nullptr ? text(h.frontend->id, " front-end")
                                           : "mo-host");
    if (h.extractor != nullptr)
      set("extracted_by", h.extractor->plugin->id + places_.in_brackets(h.extractor));
    std::string changed;
    for (const core::Transformation* t : h.changed) changed += (changed.empty() ? "" : ", ") + who(*t);
    if (!changed.empty()) set("changed_by", changed);
  });
}

}  // namespace mo::app
