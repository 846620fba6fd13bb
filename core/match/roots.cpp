#include "core/match/roots.hpp"

#include <algorithm>

#include "core/match/match.hpp"

namespace mo::core {

RootFinder::RootFinder(const Graph& g, const Transformation& t, const std::vector<NodeCondition>& conditions)
    : graph_(g), transformation_(t), conditions_(conditions) {
  if (!add_root_ops(0)) root_ops_.clear();
  for (const OpFilter& f : root_ops_) root_count_ += f.count(g);
  if (root_ops_.empty()) root_count_ = g.size();
  choose_path();
}

// False when the root can be anything.
bool RootFinder::add_root_ops(uint32_t pattern) {
  const PatternNodeDef& d = transformation_.nodes[pattern];
  if (d.kind == MO_PATTERN_ANY) return false;
  if (d.kind == MO_PATTERN_OP || d.kind == MO_PATTERN_OPTIONAL) {
    if (conditions_[pattern].ops().any()) return false;
    root_ops_.push_back(conditions_[pattern].ops());
  }
  if (d.kind == MO_PATTERN_OP) return true;
  return std::all_of(d.inputs.begin(), d.inputs.end(),
                     [&](const PatternInput& in) { return add_root_ops(in.node); });
}

// A pattern node is needed when no alternative stands above it. An optional node is not, but what it reads
// is.
void RootFinder::choose_path() {
  path_ = {0};
  if (transformation_.nodes[0].kind != MO_PATTERN_OP) return;
  size_t least = root_count_;
  std::vector<uint32_t> path{0};
  std::vector<bool> seen(transformation_.nodes.size(), false);
  const auto visit = [&](auto& self, uint32_t p) -> void {
    if (seen[p]) return;
    seen[p] = true;
    const PatternNodeDef& d = transformation_.nodes[p];
    if (d.kind != MO_PATTERN_OP && d.kind != MO_PATTERN_OPTIONAL) return;
    if (d.kind == MO_PATTERN_OP && p != 0 && !conditions_[p].ops().any()) {
      const size_t cost =
          2 * conditions_[p].ops().count(graph_);  // climbing is more work than looking at a root
      if (cost < least) {
        least = cost;
        path_ = path;
      }
    }
    for (const PatternInput& in : d.inputs) {
      path.push_back(in.node);
      self(self, in.node);
      path.pop_back();
    }
  };
  visit(visit, 0);
}

bool RootFinder::is_root(NodeId n) const {
  return root_ops_.empty() || std::any_of(root_ops_.begin(), root_ops_.end(),
                                          [&](const OpFilter& f) { return f.matches(graph_.node(n)); });
}

bool RootFinder::accepts(size_t step, NodeId n) const {
  return step == 0 ? is_root(n) : conditions_[path_[step]].ops().matches(graph_.node(n));
}

void RootFinder::look_at_all_roots(std::vector<NodeId>& roots) {
  path_ = {0};
  if (root_ops_.empty()) return OpFilter().collect(graph_, roots);
  for (const OpFilter& f : root_ops_) f.collect(graph_, roots);
}

// From a node that stands for path_[step] to all roots above it. False when the budget is used up.
bool RootFinder::climb(NodeId n, size_t step, std::vector<NodeId>& roots, size_t& budget) const {
  if (budget == 0) return false;
  --budget;
  if (step == 0) {
    roots.push_back(n);
    return true;
  }
  const size_t above = step - 1;
  if (transformation_.nodes[path_[above]].kind == MO_PATTERN_OPTIONAL && !climb(n, above, roots, budget))
    return false;
  for (const OutSlot& out : graph_.node(n).outputs)
    for (PortRef d = out.first; d; d = graph_.node(d.node).inputs[d.port].next) {
      if (budget == 0) return false;
      --budget;
      if (accepts(above, d.node) && !climb(d.node, above, roots, budget)) return false;
    }
  return true;
}

std::vector<NodeId> RootFinder::all() {
  std::vector<NodeId> roots;
  if (path_.size() == 1) {
    look_at_all_roots(roots);
  } else {
    std::vector<NodeId> starts;
    conditions_[path_.back()].ops().collect(graph_, starts);
    size_t budget = root_count_ + 16;
    const bool done = std::all_of(starts.begin(), starts.end(),
                                  [&](NodeId n) { return climb(n, path_.size() - 1, roots, budget); });
    if (!done) look_at_all_roots(roots);
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

void RootFinder::around(NodeId n, std::vector<NodeId>& roots) {
  for (size_t step = 0; step < path_.size(); ++step) {
    size_t budget = root_count_ + 16;
    if (accepts(step, n) && !climb(n, step, roots, budget)) return look_at_all_roots(roots);
  }
}

std::vector<NodeId> root_candidates(const Graph& g, const Transformation& t) {
  if (t.kind == MO_TRANSFORM_MATCHER) {
    const auto conditions = conditions_of(g.symbols(), t);
    return RootFinder(g, t, conditions).all();
  }
  std::vector<NodeId> list;
  OpFilter(g.symbols(), t.ops, t.plugin).collect(g, list);
  return list;
}

}  // namespace mo::core
