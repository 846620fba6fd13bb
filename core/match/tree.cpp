#include "core/match/tree.hpp"

#include <algorithm>

#include "core/registry/opsets.hpp"

namespace mo::core {

namespace {

constexpr size_t most_steps = 100'000;

// Inputs up to the last connected one: optional ones at the end may be left out.
size_t connected_inputs(const NodeRecord& n) {
  size_t count = n.inputs.size();
  while (count > 0 && !n.inputs[count - 1].source) --count;
  return count;
}

}  // namespace

TreeMatcher::TreeMatcher(Session& session, Graph& g, const Transformation& t)
    : session_(session), graph_(g), transformation_(t), conditions_(conditions_of(g.symbols(), t)) {}

std::optional<Match> TreeMatcher::match(NodeId root) {
  const NodeCondition& first = conditions_.front();
  if (!first.ops().matches(graph_.node(root))) return std::nullopt;
  bound_.assign(transformation_.nodes.size(), PortRef());
  asked_.clear();
  near_miss_.clear();
  steps_ = 0;
  const Goal goal{0, {root, 0}, nullptr};
  if (!solve(&goal)) return std::nullopt;
  Match m;
  m.graph = &graph_;
  m.transformation = &transformation_;
  m.root = root;
  m.bound = bound_;
  return m;
}

bool TreeMatcher::solve(const Goal* goal) {
  if (goal == nullptr) return predicates_hold();
  if (++steps_ > most_steps)
    throw Failure(Exit::plugin, "MO0606",
                  text("the pattern can be tried in more than ", most_steps, " ways at one node"))
        .with("node", describe(graph_, goal->port.node))
        .with("pass", transformation_.id)
        .with("hint",
              "fewer commutative nodes and alternatives above one another, or a predicate on the root");
  const PortRef before = bound_[goal->pattern];
  switch (transformation_.nodes[goal->pattern].kind) {
    case MO_PATTERN_OP:
      return solve_op(*goal);
    case MO_PATTERN_OR:
      return before ? before == goal->port && solve(goal->next) : solve_or(*goal);
    case MO_PATTERN_OPTIONAL:
      return before ? before == goal->port && solve(goal->next) : solve_optional(*goal);
    case MO_PATTERN_ANY:
      return before ? before == goal->port && solve(goal->next) : bind_and(*goal, goal->next);
    default:
      return false;
  }
}

bool TreeMatcher::bind_and(const Goal& goal, const Goal* next) {
  bound_[goal.pattern] = goal.port;
  if (solve(next)) return true;
  bound_[goal.pattern] = PortRef();
  return false;
}

static bool commutes(const Registry& registry, const PatternNodeDef& d) {
  if ((d.flags & MO_PATTERN_COMMUTATIVE) != 0) return true;
  if (d.inputs.size() != 2 || d.ops.empty() || (d.flags & MO_PATTERN_IN_ORDER) != 0) return false;
  if (!d.commutes)
    d.commutes = std::all_of(d.ops.begin(), d.ops.end(), [&](const std::string& op) {
      const Operation* o = named_operation(registry, op);
      return o != nullptr && (o->flags & MO_OP_COMMUTATIVE) != 0;
    });
  return *d.commutes;
}

// A second mention of a pattern node is the same node, perhaps through another of its outputs.
bool TreeMatcher::solve_op(const Goal& goal) {
  if (const PortRef before = bound_[goal.pattern]) return before.node == goal.port.node && solve(goal.next);
  if (!conditions_[goal.pattern].holds(session_, graph_, goal.port)) return false;
  const PatternNodeDef& d = transformation_.nodes[goal.pattern];
  if (!inputs_fit(d, graph_.node(goal.port.node))) return false;
  bound_[goal.pattern] = goal.port;
  if (solve_inputs(goal, false)) return true;
  if (commutes(session_.registry(), d) && solve_inputs(goal, true)) return true;
  bound_[goal.pattern] = PortRef();
  return false;
}

bool TreeMatcher::inputs_fit(const PatternNodeDef& d, const NodeRecord& n) const {
  const size_t count = connected_inputs(n);
  const bool variadic = (d.flags & MO_PATTERN_VARIADIC) != 0;
  if (variadic ? count < d.inputs.size() : count != d.inputs.size()) return false;
  for (size_t i = 0; i < d.inputs.size(); ++i)
    if (!n.inputs[i].source) return false;
  return true;
}

bool TreeMatcher::solve_inputs(const Goal& goal, bool swapped) {
  const PatternNodeDef& d = transformation_.nodes[goal.pattern];
  const NodeRecord& n = graph_.node(goal.port.node);
  boost::container::small_vector<Goal, 4> goals(d.inputs.size());
  for (size_t i = 0; i < d.inputs.size(); ++i) {
    const PatternInput& in = d.inputs[i];
    const PortRef source = n.inputs[swapped ? 1 - i : i].source;
    if (in.out_port >= 0 && source.port != static_cast<uint32_t>(in.out_port)) return false;
    goals[i] = {in.node, source, i + 1 < d.inputs.size() ? &goals[i + 1] : goal.next};
  }
  return solve(goals.empty() ? goal.next : goals.data());
}

bool TreeMatcher::solve_or(const Goal& goal) {
  for (const PatternInput& in : transformation_.nodes[goal.pattern].inputs) {
    if (in.out_port >= 0 && goal.port.port != static_cast<uint32_t>(in.out_port)) continue;
    const Goal inner{in.node, goal.port, goal.next};
    if (bind_and(goal, &inner)) return true;
  }
  return false;
}

bool TreeMatcher::solve_optional(const Goal& goal) {
  const PatternNodeDef& d = transformation_.nodes[goal.pattern];
  if (solve_op(goal)) return true;
  const PatternInput& in = d.inputs.front();
  if (in.out_port >= 0 && goal.port.port != static_cast<uint32_t>(in.out_port)) return false;
  const Goal inner{in.node, goal.port, goal.next};
  return bind_and(goal, &inner);
}

bool TreeMatcher::predicates_hold() {
  const auto& nodes = transformation_.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].predicate == nullptr || !bound_[i]) continue;
    if (nodes[i].kind == MO_PATTERN_OPTIONAL && bound_[nodes[i].inputs.front().node] == bound_[i]) continue;
    const std::pair<size_t, PortRef> question{i, bound_[i]};
    auto known =
        std::find_if(asked_.begin(), asked_.end(), [&](const auto& a) { return a.first == question; });
    if (known == asked_.end()) {
      asked_.emplace_back(question,
                          predicate_holds(session_, graph_, transformation_, i, bound_[i], &near_miss_));
      known = asked_.end() - 1;
    }
    if (!known->second) return false;
  }
  return true;
}

std::optional<Match> match_tree(Session& session, Graph& g, const Transformation& t, NodeId root) {
  return TreeMatcher(session, g, t).match(root);
}

}  // namespace mo::core
