// Patterns of operations: trees of wrap_type for a MatcherPass, nodes and edges for pattern().
#pragma once

#include <mo/graph.hpp>
#include <mo/thunk.hpp>

#include <algorithm>
#include <functional>

namespace mo {

// Thrown by decline(): the candidate is left as it is.
class Declined : public Error {
 public:
  explicit Declined(const std::string& why) : Error(why, MO_NOT_APPLICABLE) {}
};
// "does not apply", with the reason that --explain shows. In a condition of a pattern: no, and why.
template <class... Args>
[[noreturn]] void decline(const Args&... why) {
  throw Declined(text(why...));
}
// A precondition of a transformation.
template <class... Args>
void only_when(bool condition, const Args&... why) {
  if (!condition) throw Declined(text(why...));
}
// The same from inside a transformation of a whole graph, which goes on: why it leaves the place at `where`.
template <class... Args>
void pass_over(const Node& where, const Args&... why) {
  const Context c = where.context();
  c.host()->rewrite->decline(c.get(), where.id(), str(text(why...)));
}

class PatternNode;
using Pattern = std::shared_ptr<PatternNode>;

// A node of a pattern; build it with wrap_type, any_input, optional, any_of and chain the refinements.
class PatternNode : public std::enable_shared_from_this<PatternNode> {
 public:
  struct Input {
    Pattern node;
    int32_t out_port;  // or MO_ANY_PORT
  };
  using Predicate = std::function<bool(const OutPort&)>;

  explicit PatternNode(int32_t kind) : kind_(kind) {}

  Pattern named(std::string_view alias) {
    alias_ = alias;
    return shared_from_this();
  }
  // Further conditions; all of them must hold.
  Pattern where(Predicate p) {
    if (p) predicates_.push_back(std::move(p));
    return shared_from_this();
  }
  // The attribute is there, or has a default, and `holds` says yes to its value.
  template <class T>
  Pattern where(std::string_view attribute, std::function<bool(const T&)> holds) {
    return where([name = std::string(attribute), holds = std::move(holds)](const OutPort& p) {
      const auto value = p.node().find_attr<T>(name);
      return value.has_value() && holds(*value);
    });
  }
  template <class T>
  Pattern with(std::string_view attribute, const T& value) {
    attrs_.push_back({storage_.keep(std::string(attribute)), make_value(storage_, value)});
    return shared_from_this();
  }
  // The two inputs may come in either order. That is so without saying it where all of `types` are operations
  // that say so themselves (OpSchema::commutative).
  Pattern commutative() {
    flags_ |= MO_PATTERN_COMMUTATIVE;
    return shared_from_this();
  }
  // The inputs come in this order, whatever the operation.
  Pattern in_order() {
    flags_ = (flags_ & ~static_cast<uint32_t>(MO_PATTERN_COMMUTATIVE)) | MO_PATTERN_IN_ORDER;
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
  friend class Matcher;
  friend Pattern wrap_outputs(std::vector<std::string>, std::vector<Input>, Predicate);
  friend Pattern any_input(Predicate);
  friend Pattern any_of(std::vector<Pattern>);
  friend Pattern optional(std::vector<std::string>, Pattern);
  friend Pattern data_node();

  bool predicates_hold(const OutPort& p) const {
    return std::all_of(predicates_.begin(), predicates_.end(),
                       [&](const Predicate& holds) { return holds(p); });
  }

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
  std::vector<Predicate> predicates_;
  ValueStorage storage_;
};

// The same as wrap_type, of inputs that are certain outputs of others: PatternNode::output.
inline Pattern wrap_outputs(std::vector<std::string> types, std::vector<PatternNode::Input> inputs,
                            PatternNode::Predicate predicate = nullptr) {
  auto p = std::make_shared<PatternNode>(MO_PATTERN_OP);
  p->ops_ = std::move(types);
  p->inputs_ = std::move(inputs);
  p->where(std::move(predicate));
  if (p->inputs_.empty()) p->flags_ |= MO_PATTERN_VARIADIC;
  return p;
}
// A node whose op is one of `types` ("Add" of any set of OpenVINO's, "opset1::Add", "org.acme::Add"; none =
// any) and whose inputs match: in order, or in either order where all of `types` commute, such as Add and
// Multiply (in_order() says otherwise).
inline Pattern wrap_type(std::vector<std::string> types, std::vector<Pattern> inputs = {},
                         PatternNode::Predicate predicate = nullptr) {
  std::vector<PatternNode::Input> any;
  for (auto& i : inputs) any.push_back({std::move(i), MO_ANY_PORT});
  return wrap_outputs(std::move(types), std::move(any), std::move(predicate));
}
inline Pattern any_input(PatternNode::Predicate predicate = nullptr) {
  return std::make_shared<PatternNode>(MO_PATTERN_ANY)->where(std::move(predicate));
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
    Edge out(int32_t port) const { return {from, to, port, in_port}; }
    Edge in(int32_t port) const { return {from, to, out_port, port}; }
  };
  std::vector<std::pair<std::string, Pattern>> nodes;  // alias, node
  std::vector<Edge> edges;
};

// For the edges of a pattern(): edge("mean", "sub").in(1).
inline SubgraphPattern::Edge edge(std::string from, std::string to) {
  return {std::move(from), std::move(to), -1, -1};
}

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
    for (const auto& e : s.edges)
      edges_.push_back({sizeof(mo_pattern_edge), find(e.from), find(e.to), e.out_port, e.in_port});
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
    for (const auto& a : p.attrs_) attrs.push_back({sizeof(mo_pattern_attr), str(a.name), a.value});
    std::vector<mo_pattern_input> inputs;
    for (const auto& in : p.inputs_)
      inputs.push_back({sizeof(mo_pattern_input), index_of(in.node), in.out_port});
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
    n.user = &p;
    if (!p.predicates_.empty()) n.predicate = &predicate;
    nodes_.push_back(n);
  }
  static mo_status predicate(void* self, mo_context* c, mo_port port, int32_t* ok) {
    return detail::guard(c, [&] {
      try {
        *ok = static_cast<PatternNode*>(self)->predicates_hold(OutPort(Context(c), port)) ? 1 : 0;
      } catch (const Declined& d) {
        *ok = 0;
        c->host->rewrite->decline(c, 0, str(d.what()));
      }
    });
  }
  std::vector<Pattern> order_;
  std::vector<mo_pattern_node> nodes_;
  std::vector<mo_pattern_edge> edges_;
};

}  // namespace mo
