// Random patterns in random graphs, against matchers that try everything.
#include <gtest/gtest.h>

#include <random>

#include "core/match/match.hpp"
#include "core/schedule/runner.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using core::Match;
using core::NodeId;
using core::PortRef;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t below(size_t n) { return static_cast<uint32_t>(engine_() % n); }
  bool one_in(size_t n) { return below(n) == 0; }
  std::string op() { return std::string(1, static_cast<char>('A' + below(3))); }

 private:
  std::mt19937 engine_;
};

core::GraphPtr random_graph(Random& random, Lab& lab, size_t size) {
  auto g = lab.session.create_graph("g");
  for (NodeId n = 0; n < size; ++n) {
    const uint32_t inputs = n == 0 ? 0 : random.below(3);
    g->add_node(random.op(), "", "", inputs, 1 + random.below(2));
    for (uint32_t i = 0; i < inputs; ++i) {
      const NodeId from = random.below(n);
      if (!random.one_in(12)) g->connect({from, random.below(g->node(from).outputs.size())}, {n, i});
    }
  }
  return g;
}

// Sub-graphs.

SubgraphPattern random_subgraph(Random& random) {
  SubgraphPattern p;
  std::vector<bool> is_data;
  const bool with_data = random.one_in(2);
  for (size_t i = 0, size = 2 + random.below(3); i < size; ++i) {
    is_data.push_back(with_data && random.one_in(3));
    const Pattern node = is_data.back()     ? data_node()
                         : random.one_in(6) ? any_input()
                                            : wrap_type({random.op()});
    p.nodes.emplace_back(text("n", i), node);
  }
  const auto port = [&] { return random.one_in(3) ? static_cast<int32_t>(random.below(2)) : -1; };
  for (size_t b = 1; b < p.nodes.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (!(is_data[a] && is_data[b]) && random.one_in(2))
        p.edges.push_back({p.nodes[a].first, p.nodes[b].first, port(), port()});
  return p;
}

// What the words of match.hpp say, tried for every way to bind the pattern's nodes.
class Naive {
 public:
  Naive(const core::Graph& g, const core::Transformation& t) : g_(g), t_(t), bound_(t.nodes.size()) {
    for (const auto& n : t.nodes) has_data_ = has_data_ || n.kind == MO_PATTERN_DATA;
    place(0);
  }
  std::set<std::vector<std::pair<NodeId, uint32_t>>> found;

 private:
  bool data(size_t p) const { return t_.nodes[p].kind == MO_PATTERN_DATA; }

  void place(size_t p) {
    if (p == bound_.size()) {
      if (good()) report();
      return;
    }
    for (NodeId n : g_.nodes()) {
      if (!core::op_matches(g_, n, t_.nodes[p].ops)) continue;
      const uint32_t ports = data(p) ? static_cast<uint32_t>(g_.node(n).outputs.size()) : 1;
      for (uint32_t port = 0; port < ports; ++port) {
        bound_[p] = {n, port};
        place(p + 1);
      }
    }
  }

  size_t connections(PortRef from, bool from_port, NodeId to) const {
    size_t count = 0;
    for (const core::InSlot& in : g_.node(to).inputs)
      if (in.source && in.source.node == from.node && (!from_port || in.source.port == from.port)) ++count;
    return count;
  }

  // Every order of the edges, until one gives each a connection of its own.
  bool edges_have_connections(size_t a, size_t b, bool all) const {
    std::vector<core::PatternEdge> edges;
    for (const auto& e : t_.edges)
      if (e.from == a && e.to == b) edges.push_back(e);
    const size_t count = connections(bound_[a], data(a), bound_[b].node);
    if (all ? edges.size() != count : edges.size() > count) return false;
    std::vector<std::pair<uint32_t, uint32_t>> links;
    const auto& inputs = g_.node(bound_[b].node).inputs;
    for (uint32_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].source && inputs[i].source.node == bound_[a].node &&
          (!data(a) || inputs[i].source.port == bound_[a].port))
        links.emplace_back(inputs[i].source.port, i);
    std::sort(links.begin(), links.end());
    do {
      bool fits = true;
      for (size_t k = 0; k < edges.size(); ++k) {
        const bool out =
            data(a) || edges[k].out_port < 0 || links[k].first == static_cast<uint32_t>(edges[k].out_port);
        const bool in = edges[k].in_port < 0 || links[k].second == static_cast<uint32_t>(edges[k].in_port);
        fits = fits && out && in;
      }
      if (fits) return true;
    } while (std::next_permutation(links.begin(), links.end()));
    return edges.empty();
  }

  bool good() const {
    for (size_t a = 0; a < bound_.size(); ++a)
      for (size_t b = 0; b < bound_.size(); ++b) {
        if (a == b) continue;
        if (data(a) == data(b) && (data(a) ? bound_[a] == bound_[b] : bound_[a].node == bound_[b].node))
          return false;
        if (data(a) && data(b)) continue;
        if (data(b)) {
          const bool produces = bound_[a].node == bound_[b].node;
          bool edge = false;
          for (const auto& e : t_.edges) {
            if (e.from != a || e.to != b) continue;
            edge = true;
            if (e.out_port >= 0 && static_cast<uint32_t>(e.out_port) != bound_[b].port) return false;
          }
          if (edge != produces) return false;
        } else if (!edges_have_connections(a, b, !has_data_ || data(a))) {
          return false;
        }
      }
    return true;
  }

  void report() {
    std::vector<std::pair<NodeId, uint32_t>> key;
    for (size_t p = 0; p < bound_.size(); ++p) key.emplace_back(bound_[p].node, data(p) ? bound_[p].port : 0);
    found.insert(key);
  }

  const core::Graph& g_;
  const core::Transformation& t_;
  std::vector<PortRef> bound_;
  bool has_data_ = false;
};

TEST(RandomMatchTest, SubgraphsAgreeWithTryingEverything) {
  size_t total = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Lab lab;
    const SubgraphPattern p = random_subgraph(random);
    lab.plugin("com.test", [&](Registry& r) { r.transformation<OnSubgraph>("t.t", p, nullptr); });
    const auto g = random_graph(random, lab, 9);
    const core::Transformation& t = lab["t.t"];
    Naive naive(*g, t);
    std::set<std::vector<std::pair<NodeId, uint32_t>>> found;
    for (const Match& m : core::match_subgraphs(lab.session, *g, t)) {
      std::vector<std::pair<NodeId, uint32_t>> key;
      for (size_t i = 0; i < m.bound.size(); ++i)
        key.emplace_back(m.bound[i].node, t.nodes[i].kind == MO_PATTERN_DATA ? m.bound[i].port : 0);
      EXPECT_TRUE(found.insert(key).second) << "found twice, seed " << seed;
    }
    ASSERT_EQ(found, naive.found) << "seed " << seed << "\n" << app::to_text(*g);
    total += found.size();
  }
  EXPECT_GT(total, 500U);
}

// Trees.

Pattern random_tree(Random& random, int depth, std::vector<Pattern>& seen) {
  if (!seen.empty() && random.one_in(5)) return seen[random.below(seen.size())];
  Pattern p;
  if (depth == 0 || random.one_in(5)) {
    p = any_input();
  } else if (random.one_in(6)) {
    const auto a = random_tree(random, depth - 1, seen), b = random_tree(random, depth - 1, seen);
    p = any_of({a, b});
  } else if (random.one_in(6)) {
    p = optional({random.op()}, random_tree(random, depth - 1, seen))->variadic();
  } else {
    std::vector<Pattern> inputs;
    for (size_t i = random.below(3); i > 0; --i) inputs.push_back(random_tree(random, depth - 1, seen));
    p = wrap_type(random.one_in(6) ? std::vector<std::string>{} : std::vector<std::string>{random.op()},
                  inputs);
    if (random.one_in(2)) p->variadic();
    if (inputs.size() == 2 && random.one_in(2)) p->commutative();
  }
  seen.push_back(p);
  return p;
}

Pattern random_root(Random& random) {
  std::vector<Pattern> seen, inputs;
  for (size_t i = 1 + random.below(2); i > 0; --i) inputs.push_back(random_tree(random, 3, seen));
  auto p = wrap_type({random.op()}, inputs)->variadic();
  if (inputs.size() == 2 && random.one_in(2)) p->commutative();
  return p;
}

// Every root at which a tree matches is among the candidates that the rarest op leads to.
TEST(RandomMatchTest, RootCandidatesMissNothing) {
  size_t matches = 0, candidates = 0, nodes = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    Lab lab;
    const auto root = random_root(random);
    lab.plugin("com.test", [&](Registry& r) { r.transformation<OnTree>("t.t", root, nullptr); });
    const auto g = random_graph(random, lab, 40);
    const auto list = core::root_candidates(*g, lab["t.t"]);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    for (NodeId n : g->nodes()) {
      const bool matched = core::match_tree(lab.session, *g, lab["t.t"], n).has_value();
      EXPECT_TRUE(!matched || std::binary_search(list.begin(), list.end(), n)) << "seed " << seed;
      matches += matched ? 1 : 0;
    }
    candidates += list.size();
    nodes += g->size();
  }
  EXPECT_GT(matches, 1000U);
  EXPECT_LT(candidates, nodes / 2);
}

// Traversals.

// Edits around a match in a way that only depends on the match and on how many there were.
class Meddler {
 public:
  explicit Meddler(uint32_t seed) : random_(seed) {}
  void operator()(OnTree& self, Graph g, mo::Match& m) {
    if (++edits_ > 60) decline("enough");
    const Node root = m.root();
    const Node fresh = g.create_node(random_.op(), "", "", {root.out_port(0)});
    switch (random_.below(4)) {
      case 0:
        for (const InPort& d : root.out_port(0).get_destinations())
          if (d.node() != fresh) d.set_source(fresh.out_port());
        break;
      case 1:
        root.set_op(random_.op(), "");
        break;
      case 2:
        for (const InPort& d : root.out_port(0).get_destinations())
          if (d.node() != fresh && random_.one_in(2)) d.node().set_op(random_.op(), "");
        break;
      default:
        if (root.in_count() > 0) root.in_port(0).disconnect();
        break;
    }
    if (random_.one_in(3)) self.register_new_node(fresh);
  }

 private:
  Random random_;
  size_t edits_ = 0;
};

// What one traversal means: every node that is there at the start, in order; at each the first matcher that
// edits.
core::GraphPtr plain_traversal(Lab& lab, const core::GraphPtr& g, const std::vector<std::string>& ids) {
  const NodeId end = g->end_id();
  const auto try_at = [&](auto& self, NodeId n) -> void {
    for (const std::string& id : ids) {
      if (!g->alive(n)) return;
      auto m = core::match_tree(lab.session, *g, lab[id], n);
      if (!m) continue;
      core::Journal journal;
      g->set_journal(&journal);
      core::Rewrite rewrite(journal, g->end_id(), 0, 1000);
      std::vector<NodeId> registered;
      bool edited = false;
      {
        core::Call call(lab.session);
        call->transformation = &lab[id];
        call->graph = g.get();
        call->node = n;
        call->match = &*m;
        call->rewrite = &rewrite;
        const mo_status status = lab[id].on_match(lab[id].self, call.get(), reinterpret_cast<mo_match*>(&*m));
        if (status != MO_OK) journal.roll_back(0);
        edited = status == MO_OK && journal.size() != 0;
        if (edited) registered = rewrite.new_nodes;
      }
      g->set_journal(nullptr);
      if (!edited) continue;
      for (NodeId r : registered) self(self, r);
      return;
    }
  };
  for (NodeId n = 0; n < end; ++n)
    if (g->alive(n)) try_at(try_at, n);
  return g;
}

TEST(RandomMatchTest, TraversalsAgreeWithVisitingEveryNode) {
  size_t edited = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    std::string dumps[2];
    for (int way = 0; way < 2; ++way) {
      Random random(seed);
      Lab lab;
      std::vector<std::string> ids;
      lab.plugin("com.test", [&](Registry& r) {
        for (int i = 0; i < 3; ++i) {
          ids.push_back(text("t.t", i));
          const auto root = random_root(random);
          r.transformation<OnTree>(
              ids.back(), root, Meddler(seed + static_cast<uint32_t>(i)),
              [](mo::Transformation& t) { t.group = "all"; }, MO_PHASE_FRONT);
        }
      });
      const auto g = random_graph(random, lab, 30);
      if (way == 0) {
        plain_traversal(lab, g, ids);
      } else {
        core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_FRONT);
      }
      dumps[way] = app::to_text(*g);
    }
    ASSERT_EQ(dumps[0], dumps[1]) << "seed " << seed;
    edited += dumps[0].find("_") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(edited, 100U);
}

}  // namespace
}  // namespace mo::test
