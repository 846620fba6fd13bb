#include "apps/views/dot.hpp"

#include <deque>
#include <set>

namespace mo::app {

namespace {

using Place = std::pair<const core::Graph*, core::NodeId>;

std::string dot_string(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

// Lines of one label.
std::string label(const std::vector<std::string>& lines) {
  std::string out = "\"";
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string q = dot_string(lines[i]);
    out += (i == 0 ? "" : "\\n") + q.substr(1, q.size() - 2);
  }
  return out + "\"";
}

std::string tensor_text(const core::TensorState& t) {
  if (t.type == ElementType::unknown && !t.shape.has_rank()) return {};
  return text(name(t.type), t.shape);
}

class Drawing {
 public:
  Drawing(const core::Graph& g, const DotOptions& options) : main_(g), options_(options) {
    list(g);
    if (all_.size() > options.most_nodes) choose();
  }

  std::string draw() {
    std::string title = options_.title.empty() ? main_.name() : options_.title;
    std::vector<std::string> lines{title};
    if (limited_)
      lines.push_back(text(chosen_.size(), " of ", all_.size(), " nodes: ",
                           options_.marks.empty() ? "the first ones" : "what changed and what is around it"));
    out_ = "digraph " + dot_string(main_.name()) + " {\n";
    out_ += "  label=" + label(lines) + ";\n  labelloc=t;\n";
    out_ += "  node [shape=box, style=filled, fillcolor=white, fontname=\"Helvetica\", fontsize=10];\n";
    out_ += "  edge [fontname=\"Helvetica\", fontsize=8];\n";
    graph(main_, 1);
    return std::move(out_) + "}\n";
  }

 private:
  void list(const core::Graph& g) {
    numbers_.emplace(&g, numbers_.size());
    for (core::NodeId n : g.nodes()) {
      all_.emplace_back(&g, n);
      if (!g.has_bodies()) continue;
      for (const core::GraphPtr& body : g.bodies(n)) list(*body);
    }
  }

  bool shown(const core::Graph& g, core::NodeId n) const { return !limited_ || chosen_.contains({&g, n}); }

  // From what is marked outwards, nearest first.
  void choose() {
    limited_ = true;
    std::deque<Place> open;
    const auto add = [&](const core::Graph* g, core::NodeId n) {
      if (chosen_.size() < options_.most_nodes && g->alive(n) && chosen_.insert({g, n}).second)
        open.emplace_back(g, n);
    };
    for (const Place& p : all_)
      if (options_.marks.empty() || options_.marks.contains(p)) add(p.first, p.second);
    while (!open.empty()) {
      const auto [g, n] = open.front();
      open.pop_front();
      for (const core::InSlot& in : g->node(n).inputs)
        if (in.source) add(g, in.source.node);
      for (uint32_t i = 0; i < g->node(n).outputs.size(); ++i)
        for (core::PortRef d : g->destinations({n, i})) add(g, d.node);
      if (g->parent() != nullptr) add(g->parent(), g->parent_node());  // or it would stand nowhere
    }
  }

  std::string id(const core::Graph& g, core::NodeId n) const { return text("g", numbers_.at(&g), "n", n); }

  void graph(const core::Graph& g, int depth) {
    const std::string indent(static_cast<size_t>(depth) * 2, ' ');
    for (core::NodeId n : g.nodes()) {
      if (!shown(g, n)) continue;
      node(g, n, indent);
      if (!g.has_bodies()) continue;
      for (const core::GraphPtr& body : g.bodies(n)) {
        out_ += indent + text("subgraph cluster_", numbers_.at(body.get())) + " {\n" + indent +
                "  label=" + label({text("'", body->name(), "' of '", g.name(n), "'")}) + ";\n";
        graph(*body, depth + 1);
        out_ += indent + "}\n";
      }
    }
    for (core::NodeId n : g.nodes())
      if (shown(g, n)) inputs(g, n, indent);
  }

  void node(const core::Graph& g, core::NodeId n, const std::string& indent) {
    std::vector<std::string> lines{std::string(g.op(n)), std::string(g.name(n))};
    if (g.is_const(n)) lines.push_back(tensor_text(g.out({n, 0}).tensor));
    out_ += indent + id(g, n) + " [label=" + label(lines);
    const core::Symbol op = g.node(n).op;
    if (g.is_const(n))
      out_ += ", shape=ellipse";
    else if (op == g.space().parameter || op == g.space().result)
      out_ += ", shape=cds";
    if (const auto mark = options_.marks.find({&g, n}); mark != options_.marks.end())
      out_ += mark->second == Mark::made ? ", fillcolor=palegreen" : ", fillcolor=khaki";
    out_ += "];\n";
  }

  void inputs(const core::Graph& g, core::NodeId n, const std::string& indent) {
    const auto& slots = g.node(n).inputs;
    for (uint32_t i = 0; i < slots.size(); ++i) {
      const core::PortRef from = slots[i].source;
      if (!from || !shown(g, from.node)) continue;
      std::vector<std::string> lines;
      if (const std::string t = tensor_text(g.out(from).tensor); !t.empty() && !g.is_const(from.node))
        lines.push_back(t);
      if (slots.size() > 1 || g.node(from.node).outputs.size() > 1)
        lines.push_back(text(from.port, " to ", i));
      out_ += indent + id(g, from.node) + " -> " + id(g, n);
      if (!lines.empty()) out_ += " [label=" + label(lines) + "]";
      out_ += ";\n";
    }
  }

  const core::Graph& main_;
  const DotOptions& options_;
  std::string out_;
  std::vector<Place> all_;
  std::map<const core::Graph*, size_t> numbers_;  // in the order they are found
  bool limited_ = false;
  std::set<Place> chosen_;
};

}  // namespace

std::string to_dot(const core::Graph& g, const DotOptions& options) { return Drawing(g, options).draw(); }

}  // namespace mo::app
