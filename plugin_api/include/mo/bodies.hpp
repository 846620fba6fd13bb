// mo/bodies.hpp: bodies of If, Loop, TensorIterator and their like: how one is put together, and edits that
// keep its port map right; see port_map.hpp.
//
//   BodyBuilder body(g.create_sub_graph("steps"));
//   const OutPort x = body.in("x", sequence, Slices{0});   // in-port 0 of the operation
//   const OutPort state = body.in("state", first);         // in-port 1
//   const OutPort next = step(body.graph(), x, state);
//   body.next(body.out("next", next, 0), state);           // out-port 0 has the last one
//   const Node loop = g.create_node("TensorIterator", "opset1", name, body.inputs(), 1);
//   body.set(loop);
#pragma once

#include <mo/graph.hpp>
#include <mo/port_map.hpp>

#include <algorithm>
#include <vector>

namespace mo {

inline Graph body_of(const Node& n, std::string_view prefix = {}) {
  return {n.context(), n.attr<GraphHandle>(text(prefix, "body")).id};
}
inline std::vector<PortMapEntry> port_map_of(const Node& n, std::string_view prefix = {}) {
  std::vector<PortMapEntry> entries;
  for (const std::string& line : n.attr<std::vector<std::string>>(text(prefix, "port_map")))
    entries.push_back(parse_port_map_entry(line));
  return entries;
}
inline void set_port_map(const Node& n, const std::vector<PortMapEntry>& entries,
                         std::string_view prefix = {}) {
  std::vector<std::string> lines(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) append_text(lines[i], entries[i]);
  n.set(text(prefix, "port_map"), lines);
}

// Puts a body together: its Parameters and Results, and how they are connected with the ports of the
// operation. A name that ends with '_' gets the number of the Parameter or Result. [session]
class BodyBuilder {
 public:
  // `own`: what the operation itself reads before its bodies do, as the condition of an If.
  explicit BodyBuilder(const Graph& body, std::vector<OutPort> own = {})
      : graph_(body), inputs_(std::move(own)) {}
  // Goes on with the body that `n` has.
  explicit BodyBuilder(const Node& n, std::string_view prefix = {})
      : graph_(body_of(n, prefix)), entries_(port_map_of(n, prefix)) {}
  const Graph& graph() const { return graph_; }
  // What the operation reads.
  const std::vector<OutPort>& inputs() const { return inputs_; }

  // What the body has of `from`, which becomes the next in-port. `type`: where it is not the type of `from`.
  OutPort in(std::string_view name, const OutPort& from, std::optional<Slices> slices = {},
             ElementType type = ElementType::unknown) {
    inputs_.push_back(from);
    return parameter(name, inputs_.size() - 1, type == ElementType::unknown ? from.type() : type, slices);
  }
  // What the body has of an in-port.
  OutPort parameter(std::string_view name, size_t port, ElementType type, std::optional<Slices> slices = {}) {
    const Node p = graph_.create_node("Parameter", "opset1", numbered(name, parameters_.size()));
    if (type != ElementType::unknown) p.set("element_type", type);
    p.out_port().set_shape(type, Shape::unknown());
    connect(input_entry(static_cast<int64_t>(port), static_cast<int64_t>(parameters_.size()), slices));
    parameters_.push_back(p.out_port());
    return p.out_port();
  }
  // The next Parameter of the body is there already; `from` becomes the next in-port.
  void take(const OutPort& parameter, const OutPort& from) {
    connect(input_entry(static_cast<int64_t>(inputs_.size()), static_cast<int64_t>(parameters_.size())));
    inputs_.push_back(from);
    parameters_.push_back(parameter);
  }
  // A Result, which out-port `port` has; -1: none has it. Gives its number.
  int64_t out(std::string_view name, const OutPort& value, int64_t port = -1,
              std::optional<Slices> slices = {}, std::string purpose = {}) {
    graph_.create_node("Result", "opset1", numbered(name, static_cast<size_t>(results_)), {value});
    if (port >= 0 || !purpose.empty()) connect(output_entry(port, results_, slices, std::move(purpose)));
    return results_++;
  }
  // Whether there is another iteration of a Loop.
  void condition(const OutPort& value, std::string_view name = "condition") {
    out(name, value, -1, {}, "execution_condition");
  }
  // What the Result has is what the Parameter has in the next iteration.
  void next(int64_t result, int64_t parameter) { edges_.insert(edges_.end(), {result, parameter}); }
  void next(int64_t result, const OutPort& parameter) {
    const auto at = std::find(parameters_.begin(), parameters_.end(), parameter);
    require(at != parameters_.end(), "a state is no Parameter that the body was given");
    next(result, at - parameters_.begin());
  }
  void connect(PortMapEntry e) { entries_.push_back(std::move(e)); }

  // Gives `n` the attributes "<prefix>body" and those that belong to it.
  void set(const Node& n, std::string_view prefix = {}) const {
    const auto held = n.find_attr<GraphHandle>(text(prefix, "body"));
    if (!held || held->id != graph_.id()) n.set(text(prefix, "body"), GraphHandle{graph_.id()});
    set_port_map(n, entries_, prefix);
    if (!edges_.empty()) n.set(text(prefix, "back_edges"), edges_);
  }

 private:
  static std::string numbered(std::string_view name, size_t number) {
    return !name.empty() && name.back() == '_' ? text(name, number) : std::string(name);
  }

  Graph graph_;
  std::vector<OutPort> inputs_, parameters_;
  std::vector<PortMapEntry> entries_;
  std::vector<int64_t> edges_;
  int64_t results_ = 0;
};

// Takes those Parameters out of the body "body" of n, a Loop or a TensorIterator, which `gone` names, one
// entry for each Parameter: with their entries of the port map, their back edges, and the in-ports that
// nothing of the body reads any more. Nothing in the body may read them. A Loop keeps the count and the
// condition, its in-ports 0 and 1. [session]
inline void remove_body_parameters(const Node& n, const std::vector<bool>& gone) {
  const auto parameters = body_of(n).parameters();
  require(gone.size() == parameters.size(), gone.size(), " entries for ", parameters.size(), " Parameters");
  const auto place = [&](int64_t parameter) { return static_cast<size_t>(parameter); };
  std::vector<PortMapEntry> entries;
  std::vector<bool> read(n.in_count(), false);
  for (size_t i = 0; i < read.size() && i < 2; ++i) read[i] = n.op() == "Loop";
  for (const PortMapEntry& e : port_map_of(n)) {
    if (!e.output && gone.at(place(e.internal))) continue;
    if (!e.output && e.external >= 0) read.at(place(e.external)) = true;
    entries.push_back(e);
  }
  const auto moved = [&](int64_t parameter) {
    return parameter - std::count(gone.begin(), gone.begin() + parameter, true);
  };
  for (PortMapEntry& e : entries) {
    if (e.output) continue;
    e.internal = moved(e.internal);
    if (e.external >= 0) e.external -= std::count(read.begin(), read.begin() + e.external, false);
  }
  const auto edges = n.attr("back_edges", std::vector<int64_t>{});
  std::vector<int64_t> kept;
  for (size_t i = 1; i < edges.size(); i += 2)
    if (!gone.at(place(edges[i]))) kept.insert(kept.end(), {edges[i - 1], moved(edges[i])});
  set_port_map(n, entries);
  if (!edges.empty()) n.set("back_edges", kept);
  for (size_t i = 0; i < parameters.size(); ++i)
    if (gone[i]) parameters[i].remove();
  for (size_t i = read.size(); i-- != 0;)
    if (!read[i]) n.delete_input_port(i);
}

}  // namespace mo
