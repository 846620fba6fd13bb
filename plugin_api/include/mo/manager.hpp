// Manager: runs transformations, one after the other, from inside another one.
//
//   mo::Manager manager(graph.context());
//   manager.register_pass("com.acme.decompose").register_pass<MyPass>(42);
//   manager.run_passes(graph);
#pragma once

#include <mo/passes.hpp>

#include <deque>
#include <set>

namespace mo {

// What a plugin has registered, of any phase, is run by the host, with its statistics, by id or by class. An
// object whose id nobody has registered is run here: it needs no id, its settings count but for the order and
// `enabled`, and it may be of any class whose pattern is a tree, one operation or the whole graph.
class Manager {
 public:
  explicit Manager(Context c) : c_(c) {}
  Manager& register_pass(std::string id) {
    passes_.push_back({std::move(id), nullptr});
    return *this;
  }
  Manager& register_pass(std::shared_ptr<Transformation> pass) {
    require(pass != nullptr, "register_pass is given no pass");
    std::string id = pass->id;
    passes_.push_back({std::move(id), std::move(pass)});
    return *this;
  }
  template <class T, class... Args>
  Manager& register_pass(Args&&... args) {
    return register_pass(
        std::static_pointer_cast<Transformation>(std::make_shared<T>(std::forward<Args>(args)...)));
  }

  // An id that nobody has registered is an error.
  void run_passes(const Graph& g) {
    for (const Pass& p : passes_)
      if (!run_registered(g, p)) run_own(g, *p.own);
  }

 private:
  struct Pass {
    std::string id;
    std::shared_ptr<Transformation> own;  // nullptr: known by its id alone
  };

  // False: nobody has registered it.
  bool run_registered(const Graph& g, const Pass& p) const {
    if (p.id.empty()) return false;
    const mo_status status = c_.host()->rewrite->run(c_.get(), g.id(), str(p.id));
    if (status == MO_NOT_FOUND && p.own != nullptr) return false;
    c_.check(status);
    return true;
  }

  void run_own(const Graph& g, Transformation& t) {
    if (!t.graph_condition(g)) return;
    run_on(g, t);
    if (!t.run_not_recursively)
      for (const Graph& body : bodies_of(g)) run_own(body, t);
    if (t.force_clean_up) g.clean_up();
  }
  void run_on(const Graph& g, Transformation& t) {
    if (auto* all = dynamic_cast<GraphRewrite*>(&t)) {
      std::vector<MatcherPass*> matchers;
      for (const auto& m : all->matchers_) matchers.push_back(m.get());
      return traverse(g, matchers);
    }
    if (auto* matcher = dynamic_cast<MatcherPass*>(&t)) return traverse(g, {matcher});
    ValueStorage storage;
    mo_transformation_def d{};
    d.kind = t.kind_;
    t.describe(d, storage);
    if (d.kind == MO_TRANSFORM_GRAPH) return t.on_graph(g);
    require(
        d.kind == MO_TRANSFORM_OP, "the pass '", t.id,
        "' has a pattern of nodes and edges, or is for a configuration file: register it with the plugin");
    std::vector<std::string> ops;
    for (uint64_t i = 0; i < d.n_ops; ++i) ops.emplace_back(view(d.ops[i]));
    Matcher m(wrap_type(ops));
    for (const Node& n : g.nodes()) {
      if (!is_there(n) || is_done(n) || !m.match(n)) continue;
      try {
        t.on_node(g, n);
        note_done(n);
      } catch (const Declined&) {
      }
    }
  }
  // As the host does it: producers first, matchers in their order, nodes that they register next.
  void traverse(const Graph& g, const std::vector<MatcherPass*>& matchers) {
    const std::vector<Node> all = g.topological();
    std::deque<Node> queue(all.begin(), all.end());
    const size_t most = 64 * all.size() + 10'000;
    for (size_t visits = 0; !queue.empty(); ++visits) {
      require(visits < most, "endless loop: nodes that a pass registers are matched again and again");
      const Node n = queue.front();
      queue.pop_front();
      if (!is_there(n) || is_done(n)) continue;
      for (MatcherPass* m : matchers) {
        const bool ends = m->apply(n);
        queue.insert(queue.begin(), m->new_nodes().begin(), m->new_nodes().end());
        if (!ends) continue;
        note_done(n);
        break;
      }
    }
  }

  static bool is_there(const Node& n) {
    mo_graph g = 0;
    return n.context().graph().graph_of(n.context().get(), n.id(), &g) == MO_OK;
  }
  // What has been replaced stays until the callback ends; later passes do not look at it.
  bool is_done(const Node& n) const { return replaced_.count(n.id()) != 0; }
  void note_done(const Node& n) {
    if (!is_there(n)) return;
    const auto ports = n.out_ports();
    const bool unread =
        std::all_of(ports.begin(), ports.end(), [](const OutPort& p) { return p.disconnected(); });
    if (!ports.empty() && unread) replaced_.insert(n.id());
  }
  static std::vector<Graph> bodies_of(const Graph& g) {
    std::vector<Graph> bodies;
    for (const Node& n : g.nodes())
      for (const std::string& name : n.attr_names()) {
        const mo_value v = n.attrs<1>({name}).front();
        if (v.kind == MO_VALUE_GRAPH) bodies.emplace_back(g.context(), v.u.graph);
        if (v.kind == MO_VALUE_GRAPHS)
          for (uint64_t i = 0; i < v.count; ++i) bodies.emplace_back(g.context(), v.u.graphs[i]);
      }
    return bodies;
  }

  Context c_;
  std::vector<Pass> passes_;
  std::set<mo_node> replaced_;
};

}  // namespace mo
