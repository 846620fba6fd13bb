// Transformations, with the names the Model Optimizer's documents use.
//
//   struct FuseThing : mo::FrontReplacementOp {
//     FuseThing() { id = "front.fuse_thing"; op = "Thing"; }
//     std::vector<mo::OutPort> replace_op(mo::Graph g, mo::Node n) override { … }
//   };
//   registry.transformation<FuseThing>();
//
// The newer family, ModelPass and MatcherPass, is in mo/passes.hpp, what runs others in mo/manager.hpp; what
// configuration files start, in mo/config.hpp.
#pragma once

#include <mo/match.hpp>
#include <mo/replace.hpp>

#include <map>

namespace mo {

struct Anchor {  // ids to put into run_before and run_after
  static constexpr const char* load_start = "load.start";
  static constexpr const char* load_finish = "load.finish";
  static constexpr const char* front_start = "front.start";
  static constexpr const char* front_finish = "front.finish";
  static constexpr const char* pre_middle_start = "pre_middle.start";
  static constexpr const char* pre_middle_finish = "pre_middle.finish";
  static constexpr const char* middle_start = "middle.start";
  static constexpr const char* middle_finish = "middle.finish";
  static constexpr const char* post_middle_start = "post_middle.start";
  static constexpr const char* post_middle_finish = "post_middle.finish";
  static constexpr const char* back_start = "back.start";
  static constexpr const char* back_finish = "back.finish";
};

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
  friend class GraphRewrite;
  friend class Manager;
  friend struct TransformationThunks;
};

// Replaces one node. replace_op returns, per output of the node, what takes its place: a port, or a node for
// its first output. Without replace_op, replace_sub_graph is given a match with the single alias "op", and
// does everything itself.
class FrontReplacementOp : public Transformation {
 public:
  std::string op;                // "Type", "opset1::Type", or "::Type" for an operation no extractor took
  std::vector<std::string> ops;  // or several of them
  virtual std::vector<OutPort> replace_op(Graph, Node) {
    fail("transformation '", id, "' has neither replace_op nor replace_sub_graph");
  }
  virtual void replace_sub_graph(Graph g, Match& m) {
    const Node n = m["op"];
    const auto ports = replace_op(g, n);
    if (!ports.empty()) replace_node(n, ports);
  }

 protected:
  explicit FrontReplacementOp(int32_t phase = MO_PHASE_FRONT) : Transformation(phase, MO_TRANSFORM_OP) {}
  void on_node(Graph g, Node n) override {
    Match m(n, {{"op", nullptr, OutPort(n.context(), n.id(), 0), true, true}});
    replace_sub_graph(g, m);
  }
  void describe(mo_transformation_def& d, ValueStorage& storage) override {
    std::vector<mo_str> list;
    if (!op.empty()) list.push_back(str(op));
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
    pattern_ = pattern();
    if (pattern_.nodes.empty()) return;
    d.kind = MO_TRANSFORM_PATTERN;
    PatternTable table;
    table.add_subgraph(pattern_);
    table.store(d, storage);
  }

 private:
  SubgraphPattern pattern_;  // its predicates are asked as long as the transformation lives
};

class MiddleReplacementPattern : public ReplacementPattern {
 protected:
  MiddleReplacementPattern() : ReplacementPattern(MO_PHASE_MIDDLE) {}
};
class BackReplacementPattern : public ReplacementPattern {
 protected:
  BackReplacementPattern() : ReplacementPattern(MO_PHASE_BACK) {}
};
// In the front phase the callback of a pattern is called replace_sub_graph.
class FrontReplacementPattern : public ReplacementPattern {
 public:
  virtual void replace_sub_graph(Graph, Match&) {
    fail("transformation '", id, "' has a pattern but no replace_sub_graph");
  }
  void replace_pattern(Graph g, Match& m) override { replace_sub_graph(g, m); }

 protected:
  FrontReplacementPattern() : ReplacementPattern(MO_PHASE_FRONT) {}
};

using NewSubGraph = std::map<std::string, Node>;  // the new nodes, by names of one's own
using InputEdges =
    std::vector<std::pair<InPort, InPort>>;  // of an old node, and of the new one that reads the same
using OutputEdges = std::vector<std::pair<OutPort, OutPort>>;  // of an old node, and what takes its place

namespace detail {

// Connects a new sub-graph as its author says. An old output that only matched nodes read needs no new one.
void connect_sub_graph(const Match&, const InputEdges&, const OutputEdges&,
                       const std::vector<Node>& to_remove);

}  // namespace detail

// Either replace_sub_graph does everything, or generate_sub_graph makes the new nodes, input_edges_match and
// output_edges_match say how they are connected, and nodes_to_remove which of the matched ones go: all, by
// default.
template <class Base, class MatchType>
class SubGraphReplacement : public Base {
 public:
  virtual NewSubGraph generate_sub_graph(Graph, MatchType&) {
    fail("transformation '", this->id, "' has neither replace_sub_graph nor generate_sub_graph");
  }
  virtual InputEdges input_edges_match(Graph, MatchType&, const NewSubGraph&) { return {}; }
  virtual OutputEdges output_edges_match(Graph, MatchType&, const NewSubGraph&) { return {}; }
  virtual std::vector<Node> nodes_to_remove(Graph, MatchType& m) { return m.nodes(); }

 protected:
  using Base::Base;
  void replace_by_parts(Graph g, MatchType& m) {
    const NewSubGraph made = generate_sub_graph(g, m);
    const InputEdges inputs = input_edges_match(g, m, made);
    const OutputEdges outputs = output_edges_match(g, m, made);
    detail::connect_sub_graph(m, inputs, outputs, nodes_to_remove(g, m));
  }
};

class FrontReplacementSubgraph : public SubGraphReplacement<FrontReplacementPattern, Match> {
 public:
  void replace_sub_graph(Graph g, Match& m) override { replace_by_parts(g, m); }
};

inline void detail::connect_sub_graph(const Match& m, const InputEdges& inputs, const OutputEdges& outputs,
                                      const std::vector<Node>& to_remove) {
  const Context c = m.context();
  const mo_rewrite_api& api = *c.host()->rewrite;
  uint32_t n_inputs = 0, n_outputs = 0;
  c.check(api.counts(c.get(), m.get(), &n_inputs, &n_outputs));
  // The host is told which inputs and outputs of the match a new node has: it needs that to find the shapes
  // of an operation without inference.
  std::map<std::pair<mo_node, uint32_t>, uint32_t> input_of;
  for (uint32_t i = 0; i < n_inputs; ++i)
    for (const mo_port& p : list<mo_port>(c, [&](mo_port*items, uint64_t n, uint64_t*count) {
           return api.input_ports(c.get(), m.get(), i, items, n, count);
         }))
      input_of.emplace(std::pair(p.node, p.index), i);
  bool mapped = false;
  for (const auto& [old_port, new_port] : inputs) {
    const auto i = input_of.find({old_port.abi().node, old_port.index()});
    if (i != input_of.end()) {
      c.check(api.map_input(c.get(), m.get(), i->second, new_port.abi()));
      mapped = true;
    } else {
      new_port.set_source(old_port.get_source());
    }
  }
  for (uint32_t i = 0; i < n_outputs; ++i) {
    mo_port p{};
    c.check(api.output_port(c.get(), m.get(), i, &p));
    for (const auto& [old_port, new_port] : outputs) {
      if (old_port != OutPort(c, p)) continue;
      c.check(api.map_output(c.get(), m.get(), i, new_port.abi()));
      mapped = true;
    }
  }
  // The host removes what was matched once something is mapped.
  for (const Node& n : m.nodes()) {
    const bool goes = std::find(to_remove.begin(), to_remove.end(), n) != to_remove.end();
    if (goes && !mapped) n.remove();
    if (!goes && mapped) c.check(api.keep(c.get(), m.get(), n.id()));
  }
}

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
      return c->host->rewrite->decline(c, d.where(), str(d.what()));
    }
  }
};

}  // namespace mo
