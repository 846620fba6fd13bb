#include "loader/flow.hpp"

#include <mo/error.hpp>
#include <mo/text.hpp>

#include <unordered_set>

namespace mo::tensorflow {

FlowValue without_identities(const FlowGraph& g, FlowValue v) {
  for (size_t steps = 0; steps < g.nodes.size(); ++steps) {
    const FlowNode& n = g.nodes[v.node];
    const bool same = n.op == "Identity" || n.op == "StopGradient" || n.op == "RefIdentity" ||
                      n.op == "PreventGradient" || n.op == "Snapshot";
    if (!same || n.inputs.empty() || v.output != 0) return v;
    v = n.inputs[0];
  }
  return v;
}

std::vector<size_t> in_order(const FlowGraph& g) {
  std::vector<size_t> waits(g.nodes.size(), 0), order;
  std::vector<std::vector<size_t>> readers(g.nodes.size());
  size_t alive = 0;
  for (size_t n = 0; n < g.nodes.size(); ++n) {
    if (g.nodes[n].gone) continue;
    ++alive;
    waits[n] = g.nodes[n].inputs.size();
    for (const FlowValue& v : g.nodes[n].inputs) readers[v.node].push_back(n);
    if (waits[n] == 0) order.push_back(n);
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (const size_t r : readers[order[i]])
      if (--waits[r] == 0) order.push_back(r);
  if (order.size() != alive) order.clear();
  return order;
}

FlowValue FlowBody::argument(size_t number) {
  if (number >= arguments_.size()) arguments_.resize(number + 1);
  if (!arguments_[number]) {
    arguments_[number] = body_.nodes.size();
    FlowNode& p = body_.nodes.emplace_back();
    p.op = "Placeholder";
    p.name = text("argument_", number);
  }
  return {*arguments_[number], 0};
}

// Depth first with a stack of its own: a chain of operators may be as long as the file.
FlowValue FlowBody::copy(FlowValue value, const Stop& stop) {
  // What stands for a value in the body; nothing when its node has to be copied first.
  const auto placed = [&](FlowValue v, FlowValue& outer) -> std::optional<FlowValue> {
    for (size_t steps = 0;; ++steps) {
      require(steps < from_.nodes.size() + 1, "node '", from_.nodes[v.node].name, "' depends on itself");
      const Place p = stop(v);
      if (p.inside) return p.inside;
      if (!p.instead) break;
      v = *p.instead;
    }
    outer = v;
    const auto copied = copies_.find(v.node);
    return copied == copies_.end() ? std::nullopt : std::optional(FlowValue{copied->second, v.output});
  };
  FlowValue outer;
  if (const auto there = placed(value, outer)) return *there;
  std::vector<size_t> stack{outer.node};
  std::unordered_set<size_t> open;
  while (!stack.empty()) {
    const size_t at = stack.back();
    if (copies_.count(at) != 0) {
      stack.pop_back();
      continue;
    }
    const FlowNode& n = from_.nodes[at];
    std::vector<FlowValue> inputs;
    bool ready = true;
    for (const FlowValue& v : n.inputs) {
      FlowValue needed;
      const auto there = placed(v, needed);
      if (there) {
        inputs.push_back(*there);
        continue;
      }
      stack.push_back(needed.node);
      ready = false;
    }
    if (!ready) {
      require(open.insert(at).second, "node '", n.name, "' is part of a cycle that is not a loop");
      continue;
    }
    stack.pop_back();
    copies_.emplace(at, body_.nodes.size());
    FlowNode made = n;
    made.inputs = std::move(inputs);
    made.controls.clear();
    body_.nodes.push_back(std::move(made));
  }
  return *placed(value, outer);
}

FlowGraph FlowBody::finish(size_t count, const std::vector<FlowValue>& results) {
  for (size_t i = 0; i < count; ++i) body_.arguments.push_back(argument(i).node);
  body_.results = results;
  return std::move(body_);
}

static void branches_in_bodies(FlowGraph& g, const KnownBoolean& known) {
  for (FlowNode& n : g.nodes)
    for (FlowGraph& body : n.bodies) {
      replace_branches(body, known);
      branches_in_bodies(body, known);
    }
}

// How often each node is read, or waited for.
static std::vector<size_t> count_readers(const FlowGraph& g) {
  std::vector<size_t> readers(g.nodes.size(), 0);
  for (const FlowNode& n : g.nodes) {
    if (n.gone) continue;
    for (const FlowValue& v : n.inputs) ++readers[v.node];
    for (const size_t c : n.controls) ++readers[c];
  }
  for (const FlowValue& v : g.results) ++readers[v.node];
  for (const size_t a : g.arguments) ++readers[a];
  return readers;
}

// What only loops and branches have read, which have copies of it now, is no output of the model.
static void drop_orphans(FlowGraph& g, const std::vector<size_t>& readers_before) {
  std::vector<size_t> readers = count_readers(g), waiting;
  const auto look_at = [&](size_t n) {
    const bool orphan = n < readers_before.size() && readers_before[n] != 0 && readers[n] == 0;
    if (orphan && !g.nodes[n].gone) waiting.push_back(n);
  };
  for (size_t n = 0; n < g.nodes.size(); ++n) look_at(n);
  while (!waiting.empty()) {
    FlowNode& n = g.nodes[waiting.back()];
    waiting.pop_back();
    if (n.gone) continue;
    n.gone = true;
    const auto release = [&](size_t from) {
      --readers[from];
      look_at(from);
    };
    for (const FlowValue& v : n.inputs) release(v.node);
    for (const size_t c : n.controls) release(c);
  }
}

void make_functional(FlowGraph& g, const KnownBoolean& known) {
  bool any = false;
  for (const FlowNode& n : g.nodes)
    any |=
        n.op == "Switch" || n.op == "RefSwitch" || n.op == "Merge" || n.op == "Enter" || n.op == "RefEnter";
  if (!any) return;
  const std::vector<size_t> readers = count_readers(g);
  replace_frames(g);
  branches_in_bodies(g, known);
  replace_branches(g, known);
  drop_orphans(g, readers);
  constexpr std::string_view expected =
      " gives inside of a loop or branch; expected an Exit or a Merge between them";
  for (const FlowNode& n : g.nodes)
    for (const FlowValue& v : n.inputs)
      require(n.gone || !g.nodes[v.node].gone, "node '", n.name, "' reads what '", g.nodes[v.node].name, "'",
              expected);
  for (const FlowValue& v : g.results)
    require(!g.nodes[v.node].gone, "an output is what '", g.nodes[v.node].name, "'", expected);
}

}  // namespace mo::tensorflow
