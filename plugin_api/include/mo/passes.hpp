// The newer family of transformations: ModelPass, MatcherPass and GraphRewrite. What runs them from inside
// another one is in mo/manager.hpp.
#pragma once

#include <mo/matcher.hpp>
#include <mo/transformation.hpp>

namespace mo {

// The whole graph.
class ModelPass : public Transformation {
 public:
  virtual void run_on_model(Graph) = 0;

 protected:
  explicit ModelPass(int32_t phase = MO_PHASE_MIDDLE) : Transformation(phase, MO_TRANSFORM_GRAPH) {}
  void on_graph(Graph g) override { run_on_model(g); }
};

// A tree of wrap_type nodes; `callback` edits the graph at each place where it matches.
class MatcherPass : public Transformation {
 public:
  // Runs the pass on one node, from inside another transformation. False: it does not match there, declined,
  // or its callback says false. Nodes that it registers are returned by new_nodes().
  bool apply(const Node& n) {
    prepare();
    new_nodes_.clear();
    by_hand_ = true;
    struct Done {
      bool& by_hand;
      ~Done() { by_hand = false; }
    } done{by_hand_};
    Matcher m(root_);
    if (!m.match(n)) return false;
    try {
      return callback_(n.graph(), m.state());
    } catch (const Declined&) {
      return false;
    }
  }
  const std::vector<Node>& new_nodes() const { return new_nodes_; }
  bool graph_condition(Graph g) override { return rewrite_ == nullptr || rewrite_->graph_condition(g); }

 protected:
  explicit MatcherPass(int32_t phase = MO_PHASE_MIDDLE) : Transformation(phase, MO_TRANSFORM_MATCHER) {}
  // `callback` is a function of (Graph, Match&), and this is called once, by the constructor. One that
  // returns nothing: where it edits something, no other matcher of the group is tried at that root. One that
  // returns bool says so: true, the root has been replaced; false, the others are tried there, whatever has
  // changed.
  template <class F>
  void register_matcher(Pattern root, F callback) {
    require(root_ == nullptr, "transformation '", id, "' calls register_matcher twice");
    root_ = std::move(root);
    if constexpr (std::is_same_v<std::invoke_result_t<F&, Graph, Match&>, bool>) {
      callback_ = std::move(callback);
    } else {
      callback_ = [call = std::move(callback)](Graph g, Match& m) mutable {
        call(g, m);
        return true;
      };
    }
  }
  // The traversal that is under way looks at this new node, too.
  void register_new_node(const Node& n) {
    if (by_hand_) {
      new_nodes_.push_back(n);
      return;
    }
    const Context c = n.context();
    c.check(c.host()->rewrite->register_new_node(c.get(), n.id()));
  }
  void on_match(Graph g, Match& m) override {
    const Node root = m.root();
    if (callback_(g, m)) return;
    const Context c = g.context();  // a root that is gone is no root for others
    const mo_status status = c.host()->rewrite->register_new_node(c.get(), root.id());
    if (status != MO_STALE_HANDLE) c.check(status);
  }
  virtual void prepare() {}  // calls register_matcher, where the constructor could not
  void describe(mo_transformation_def& d, ValueStorage& storage) override {
    prepare();
    require(root_ != nullptr && callback_ != nullptr, "transformation '", id, "' called no register_matcher");
    PatternTable table;
    table.add_tree(root_);
    table.store(d, storage);
  }

 private:
  friend class GraphRewrite;
  Pattern root_;
  std::function<bool(Graph, Match&)> callback_;
  std::shared_ptr<Transformation> rewrite_;
  std::vector<Node> new_nodes_;
  bool by_hand_ = false;
};

// Matchers that share one traversal of the graph. At each node they are tried in the order they were added;
// where all of their roots have types, only those are tried that can match. `id` names the group; each
// matcher keeps an id of its own. Whoever switches the group's id on or off, or asks to have it explained,
// means all of them. registry.transformation<T>() registers all of them.
class GraphRewrite : public Transformation {
 public:
  template <class T, class... Args>
  T& add_matcher(Args&&... args) {
    auto matcher = std::make_unique<T>(std::forward<Args>(args)...);
    T& added = *matcher;
    matchers_.push_back(std::move(matcher));
    return added;
  }
  // Ids of the matchers, in order.
  std::vector<std::string> ids() const {
    std::vector<std::string> list;
    for (const auto& m : matchers_) list.push_back(m->id);
    return list;
  }

 protected:
  explicit GraphRewrite(int32_t phase = MO_PHASE_MIDDLE) : Transformation(phase, MO_TRANSFORM_MATCHER) {}

 private:
  friend class Registry;
  friend class Manager;
  // What is said of the whole is said of each.
  static std::vector<std::unique_ptr<MatcherPass>> matchers_of(const std::shared_ptr<GraphRewrite>& all) {
    for (auto& m : all->matchers_) {
      Transformation& t = *m;
      t.group = all->id;
      t.phase_ = all->phase_;
      t.enabled = t.enabled && all->enabled;
      t.run_not_recursively |= all->run_not_recursively;
      t.force_clean_up |= all->force_clean_up;
      t.force_shape_inference |= all->force_shape_inference;
      for (auto list : {&Transformation::run_before, &Transformation::run_after, &Transformation::frameworks})
        (t.*list).insert((t.*list).end(), (*all.*list).begin(), (*all.*list).end());
      m->rewrite_ = all;
    }
    return std::move(all->matchers_);
  }
  std::vector<std::unique_ptr<MatcherPass>> matchers_;
};

}  // namespace mo
