// Sub-graph isomorphism for PATTERN: backtracking along the pattern's edges, starting where it is rarest.
#pragma once

#include "core/match/condition.hpp"
#include "core/match/match.hpp"

namespace mo::core {

class SubgraphMatcher {
 public:
  SubgraphMatcher(Session&, Graph&, const Transformation&);

  std::vector<Match> all();
  // Is a match, found earlier, still one?
  bool still_holds(const Match&);

 private:
  struct Step {
    uint32_t pattern;
    const PatternEdge* edge;  // to a node of an earlier step; nullptr: look at `scan`
    std::vector<PortRef> scan;
  };
  struct Link {  // a connection between two matched nodes
    uint32_t out_port, in_port;
  };

  bool is_data(uint32_t p) const { return transformation_.nodes[p].kind == MO_PATTERN_DATA; }
  void check_edges() const;
  bool make_plan();
  int price(const PatternEdge&, bool forward) const;
  Step start_of_component(const std::vector<bool>& planned);

  void search(size_t step);
  void candidates(const Step&, std::vector<PortRef>&) const;
  void producers(const PatternEdge&, std::vector<PortRef>&) const;
  void consumers(const PatternEdge&, std::vector<PortRef>&) const;

  bool fits(uint32_t pattern, PortRef at);
  bool connections_fit(uint32_t from, uint32_t to) const;
  bool operations_fit(uint32_t from, uint32_t to) const;
  void links(uint32_t from, uint32_t to, std::vector<Link>&) const;
  bool assign(uint32_t from, uint32_t to, const std::vector<Link>&, bool all) const;
  uint32_t port_of(uint32_t pattern) const;
  void report();

  Session& session_;
  Graph& graph_;
  const Transformation& transformation_;
  std::vector<NodeCondition> conditions_;
  bool has_data_ = false;
  std::vector<Step> plan_;
  std::vector<PortRef> bound_;
  std::vector<Match> found_;
};

}  // namespace mo::core
