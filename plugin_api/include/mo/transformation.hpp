// Transformations, with the names the Model Optimizer's documents use.
//
//   struct FuseThing : mo::FrontReplacementOp {
//     FuseThing() { id = "front.fuse_thing"; ops = {"Thing"}; }
//     std::vector<mo::OutPort> replace_op(mo::Graph g, mo::Node n) override { … }
//   };
//   registry.transformation<FuseThing>();
#pragma once

#include <mo/graph.hpp>
#include <mo/thunk.hpp>

#include <functional>

namespace mo {

struct Anchor {  // ids to put into run_before and run_after
  static constexpr const char* front_start = "front.start";
  static constexpr const char* front_finish = "front.finish";
  static constexpr const char* middle_start = "middle.start";
  static constexpr const char* middle_finish = "middle.finish";
  static constexpr const char* back_start = "back.start";
  static constexpr const char* back_finish = "back.finish";
};

class PatternNode;
using Pattern = std::shared_ptr<PatternNode>;

// A node of a pattern; build it with wrap_type, any_input, optional, any_of and chain the refinements.
class PatternNode : public std::enable_shared_from_this<PatternNode> {
 public:
  struct Input {
    Pattern node;
    int32_t out_port;  // -1: any
  };
  using Predicate = std::function<bool(const OutPort&)>;

  explicit PatternNode(int32_t kind) : kind_(kind) {}

  Pattern named(std::string_view alias) {
    alias_ = alias;
    return shared_from_this();
  }
  Pattern where(Predicate p) {
    predicate_ = std::move(p);
    return shared_from_this();
  }
  template <class T>
  Pattern with(std::string_view attribute, const T& value) {
    attrs_.push_back({storage_.keep(std::string(attribute)), make_value(storage_, value)});
    return shared_from_this();
  }
  Pattern commutative() {
    flags_ |= MO_PATTERN_COMMUTATIVE;
    return shared_from_this();
  }
  Pattern variadic() {
    flags_ |= MO_PATTERN_VARIADIC;
    return shared_from_this();
  }
  Pattern one_consumer() {
    flags_ |= MO_PATTERN_ONE_CONSUMER;
    return shared_from_this();
  }
  // Output `port` of this node, as an input of another one.
  Input output(int32_t port) { return {shared_from_this(), port}; }

  const std::string& alias() const { return alias_; }

 private:
  friend class PatternTable;
  friend Pattern wrap_type(std::vector<std::string>, std::vector<Pattern>, Predicate);
  friend Pattern any_input(Predicate);
  friend Pattern any_of(std::vector<Pattern>);
  friend Pattern optional(std::vector<std::string>, Pattern);
  friend Pattern data_node();

  struct Attr {
    std::string_view name;
    mo_value value;
  };
  int32_t kind_;
  uint32_t flags_ = 0;
  std::string alias_;
  std::vector<std::string> ops_;
  std::vector<Attr> attrs_;
  std::vector<Input> inputs_;
  Predicate predicate_;
  ValueStorage storage_;
};

// A node whose op is one of `types` ("Add" or "opset1::Add"; none = any) and whose inputs match in order.
inline Pattern wrap_type(std::vector<std::string> types, std::vector<Pattern> inputs = {},
                         PatternNode::Predicate predicate = nullptr) {
  auto p = std::make_shared<PatternNode>(MO_PATTERN_OP);
  p->ops_ = std::move(types);
  for (auto& i : inputs) p->inputs_.push_back({std::move(i), -1});
  p->predicate_ = std::move(predicate);
  if (p->inputs_.empty()) p->flags_ |= MO_PATTERN_VARIADIC;
  return p;
}
inline Pattern any_input(PatternNode::Predicate predicate = nullptr) {
  auto p = std::make_shared<PatternNode>(MO_PATTERN_ANY);
  p->predicate_ = std::move(predicate);
  return p;
}
// A constant.
inline Pattern constant() { return wrap_type({"Const"}); }
// The first alternative that matches.
inline Pattern any_of(std::vector<Pattern> alternatives) {
  auto p = std::make_shared<PatternNode>(MO_PATTERN_OR);
  for (auto& a : alternatives) p->inputs_.push_back({std::move(a), -1});
  return p;
}
// `input`, or a node of one of `types` that reads it.
inline Pattern optional(std::vector<std::string> types, Pattern input) {
  auto p = std::make_shared<PatternNode>(MO_PATTERN_OPTIONAL);
  p->ops_ = std::move(types);
  p->inputs_.push_back({std::move(input), -1});
  return p;
}
// pattern() only: the tensor between two nodes.
inline Pattern data_node() { return std::make_shared<PatternNode>(MO_PATTERN_DATA); }

// Nodes and edges of a sub-graph, as pattern() gives them.
struct SubgraphPattern {
  struct Edge {
    std::string from, to;
    int32_t out_port = -1, in_port = -1;
  };
  std::vector<std::pair<std::string, Pattern>> nodes;  // alias, node
  std::vector<Edge> edges;
};

// What on_match got.
class Match {
 public:
  Match(Context c, mo_match* m) : c_(c), m_(m) {}
  Node operator[](std::string_view alias) const {
    mo_node n = 0;
    c_.check(api().node(c_.get(), m_, str(alias), &n));
    return {c_, n};
  }
  Node node(const Pattern& p) const { return (*this)[p->alias()]; }
  OutPort port(const Pattern& p) const { return port(p->alias()); }
  OutPort port(std::string_view alias) const {
    mo_port p{};
    c_.check(api().port(c_.get(), m_, str(alias), &p));
    return {c_, p};
  }
  bool has(std::string_view alias) const {
    mo_node n = 0;
    return api().node(c_.get(), m_, str(alias), &n) == MO_OK;
  }
  Node root() const {
    mo_node n = 0;
    c_.check(api().root(c_.get(), m_, &n));
    return {c_, n};
  }
  std::vector<Node> nodes() const {
    std::vector<Node> list;
    for (mo_node n : detail::list<mo_node>(c_, [&](mo_node*items, uint64_t n, uint64_t*count) {
           return api().nodes(c_.get(), m_, items, n, count);
         }))
      list.emplace_back(c_, n);
    return list;
  }
  Graph graph() const {
    mo_graph g = 0;
    c_.check(api().graph(c_.get(), m_, &g));
    return {c_, g};
  }
  mo_match* get() const { return m_; }
  Context context() const { return c_; }

 private:
  const mo_match_api& api() const { return *c_.host()->match; }
  Context c_;
  mo_match* m_;
};

// Thrown by decline(): the candidate is left as it is.
class Declined : public Error {
 public:
  explicit Declined(const std::string& why) : Error(why, MO_NOT_APPLICABLE) {}
};
// "does not apply", with the reason that --explain shows.
template <class... Args>
[[noreturn]] void decline(const Args&... why) {
  throw Declined(text(why...));
}
// A precondition of a transformation.
template <class... Args>
void only_when(bool condition, const Args&... why) {
  if (!condition) throw Declined(text(why...));
}

// `with[i]` takes over destinations and tensor names of output i of `old_node`, and its name for i = 0.
// `old_node` is removed when the callback ends.
inline void replace_node(const Node& old_node, const std::vector<OutPort>& with) {
  std::vector<mo_port> ports;
  for (const OutPort& p : with) ports.push_back(p.abi());
  const Context c = old_node.context();
  c.check(c.host()->match->replace_outputs(c.get(), old_node.id(), ports.data(), ports.size()));
}
inline void replace_node(const Node& old_node, const Node& with) { replace_node(old_node, with.out_ports()); }

// Renames `to` so that it carries the name users know `from` by; `from` gets another one.
inline void take_name(const Node& from, const Node& to) {
  const std::string name = from.name();
  from.rename(text(name, "/replaced_", from.id() & 0xffffffffU));
  to.rename(name);
}

class Transformation {
 public:
  std::string id, doc, before, after, group;
  std::vector<std::string> run_before, run_after, frameworks;
  bool enabled = true, run_not_recursively = false, force_clean_up = false, force_shape_inference = false;
  virtual bool graph_condition(Graph) { return true; }
  virtual ~Transformation() = default;

 protected:
  Transformation(int32_t phase, int32_t kind) : phase_(phase), kind_(kind) {}
  virtual void on_graph(Graph) {}
  virtual void on_node(Graph, Node) {}
  virtual void on_match(Graph, Match&) {}
  virtual void describe(mo_transformation_def&, ValueStorage&) {}
  int32_t phase_, kind_;
  friend class Registry;
  friend struct TransformationThunks;
};

// Turns pattern nodes into the tables of a mo_transformation_def; predicates stay with the pattern nodes.
class PatternTable {
 public:
  void add_tree(const Pattern& root) {
    index_of(root);
    for (size_t i = 0; i < order_.size(); ++i) fill(i);
  }
  void add_subgraph(const SubgraphPattern& s) {
    for (const auto& [alias, node] : s.nodes) {
      node->alias_ = alias;
      index_of(node);
    }
    for (size_t i = 0; i < order_.size(); ++i) fill(i);
    for (const auto& e : s.edges) edges_.push_back({find(e.from), find(e.to), e.out_port, e.in_port});
  }
  void store(mo_transformation_def& d, ValueStorage& storage) {
    auto& nodes = storage.keep(std::move(nodes_));
    auto& edges = storage.keep(std::move(edges_));
    storage.keep(std::move(order_));
    d.nodes = nodes.data();
    d.n_nodes = nodes.size();
    d.edges = edges.data();
    d.n_edges = edges.size();
  }

 private:
  uint32_t index_of(const Pattern& p) {
    for (size_t i = 0; i < order_.size(); ++i)
      if (order_[i] == p) return static_cast<uint32_t>(i);
    order_.push_back(p);
    if (p->alias_.empty()) p->alias_ = text("#", order_.size() - 1);
    const auto at = static_cast<uint32_t>(order_.size() - 1);
    for (const auto& in : p->inputs_) index_of(in.node);
    return at;
  }
  uint32_t find(std::string_view alias) const {
    for (size_t i = 0; i < order_.size(); ++i)
      if (order_[i]->alias_ == alias) return static_cast<uint32_t>(i);
    fail("the pattern has an edge to '", alias, "', which is none of its nodes");
  }
  void fill(size_t i) {
    PatternNode& p = *order_[i];
    auto& s = p.storage_;
    std::vector<mo_str> ops;
    for (const auto& o : p.ops_) ops.push_back(str(o));
    std::vector<mo_pattern_attr> attrs;
    for (const auto& a : p.attrs_) attrs.push_back({str(a.name), a.value});
    std::vector<mo_pattern_input> inputs;
    for (const auto& in : p.inputs_) inputs.push_back({index_of(in.node), in.out_port});
    mo_pattern_node n{};
    n.size = sizeof n;
    n.alias = str(p.alias_);
    n.n_ops = ops.size();
    n.ops = s.keep(std::move(ops)).data();
    n.n_attrs = attrs.size();
    n.attrs = s.keep(std::move(attrs)).data();
    n.n_inputs = inputs.size();
    n.inputs = s.keep(std::move(inputs)).data();
    n.kind = p.kind_;
    n.flags = p.flags_;
    n.self = &p;
    if (p.predicate_) n.predicate = &predicate;
    nodes_.push_back(n);
  }
  static mo_status predicate(void* self, mo_context* c, mo_port port, int32_t* ok) {
    return detail::guard(
        c, [&] { *ok = static_cast<PatternNode*>(self)->predicate_(OutPort(Context(c), port)) ? 1 : 0; });
  }
  std::vector<Pattern> order_;
  std::vector<mo_pattern_node> nodes_;
  std::vector<mo_pattern_edge> edges_;
};

// Replaces one node. replace_op returns, per output of the node, the port that takes its place.
class FrontReplacementOp : public Transformation {
 public:
  std::vector<std::string> ops;  // "Type", "opset1::Type", or "::Type" for an operation no extractor took
  virtual std::vector<OutPort> replace_op(Graph, Node) = 0;

 protected:
  explicit FrontReplacementOp(int32_t phase = MO_PHASE_FRONT) : Transformation(phase, MO_TRANSFORM_OP) {}
  void on_node(Graph g, Node n) override {
    const auto ports = replace_op(g, n);
    if (!ports.empty()) replace_node(n, ports);
  }
  void describe(mo_transformation_def& d, ValueStorage& storage) override {
    std::vector<mo_str> list;
    for (const auto& o : ops) list.push_back(str(o));
    d.n_ops = list.size();
    d.ops = storage.keep(std::move(list)).data();
  }
};

// A sub-graph given by pattern(), or, without a pattern, the whole graph.
class ReplacementPattern : public Transformation {
 public:
  virtual SubgraphPattern pattern() { return {}; }
  virtual void replace_pattern(Graph, Match&) {
    fail("transformation '", id, "' has a pattern but no replace_pattern");
  }
  virtual void find_and_replace_pattern(Graph) {
    fail("transformation '", id, "' has neither a pattern nor find_and_replace_pattern");
  }

 protected:
  explicit ReplacementPattern(int32_t phase) : Transformation(phase, MO_TRANSFORM_GRAPH) {}
  void on_graph(Graph g) override { find_and_replace_pattern(g); }
  void on_match(Graph g, Match& m) override { replace_pattern(g, m); }
  void describe(mo_transformation_def& d, ValueStorage& storage) override {
    const SubgraphPattern p = pattern();
    if (p.nodes.empty()) return;
    d.kind = MO_TRANSFORM_PATTERN;
    PatternTable table;
    table.add_subgraph(p);
    table.store(d, storage);
  }
};

class FrontReplacementPattern : public ReplacementPattern {
 protected:
  FrontReplacementPattern() : ReplacementPattern(MO_PHASE_FRONT) {}
};
class MiddleReplacementPattern : public ReplacementPattern {
 protected:
  MiddleReplacementPattern() : ReplacementPattern(MO_PHASE_MIDDLE) {}
};
class BackReplacementPattern : public ReplacementPattern {
 protected:
  BackReplacementPattern() : ReplacementPattern(MO_PHASE_BACK) {}
};
class FrontReplacementSubgraph : public ReplacementPattern {
 public:
  virtual void replace_sub_graph(Graph, Match&) = 0;

 protected:
  FrontReplacementSubgraph() : ReplacementPattern(MO_PHASE_FRONT) {}
  void replace_pattern(Graph g, Match& m) final { replace_sub_graph(g, m); }
};

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
  using Callback = std::function<void(Graph, Match&)>;

 protected:
  explicit MatcherPass(int32_t phase = MO_PHASE_MIDDLE) : Transformation(phase, MO_TRANSFORM_MATCHER) {}
  void register_matcher(Pattern root, Callback callback) {
    root_ = std::move(root);
    callback_ = std::move(callback);
  }
  // The traversal that is under way looks at this new node, too.
  void register_new_node(const Node& n) const {
    const Context c = n.context();
    c.check(c.host()->match->register_new_node(c.get(), n.id()));
  }
  void on_match(Graph g, Match& m) override { callback_(g, m); }
  void describe(mo_transformation_def& d, ValueStorage& storage) override {
    require(root_ != nullptr && callback_ != nullptr, "transformation '", id, "' called no register_matcher");
    PatternTable table;
    table.add_tree(root_);
    table.store(d, storage);
  }

 private:
  Pattern root_;
  Callback callback_;
};

struct TransformationThunks {
  static Transformation& of(void* self) { return *static_cast<Transformation*>(self); }
  static mo_status condition(void* self, mo_context* c, mo_graph g, int32_t* ok) {
    return detail::guard(c, [&] { *ok = of(self).graph_condition(Graph(Context(c), g)) ? 1 : 0; });
  }
  static mo_status on_graph(void* self, mo_context* c, mo_graph g) {
    return detail::guard(c, [&] { of(self).on_graph(Graph(Context(c), g)); });
  }
  static mo_status on_node(void* self, mo_context* c, mo_node n) {
    return detail::guard(c, [&] {
      return declinable(c, [&] {
        const Node node(Context(c), n);
        of(self).on_node(node.graph(), node);
      });
    });
  }
  static mo_status on_match(void* self, mo_context* c, mo_match* m) {
    return detail::guard(c, [&] {
      return declinable(c, [&] {
        Match match(Context(c), m);
        of(self).on_match(match.graph(), match);
      });
    });
  }
  static void release(void* self) { delete static_cast<Transformation*>(self); }

 private:
  template <class F>
  static mo_status declinable(mo_context* c, F f) {
    try {
      f();
      return MO_OK;
    } catch (const Declined& d) {
      return c->host->match->decline(c, str(d.what()));
    }
  }
};

}  // namespace mo
