#include "core/schedule/traversal.hpp"

#include <algorithm>

namespace mo::core {

Traversal::Traversal(Runner& runner, Graph& g, const std::vector<Member*>& members)
    : runner_(runner), graph_(g), end_(g.end_id()), most_registered_edits_(g.size() + 10'000) {
  for (Member* m : members) matchers_.emplace_back(runner.session(), g, *m);
}

void Traversal::plan() {
  for (size_t m = 0; m < matchers_.size(); ++m)
    for (NodeId n : matchers_[m].roots.all()) planned_.push_back(visit_of(n, m));
  if (!std::is_sorted(planned_.begin(), planned_.end())) std::sort(planned_.begin(), planned_.end());
}

std::optional<Traversal::Visit> Traversal::next() {
  const bool planned = at_ < planned_.size();
  if (!late_.empty() && (!planned || late_.top() < planned_[at_])) {
    const Visit v = late_.top();
    late_.pop();
    return v;
  }
  if (planned) return planned_[at_++];
  return std::nullopt;
}

void Traversal::run() {
  plan();
  NodeId done = no_node;
  while (const auto v = next()) {
    if (v == last_ || v->node == done || !graph_.alive(v->node)) continue;
    last_ = v;
    if (try_at(v->matcher, v->node) == Outcome::ended) done = v->node;
    visit_registered();
  }
}

void Traversal::visit_registered() {
  while (!registered_.empty()) {
    const NodeId n = registered_.front();
    registered_.pop_front();
    Outcome outcome = Outcome::nothing;
    for (size_t m = 0; m < matchers_.size() && outcome != Outcome::ended && graph_.alive(n); ++m)
      if (outcome = try_at(m, n); outcome != Outcome::nothing) count_registered(n);
  }
}

void Traversal::count_registered(NodeId n) {
  if (++registered_edits_ <= most_registered_edits_) return;
  Failure f(Exit::plugin, "MO0604",
            text("endless loop: nodes that the transformation registered were matched ", registered_edits_,
                 " times in a graph of ", graph_.size(), " nodes"));
  if (graph_.alive(n)) name_node(f, graph_, n);
  throw f.with(
      "hint",
      "register_new_node is for nodes that can become part of a bigger match, not for what the callback "
      "would replace by the same again");
}

Traversal::Outcome Traversal::try_at(size_t matcher, NodeId n) {
  auto match = matchers_[matcher].tree.match(n);
  if (!match) {
    if (const std::string& why = matchers_[matcher].tree.near_miss(); !why.empty())
      note_decline(matchers_[matcher].member->statistics, graph_, n, why);
    return Outcome::nothing;
  }
  const size_t before = runner_.journal().size();
  std::vector<NodeId> made;
  if (!runner_.call_on_match(*matchers_[matcher].member, *match, &made)) return Outcome::nothing;
  const bool goes_on = std::erase(made, n) != 0;  // the callback leaves the root to the other matchers
  registered_.insert(registered_.begin(), made.begin(), made.end());
  follow_edits(before);
  return goes_on ? Outcome::changed : Outcome::ended;
}

// Trees that have become possible further on join the queue.
void Traversal::follow_edits(size_t from) {
  std::vector<NodeId> changed;
  const auto& edits = runner_.journal().edits();
  for (size_t i = from; i < edits.size(); ++i)
    if (edits[i].graph == &graph_ && graph_.alive(edits[i].node) &&
        (edits[i].what == "connect" || edits[i].what == "set op"))
      changed.push_back(edits[i].node);
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  std::vector<NodeId> roots;
  for (size_t m = 0; m < matchers_.size(); ++m) {
    roots.clear();
    // Of a group of many matchers most look at one operation alone, and new nodes are not visited.
    const auto first_new = matchers_[m].roots.looks_at_roots_alone()
                               ? std::lower_bound(changed.begin(), changed.end(), end_)
                               : changed.end();
    for (auto n = changed.begin(); n != first_new; ++n) matchers_[m].roots.around(*n, roots);
    for (NodeId n : roots)
      if (n < end_ && visit_of(n, m) > *last_) late_.push(visit_of(n, m));
  }
}

}  // namespace mo::core
