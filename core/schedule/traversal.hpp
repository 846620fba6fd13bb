// The one traversal that the matchers of a group share.
#pragma once

#include "core/match/roots.hpp"
#include "core/match/tree.hpp"
#include "core/schedule/runner.hpp"

#include <deque>
#include <queue>

namespace mo::core {

// Every node that is there at the start is looked at once, producers before consumers as far as levels are
// known, then in order of creation; at each node the first matcher that edits something ends the matter.
// Nodes where no tree can match are never visited: see RootFinder. A node that a callback registers is looked
// at next.
class Traversal {
 public:
  Traversal(Runner&, Graph&, const std::vector<Member*>&);
  void run();

 private:
  struct Matcher {
    Member* member;
    TreeMatcher tree;
    RootFinder roots;
    Matcher(Session& s, Graph& g, Member& m)
        : member(&m), tree(s, g, *m.transformation), roots(g, *m.transformation, tree.conditions()) {}
  };
  struct Visit {
    uint32_t level = 0;
    NodeId node = 0;
    uint32_t matcher = 0;
    friend auto operator<=>(const Visit&, const Visit&) = default;
  };
  Visit visit_of(NodeId n, size_t matcher) const {
    return {graph_.node(n).level, n, static_cast<uint32_t>(matcher)};
  }
  void plan();
  std::optional<Visit> next();
  void visit_registered();
  enum class Outcome : uint8_t { nothing, changed, ended };  // ended: no other matcher is tried there
  Outcome try_at(size_t matcher, NodeId);
  void follow_edits(size_t from);
  void count_registered(NodeId);

  Runner& runner_;
  Graph& graph_;
  std::deque<Matcher> matchers_;  // a deque: RootFinder refers to its neighbour
  NodeId end_;                    // nodes from here on are new
  std::vector<Visit> planned_;
  size_t at_ = 0;
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> late_;  // became possible on the way
  std::optional<Visit> last_;
  std::deque<NodeId> registered_;
  size_t registered_edits_ = 0, most_registered_edits_;
};

}  // namespace mo::core
