// Transformations that run only when a configuration file names them (--transformations_config).
#pragma once

#include <mo/json.hpp>
#include <mo/transformation.hpp>

namespace mo {

// An instance of a "scope" or "points" entry.
class SubgraphMatch : public Match {
 public:
  explicit SubgraphMatch(const Match& m) : Match(m) {}

  // The instance as the file has it, an expression for what the names begin with; empty for points.
  std::string scope() const {
    mo_str s{};
    c_.check(api().scope(c_.get(), m_, &s));
    return std::string(view(s));
  }
  std::string custom_attributes_text() const {
    mo_str s{};
    c_.check(api().custom_attributes(c_.get(), m_, &s));
    return std::string(view(s));
  }
  Json custom_attributes() const { return Json::parse(custom_attributes_text()); }

  std::vector<Node> matched_nodes() const { return nodes(); }
  std::vector<std::string> matched_nodes_names() const {
    std::vector<std::string> names;
    for (const Node& n : nodes()) names.push_back(n.name());
    return names;
  }
  size_t inputs_count() const { return counts().first; }
  size_t outputs_count() const { return counts().second; }

  // The inputs of matched nodes that read input `i`.
  std::vector<InPort> input_nodes(size_t i) const {
    std::vector<InPort> ports;
    for (const mo_port& p : detail::list<mo_port>(c_, [&](mo_port*items, uint64_t n, uint64_t*count) {
           return api().input_ports(c_.get(), m_, static_cast<uint32_t>(i), items, n, count);
         }))
      ports.emplace_back(c_, p);
    return ports;
  }
  // The only one of them.
  InPort single_input_node(size_t i) const {
    const auto ports = input_nodes(i);
    require(ports.size() == 1, "input ", i, " of the match is read by ", ports.size(),
            " nodes; use input_nodes, or make them one by an edit of \"inputs\" in the configuration file");
    return ports.front();
  }
  OutPort output_node(size_t i) const {
    mo_port p{};
    c_.check(api().output_port(c_.get(), m_, static_cast<uint32_t>(i), &p));
    return {c_, p};
  }
  // The matched node whose name, behind the scope, begins with what the regular expression (RE2) says; an
  // empty node when there is none, an error when there are several.
  Node node_by_pattern(std::string_view pattern) const {
    mo_node n = 0;
    const mo_status status = api().node(c_.get(), m_, str(pattern), &n);
    if (status == MO_NOT_FOUND) return {};
    c_.check(status);
    return {c_, n};
  }

 private:
  std::pair<size_t, size_t> counts() const {
    uint32_t inputs = 0, outputs = 0;
    c_.check(api().counts(c_.get(), m_, &inputs, &outputs));
    return {inputs, outputs};
  }
};

namespace detail {

// What a configuration file starts has the id of its entry.
class ConfigTransformation : public Transformation {
 public:
  std::string replacement_id;

 protected:
  explicit ConfigTransformation(int32_t kind) : Transformation(MO_PHASE_FRONT, kind) {}
  void describe(mo_transformation_def& d, ValueStorage&) override {
    require(!replacement_id.empty(), "a transformation of a configuration file has no replacement_id");
    if (id.empty()) id = replacement_id;
    require(id == replacement_id, "transformation '", id, "' has the replacement_id '", replacement_id,
            "': the entry of a configuration file is found by its id, so leave id empty");
    d.id = str(id);
  }
};

}  // namespace detail

// For each instance of the entries "scope" and "points" whose id is replacement_id.
class FrontReplacementFromConfigFileSubGraph
    : public SubGraphReplacement<detail::ConfigTransformation, SubgraphMatch> {
 public:
  virtual void replace_sub_graph(Graph g, SubgraphMatch& m) { replace_by_parts(g, m); }

 protected:
  // The same class serves "points": the host looks for a transformation by id alone.
  FrontReplacementFromConfigFileSubGraph() : SubGraphReplacement(MO_TRANSFORM_CONFIG_SCOPE) {}
  void on_match(Graph g, Match& m) override {
    SubgraphMatch match(m);
    replace_sub_graph(g, match);
  }
};

// Once for each "general" entry whose id is replacement_id.
class FrontReplacementFromConfigFileGeneral : public detail::ConfigTransformation {
 public:
  virtual void transform_graph(Graph, const Json& custom_attributes) = 0;

 protected:
  FrontReplacementFromConfigFileGeneral() : ConfigTransformation(MO_TRANSFORM_CONFIG_GENERAL) {}
  void on_graph(Graph g) override {
    const Context c = g.context();
    mo_str json{};
    c.check(c.host()->rewrite->custom_attributes(c.get(), nullptr, &json));
    transform_graph(g, Json::parse(view(json)));
  }
};

}  // namespace mo
