// One callback of a transformation, and what follows from it.
#include <chrono>

#include "core/registry/contain.hpp"
#include "core/schedule/runner.hpp"

namespace mo::core {

static void note(RunStatistics& s, std::string node, std::string why) {
  constexpr size_t most_declines = 10'000;
  ++s.declined;
  if (s.declines.size() < most_declines) s.declines.push_back({std::move(node), std::move(why)});
}

void note_decline(RunStatistics& s, const Graph& g, NodeId node, std::string why) {
  note(s, node != no_node && g.alive(node) ? describe(g, node) : text("graph '", g.name(), "'"),
       std::move(why));
}

Runner::Answer Runner::ask(Member& member, Graph& g, NodeId node, Match* match, std::string_view name,
                           const Callback& callback) {
  Rewrite rewrite(journal(), g.end_id(), depth_, most_edits_);
  rewrite.runner = this;
  Call call(session_);
  call->transformation = member.transformation;
  call->plugin = member.transformation->plugin;
  call->graph = &g;
  call->node = node;
  call->match = match;
  call->rewrite = &rewrite;
  call->config = config_;
  const mo_status status = contain(*call, name, [&] { return callback(call.get()); });
  if (status == MO_NOT_APPLICABLE) return {status, call->declined.empty() ? call->error : call->declined, {}};
  for (auto& [where, why] : call->declined_places) note(member.statistics, std::move(where), std::move(why));
  try {
    call.check(status, name);
    try {
      rewrite.apply(session_, match);
    } catch (const Error& e) {
      call->error = e.what();
      call->error_where = e.where();
      call.check(e.status(), name);
    }
  } catch (const Failure& f) {
    if (session_.survey == nullptr || !session_.survey->takes(g, node, f)) throw;
    return {MO_ERROR, f.message(), {}};
  }
  return {status, {}, std::move(rewrite.new_nodes)};
}

bool Runner::call(Member& member, Graph& g, NodeId node, Match* match, std::string_view name,
                  const Callback& callback, std::vector<NodeId>* registered) {
  const auto begin = std::chrono::steady_clock::now();
  const size_t mark = journal().size();
  RunStatistics& s = member.statistics;
  current_ = &member;
  const NodeId first_new = g.end_id();
  const uint64_t native = node == no_node ? 0 : session_.authors.origin(g, node);
  Answer answer = ask(member, g, node, match, name, callback);
  if (answer.status != MO_OK) journal().roll_back(mark);
  const size_t edits = journal().size() - mark;
  if (answer.status != MO_OK) {
    // An operator of the source that stays is told with it; the survey has what failed.
    const bool told = answer.status == MO_NOT_APPLICABLE && !answer.why.empty();
    if (told && node != no_node && g.node(node).opset == 0)
      session_.declined[node_handle(g, node)].push_back({member.transformation->plugin, answer.why});
    note_decline(s, g, node, std::move(answer.why));
  } else if (edits != 0) {
    ++s.matches;
    s.edits += edits;
    spans_.push_back({journal().size(), &member, entry()});
    session_.authors.note_origin(g, first_new, native);
    if (registered != nullptr) *registered = std::move(answer.registered);
  } else if (node != no_node) {
    ++s.declined;  // it is no near miss
  }
  s.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return edits != 0;
}

bool Runner::call_on_match(Member& member, Match& m, std::vector<NodeId>* registered) {
  const Transformation& t = *member.transformation;
  return call(
      member, *m.graph, m.root, &m, "on_match",
      [&](mo_context* c) { return t.on_match(t.self, c, reinterpret_cast<mo_match*>(&m)); }, registered);
}

}  // namespace mo::core
