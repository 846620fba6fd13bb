#include "core/match/subgraph.hpp"

#include <algorithm>
#include <tuple>

namespace mo::core {

namespace {

// More than a pattern with some sense can have.
size_t most_matches(const Graph& g) { return 100'000 + 16 * g.size(); }

auto order_of(const PortRef& p) { return std::tuple(p.node, p.port); }

}  // namespace

SubgraphMatcher::SubgraphMatcher(Session& session, Graph& g, const Transformation& t)
    : session_(session), graph_(g), transformation_(t), conditions_(conditions_of(g.symbols(), t)) {
  for (uint32_t p = 0; p < t.nodes.size(); ++p) has_data_ = has_data_ || is_data(p);
  bound_.resize(t.nodes.size());
}

std::vector<Match> SubgraphMatcher::all() {
  found_.clear();
  if (make_plan()) search(0);
  std::sort(found_.begin(), found_.end(), [](const Match& a, const Match& b) {
    return std::lexicographical_compare(a.bound.begin(), a.bound.end(), b.bound.begin(), b.bound.end(),
                                        [](PortRef x, PortRef y) { return order_of(x) < order_of(y); });
  });
  return std::move(found_);
}

void SubgraphMatcher::search(size_t step) {
  if (step == plan_.size()) return report();
  std::vector<PortRef> list;
  const Step& s = plan_[step];
  candidates(s, list);
  for (PortRef at : s.edge == nullptr ? s.scan : list) {
    if (!fits(s.pattern, at)) continue;
    bound_[s.pattern] = at;
    search(step + 1);
    bound_[s.pattern] = PortRef();
  }
}

void SubgraphMatcher::candidates(const Step& s, std::vector<PortRef>& list) const {
  if (s.edge == nullptr) return;
  if (s.edge->from == s.pattern)
    producers(*s.edge, list);
  else
    consumers(*s.edge, list);
  const bool data = is_data(s.pattern);
  for (PortRef& p : list)
    if (!data) p.port = 0;
  // The same node may be reached through several connections.
  std::sort(list.begin(), list.end(), [](PortRef a, PortRef b) { return order_of(a) < order_of(b); });
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void SubgraphMatcher::producers(const PatternEdge& e, std::vector<PortRef>& list) const {
  const PortRef to = bound_[e.to];
  if (is_data(e.to)) return list.push_back(to);
  const auto& inputs = graph_.node(to.node).inputs;
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].source && (e.in_port < 0 || i == static_cast<uint32_t>(e.in_port)))
      list.push_back(inputs[i].source);
}

void SubgraphMatcher::consumers(const PatternEdge& e, std::vector<PortRef>& list) const {
  const PortRef from = bound_[e.from];
  const auto& outputs = graph_.node(from.node).outputs;
  for (uint32_t o = 0; o < outputs.size(); ++o) {
    if (is_data(e.from) ? o != from.port : e.out_port >= 0 && o != static_cast<uint32_t>(e.out_port))
      continue;
    if (is_data(e.to)) {
      list.push_back({from.node, o});
      continue;
    }
    for (PortRef d = outputs[o].first; d; d = graph_.node(d.node).inputs[d.port].next)
      if (e.in_port < 0 || d.port == static_cast<uint32_t>(e.in_port)) list.push_back(d);
  }
}

bool SubgraphMatcher::fits(uint32_t p, PortRef at) {
  const bool data = is_data(p);
  if (data ? !conditions_[p].holds_for_data(session_, graph_, at)
           : !conditions_[p].holds(session_, graph_, at))
    return false;
  bound_[p] = at;
  bool ok = true;
  for (uint32_t q = 0; ok && q < bound_.size(); ++q) {
    if (q == p || !bound_[q]) continue;
    if (is_data(q) == data && (data ? bound_[q] == at : bound_[q].node == at.node)) ok = false;
    ok = ok && connections_fit(p, q) && connections_fit(q, p);
  }
  bound_[p] = PortRef();
  return ok;
}

void SubgraphMatcher::report() {
  const std::vector<PortRef> bare = bound_;
  for (uint32_t p = 0; p < bound_.size(); ++p)
    if (!is_data(p)) bound_[p].port = port_of(p);
  Match m;
  m.bound = std::exchange(bound_, bare);
  for (uint32_t p = 0; p < m.bound.size(); ++p)
    if (!predicate_holds(session_, graph_, transformation_, p, m.bound[p])) return;
  if (found_.size() == most_matches(graph_))
    throw Failure(Exit::plugin, "MO0606", text("the pattern matches in more than ", found_.size(), " ways"))
        .with("pass", transformation_.id)
        .with("hint", "name the ports of its edges, or give its nodes types");
  m.graph = &graph_;
  m.transformation = &transformation_;
  m.root = m.bound.front().node;
  found_.push_back(std::move(m));
}

// The out-port by which the first edge of the pattern leaves the node.
uint32_t SubgraphMatcher::port_of(uint32_t p) const {
  for (const PatternEdge& e : transformation_.edges) {
    if (e.from != p) continue;
    if (e.out_port >= 0) return static_cast<uint32_t>(e.out_port);
    if (is_data(e.to)) return bound_[e.to].port;
    std::vector<Link> between;
    links(p, e.to, between);
    for (const Link& l : between)
      if (e.in_port < 0 || l.in_port == static_cast<uint32_t>(e.in_port)) return l.out_port;
  }
  return 0;
}

bool SubgraphMatcher::still_holds(const Match& m) {
  std::fill(bound_.begin(), bound_.end(), PortRef());
  bool ok = true;
  for (uint32_t p = 0; ok && p < bound_.size(); ++p) {
    PortRef at = m.bound[p];
    if (!is_data(p)) at.port = 0;
    ok = graph_.alive(at.node) && (!is_data(p) || at.port < graph_.node(at.node).outputs.size()) &&
         fits(p, at);
    bound_[p] = at;
  }
  for (uint32_t p = 0; ok && p < bound_.size(); ++p)
    ok = predicate_holds(session_, graph_, transformation_, p, m.bound[p]);
  std::fill(bound_.begin(), bound_.end(), PortRef());
  return ok;
}

std::vector<Match> match_subgraphs(Session& session, Graph& g, const Transformation& t) {
  return SubgraphMatcher(session, g, t).all();
}

}  // namespace mo::core
