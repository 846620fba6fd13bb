#include "core/schedule/invariants.hpp"

#include <algorithm>

#include "core/graph/levels.hpp"
#include "core/infer/infer.hpp"
#include "core/support/contains.hpp"

namespace mo::core {

namespace {

Failure broken(const std::string& what) { return {Exit::plugin, "MO0605", what}; }

bool is_sink(const Session& session, const Graph& g, NodeId n) {
  if (g.node(n).op == g.space().result) return true;
  const Operation* op = operation_of(session, g, n);
  return op != nullptr && (op->flags & MO_OP_SINK) != 0;
}

// A result, or something else that is always kept, that depends on the node.
NodeId sink_behind(const Session& session, const Graph& g, NodeId start) {
  std::vector<NodeId> stack{start};
  std::vector<bool> seen(g.end_id(), false);
  seen[start] = true;
  while (!stack.empty()) {
    const NodeId n = stack.back();
    stack.pop_back();
    if (is_sink(session, g, n)) return n;
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i)
      for (PortRef d : g.destinations({n, i}))
        if (!seen[d.node]) {
          seen[d.node] = true;
          stack.push_back(d.node);
        }
  }
  return no_node;
}

int inputs_lost(std::string_view what) {
  if (what == "disconnect") return 1;
  if (what == "connect" || what == "delete input port") return -1;
  return 0;
}

// The first input that the node needs and does not have through these edits: what the model itself left out,
// of a copy of its node as well, is found by inference. Whether an operation that nobody defines needs its
// inputs is not known: it does when one was taken away.
std::optional<size_t> missing_input(const Session& session, const Touched& t) {
  const NodeRecord& n = t.graph->node(t.node);
  if (t.lost <= 0 && (!t.made || n.native != 0)) return std::nullopt;
  size_t needed = 0;
  if (n.op == t.graph->space().result)
    needed = 1;
  else if (const Operation* op = operation_of(session, *t.graph, t.node))
    needed = op->min_inputs;
  else if (t.lost > 0)
    needed = n.inputs.size();
  for (size_t i = 0; i < needed; ++i)
    if (i >= n.inputs.size() || !n.inputs[i].source) return i;
  return std::nullopt;
}

std::string names_text(const Graph& g, const std::vector<Symbol>& names) {
  std::string list;
  for (Symbol s : names) list += text(list.empty() ? "'" : ", '", g.symbols().text(s), "'");
  return list;
}

}  // namespace

ModelOutputs ModelOutputs::of(const Session& session, const Graph& g) {
  ModelOutputs o;
  std::set<std::pair<NodeId, uint32_t>> seen;  // many outputs of one tensor have all of its names
  for (const NodeId r : sinks(session, g)) {
    ++o.count;
    const NodeRecord& n = g.node(r);
    if (n.inputs.empty() || !n.inputs[0].source) continue;
    const PortRef from = n.inputs[0].source;
    if (!seen.emplace(from.node, from.port).second) continue;
    // By its own name an input stays one, also where the output that it was becomes a copy.
    const bool is_input = g.node(from.node).op == g.space().parameter;
    for (const Symbol s : g.out(from).names)
      if (!is_input || g.symbols().text(s) != g.name(from.node)) o.names.push_back(s);
  }
  std::sort(o.names.begin(), o.names.end());
  o.names.erase(std::unique(o.names.begin(), o.names.end()), o.names.end());
  return o;
}

// Who names a transformation in a configuration file asks for what it makes of the outputs.
void check_outputs(const Graph& g, const ModelOutputs& before, const ModelOutputs& after, bool any_may_go) {
  if (any_may_go && after.count == 0 && before.count != 0) throw broken("the model has no outputs any more");
  if (any_may_go) return;
  if (after.count < before.count)
    throw broken(text("the model had ", before.count, " outputs and has ", after.count, " now"));
  std::vector<Symbol> lost;
  std::set_difference(before.names.begin(), before.names.end(), after.names.begin(), after.names.end(),
                      std::back_inserter(lost));
  if (lost.empty()) return;
  throw broken(text("no output of the model has the tensor name ", names_text(g, lost), " any more"))
      .with("hint", "replace_outputs and set_source move tensor names along; a bare connect does not");
}

std::vector<Touched> touched_since(const GraphSpace& space, const Journal& journal, size_t start) {
  const auto key = [](const Touched& t) { return std::pair(t.graph->serial(), t.node); };
  const auto weight = [&](size_t edit) {
    const std::string_view what = journal.edits()[edit].what;
    return what == "disconnect" ? 2 : what == "mark" || what == "infer" ? 0 : 1;
  };
  const auto add = [&](std::vector<Touched>& to, const Touched& t) {
    if (to.empty() || key(to.back()) != key(t)) return to.push_back(t);
    Touched& m = to.back();
    m.lost += t.lost;
    m.connected |= t.connected;
    m.made |= t.made;
    if (!t.what.empty()) m.what = t.what;
    if (weight(t.edit) >= weight(m.edit)) m.edit = t.edit;
  };
  std::vector<Touched> list, merged;
  for (size_t i = start; i < journal.size(); ++i) {
    const Journal::Edit& e = journal.edits()[i];
    const bool says_nothing = e.what == "mark" || e.what == "infer" || e.what == "set tensor";
    if (space.find(e.serial) != nullptr && e.graph->alive(e.node))
      add(list, {e.graph, e.node, inputs_lost(e.what), e.what == "connect", e.what == "add node", i,
                 says_nothing ? std::string_view() : e.what});
  }
  const auto before = [&](const auto& a, const auto& b) { return key(a) < key(b); };
  std::stable_sort(list.begin(), list.end(), before);
  for (const Touched& t : list) add(merged, t);
  return merged;
}

std::string place_of(const Journal& journal, size_t start, size_t edit) {
  const Journal::Edit& e = journal.edits()[edit];
  const bool named = e.node != no_node && e.graph->alive(e.node);
  return text(edit - start + 1, " of ", journal.size() - start, ": ", e.what,
              named ? text(" of ", describe(*e.graph, e.node)) : "");
}

std::optional<Broken> check_touched(const Session& session, const Journal& journal, size_t start,
                                    const std::vector<Touched>& touched) {
  for (const Touched& t : touched) {
    const Graph& g = *t.graph;
    std::string problem;
    if (g.find(g.name(t.node)) != t.node)
      problem = "another node has the name of this one";
    else if (g.is_const(t.node) && (t.made || session.survey == nullptr) &&
             (g.node(t.node).outputs.size() != 1 || !g.out({t.node, 0}).tensor.value))
      problem = "it is a constant without a value";
    else if (const auto input = missing_input(session, t))
      if (const NodeId sink = sink_behind(session, g, t.node); sink != no_node)
        problem = text("input ", *input, " is not connected, and ", describe(g, sink), " depends on it");
    if (problem.empty()) continue;
    Failure f = broken(problem);
    name_node(f, g, t.node).with("edit", place_of(journal, start, t.edit));
    return Broken{std::move(f), t.edit};
  }
  return std::nullopt;
}

namespace {

bool is_acyclic(Graph& g, std::span<const Touched> touched, size_t& budget) {
  if (g.has_levels()) {
    const auto rises = [&](const Touched& t) { return !t.connected || raise_levels(g, t.node, budget); };
    if (std::all_of(touched.begin(), touched.end(), rises)) return true;
  }
  try {
    set_levels(g);
    return true;
  } catch (const Failure&) {
    return false;
  }
}

Broken broken_by_cycle(const Graph& g, const Journal& journal, size_t start) {
  const std::vector<NodeId> cycle = find_cycle(g);
  size_t edit = journal.size();
  const auto closes = [&](const Journal::Edit& e) {
    return e.graph == &g && e.what == "connect" && contains(cycle, e.node);
  };
  while (--edit > start && !closes(journal.edits()[edit])) continue;
  Failure f = broken(text("it made a cycle of ", cycle.size(), cycle.size() == 1 ? " node" : " nodes"));
  f.with("cycle", cycle_text(g, cycle));
  name_node(f, g, journal.edits()[edit].node).with("edit", place_of(journal, start, edit));
  return {std::move(f), edit};
}

}  // namespace

std::optional<Broken> check_cycles(const Journal& journal, size_t start,
                                   const std::vector<Touched>& touched) {
  size_t budget = 1000 + 16 * touched.size();
  for (auto begin = touched.begin(); begin != touched.end();) {
    const auto end =
        std::find_if(begin, touched.end(), [&](const Touched& t) { return t.graph != begin->graph; });
    const bool connected = std::any_of(begin, end, [](const Touched& t) { return t.connected; });
    if (connected && !is_acyclic(*begin->graph, {begin, end}, budget))
      return broken_by_cycle(*begin->graph, journal, start);
    begin = end;
  }
  return std::nullopt;
}

}  // namespace mo::core
