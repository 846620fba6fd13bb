// What looking for patterns costs: 200 trees over a graph of 100 000 nodes in which they match 50 times,
// beside a plain traversal that reads each node's op and inputs; and a chain that one matcher fuses, beside
// one of a tenth of the length.
//
//     match_cost ROUNDS
//
// Prints the fastest of the rounds, one `name seconds` per line.
#include <mo/sdk.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"
#include "core/schedule/schedule.hpp"
#include "test_plugin.hpp"

namespace {

using mo::core::NodeId;

constexpr size_t n_nodes = 100'000, n_patterns = 200, n_matches = 50;
constexpr const char* types[] = {"Add", "Multiply", "Convolution", "ReLU", "Concat"};

size_t matched = 0;

// Fits only a node whose input is of a type that this pattern alone wants.
struct Tree : mo::MatcherPass {
  explicit Tree(size_t i) : MatcherPass(MO_PHASE_FRONT) {
    id = mo::text("bench.tree_", i);
    group = "bench.trees";
    const auto inner = mo::wrap_type({mo::text("Rare", i)}, {mo::any_input()});
    register_matcher(mo::wrap_type({types[i % 5]}, {inner})->variadic(),
                     [](mo::Graph, mo::Match&) { ++matched; });
  }
};

struct Fuse : mo::MatcherPass {
  Fuse() : MatcherPass(MO_PHASE_FRONT) {
    id = "bench.fuse";
    force_clean_up = true;
    const auto x = mo::any_input();
    const auto inner = mo::wrap_type({"Twice"}, {x})->one_consumer();
    register_matcher(mo::wrap_type({"Twice"}, {inner}), [this, x](mo::Graph g, mo::Match& m) {
      const mo::Node fused = g.create_node("Twice", "", "", {m.port(x)});
      register_new_node(fused);
      mo::replace_node(m.root(), fused);
    });
  }
};

void register_trees(mo::Registry& r) {
  for (size_t i = 0; i < n_patterns; ++i) r.transformation<Tree>(i);
}
void register_fuse(mo::Registry& r) { r.transformation<Fuse>(); }

mo::core::GraphPtr network(mo::core::Session& session) {
  auto g = mo::core::Graph::create(session.space(), "g");
  NodeId last = g->add_node("Parameter", "opset1", "x", 0, 1), other = last;
  for (size_t i = 1; i + 1 < n_nodes; ++i) {
    const bool rare = i % (n_nodes / n_matches) == n_nodes / n_matches / 2;
    const NodeId n = rare ? g->add_node(mo::text("Rare", (i + 1) % 5), "", "", 1, 1)
                          : g->add_node(types[i % 5], "opset1", "", i % 3 == 0 ? 2 : 1, 1);
    g->connect({last, 0}, {n, 0});
    if (!rare && i % 3 == 0) g->connect({other, 0}, {n, 1});
    if (i % 7 == 0) other = n;
    last = n;
  }
  const NodeId r = g->add_node("Result", "opset1", "r", 1, 0);
  g->connect({last, 0}, {r, 0});
  return g;
}

mo::core::GraphPtr chain(mo::core::Session& session, size_t length) {
  auto g = mo::core::Graph::create(session.space(), "g");
  NodeId last = g->add_node("Parameter", "opset1", "x", 0, 1);
  for (size_t i = 0; i <= length; ++i) {
    const NodeId n = g->add_node("Twice", "", "", 1, 1);
    g->connect({last, 0}, {n, 0});
    last = n;
  }
  g->connect({last, 0}, {g->add_node("Result", "opset1", "r", 1, 0), 0});
  return g;
}

template <class F>
double seconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void need(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "match_cost: %s\n", what);
  std::exit(1);
}

size_t sum = 0;  // keeps the traversal from being left out

void traverse(const mo::core::Graph& g) {
  for (const NodeId n : g.nodes()) {
    sum += g.op(n).size();
    for (const auto& in : g.node(n).inputs) sum += in.source.node;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  mo::core::Session trees{mo::core::host_table()}, fuse{mo::core::host_table()};
  mo::test::load_test_plugin<register_trees>(trees);
  mo::test::load_test_plugin<register_fuse>(fuse);
  const auto net = network(trees);
  const auto tree_schedule = mo::core::make_schedule(trees, {});
  const auto fuse_schedule = mo::core::make_schedule(fuse, {});

  double plain = 1e9, patterns = 1e9, short_chain = 1e9, long_chain = 1e9;
  for (int i = 0; i <= rounds; ++i) {
    plain = std::min(plain, seconds([&] { traverse(*net); }));
    matched = 0;
    patterns = std::min(patterns, seconds([&] { run_phase(trees, *net, tree_schedule, MO_PHASE_FRONT); }));
    need(matched == n_matches, "the patterns matched another number of times");
    for (const size_t length : {size_t{1000}, size_t{10'000}}) {
      const auto g = chain(fuse, length);
      const double time = seconds([&] { run_phase(fuse, *g, fuse_schedule, MO_PHASE_FRONT); });
      need(g->size() == 3, "the chain was not fused");
      double& best = length == 1000 ? short_chain : long_chain;
      best = std::min(best, time);
    }
  }
  need(sum != 0, "nothing was read");
  std::printf("plain %.9f\npatterns %.9f\nchain_1000 %.9f\nchain_10000 %.9f\n", plain, patterns, short_chain,
              long_chain);
  return 0;
}
