// Matching the tree of a MATCHER at one node.
#pragma once

#include "core/match/condition.hpp"
#include "core/match/match.hpp"

namespace mo::core {

// Backtracks where the pattern leaves a choice: order of commutative inputs, alternatives, optional nodes.
// Predicates are asked last, for a tree that fits otherwise.
class TreeMatcher {
 public:
  TreeMatcher(Session&, Graph&, const Transformation&);

  const std::vector<NodeCondition>& conditions() const { return conditions_; }
  std::optional<Match> match(NodeId root);
  // After a match() that found none: what a predicate said where all operations fitted.
  const std::string& near_miss() const { return near_miss_; }

 private:
  // What is still to be matched: a list whose tails are shared by the choices.
  struct Goal {
    uint32_t pattern;
    PortRef port;
    const Goal* next;
  };
  bool solve(const Goal*);
  bool solve_op(const Goal&);
  bool solve_or(const Goal&);
  bool solve_optional(const Goal&);
  bool solve_inputs(const Goal&, bool swapped);
  bool bind_and(const Goal&, const Goal* next);
  bool inputs_fit(const PatternNodeDef&, const NodeRecord&) const;
  bool predicates_hold();

  Session& session_;
  Graph& graph_;
  const Transformation& transformation_;
  std::vector<NodeCondition> conditions_;
  std::vector<PortRef> bound_;
  std::vector<std::pair<std::pair<size_t, PortRef>, bool>> asked_;  // answers of predicates at this root
  std::string near_miss_;
  size_t steps_ = 0;
};

}  // namespace mo::core
