// Branches of TensorFlow 1 become If: Switch hands its input on to one of two outputs, what depends on the
// other one is not computed, and Merge gives that of its inputs which was.
//
//   Merge(f(Switch(x, p):0), g(Switch(x, p):1))   ->   If(p, x) with else_branch f and then_branch g
#include "loader/flow.hpp"

#include <mo/error.hpp>
#include <mo/text.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace mo::tensorflow {

namespace branches {

// What has to hold for a value to be computed: predicates and what they must be.
using Conditions = std::map<FlowValue, bool>;

static bool is_merge(const FlowNode& n) { return n.op == "Merge" || n.op == "RefMerge"; }
static bool is_switch(const FlowNode& n) { return n.op == "Switch" || n.op == "RefSwitch"; }

struct Group {
  size_t level = 0;
  FlowValue predicate;
  Conditions rest;
  bool operator<(const Group& o) const {
    return std::tie(level, predicate, rest) < std::tie(o.level, o.predicate, o.rest);
  }
};
struct Joined {
  size_t node = 0;
  FlowValue when_true, when_false;
};

class Branches {
 public:
  Branches(FlowGraph& g, const KnownBoolean& known)
      : g_(g),
        known_(known),
        conditions_(g.nodes.size()),
        dead_(g.nodes.size(), false),
        level_(g.nodes.size()) {}

  void run() {
    for (const size_t n : in_order(g_)) look_at(n);
    for (const auto& [group, members] : groups_) make(group, members);
    forward_switches();
    drop_unused();
  }

 private:
  static constexpr size_t most_conditions = 64;

  // Predicates that give the same value have the same key.
  FlowValue predicate(const FlowNode& n) const { return without_identities(g_, n.inputs[1]); }
  std::optional<bool> constant(FlowValue p) const { return known_ ? known_(g_.nodes[p.node]) : std::nullopt; }

  // What a value needs; nothing: it is never computed.
  std::optional<Conditions> needs(FlowValue v) const {
    if (dead_[v.node]) return std::nullopt;
    Conditions c = conditions_[v.node];
    const FlowNode& n = g_.nodes[v.node];
    if (!is_switch(n) || n.inputs.size() != 2) return c;
    const FlowValue p = predicate(n);
    if (const auto value = constant(p)) return *value == (v.output == 1) ? std::optional(c) : std::nullopt;
    const auto [at, fresh] = c.emplace(p, v.output == 1);
    if (!fresh && at->second != (v.output == 1)) return std::nullopt;
    return c;
  }

  void look_at(size_t n) {
    const FlowNode& node = g_.nodes[n];
    for (const FlowValue& v : node.inputs) level_[n] = std::max(level_[n], level_[v.node]);
    if (is_merge(node)) return look_at_merge(n);
    Conditions all;
    for (const FlowValue& v : node.inputs) {
      const auto c = needs(v);
      if (!c) {
        dead_[n] = true;
        return;
      }
      for (const auto& [p, value] : *c) {
        const auto [at, fresh] = all.emplace(p, value);
        if (!fresh && at->second != value) dead_[n] = true;
      }
    }
    require(all.size() <= most_conditions, "branches are nested deeper than ", most_conditions, " levels");
    conditions_[n] = std::move(all);
  }

  void look_at_merge(size_t n) {
    std::vector<std::pair<FlowValue, Conditions>> live;
    for (const FlowValue& v : g_.nodes[n].inputs)
      if (auto c = needs(v)) live.emplace_back(v, std::move(*c));
    if (live.size() == 1) {
      g_.nodes[n].op = "Identity";
      g_.nodes[n].inputs = {live[0].first};
      conditions_[n] = live[0].second;
      return;
    }
    if (live.empty()) {
      dead_[n] = true;
      return;
    }
    if (live.size() != 2) return;  // stays, and is reported as an operator that is not known
    auto& [a, needs_a] = live[0];
    auto& [b, needs_b] = live[1];
    for (const auto& [p, value] : needs_a) {
      const auto other = needs_b.find(p);
      if (other == needs_b.end() || other->second == value) continue;
      Group group{++level_[n], p, {}};
      for (const auto& [q, v] : needs_a)
        if (const auto same = needs_b.find(q); same != needs_b.end() && same->second == v)
          group.rest.emplace(q, v);
      conditions_[n] = group.rest;
      groups_[group].push_back({n, value ? a : b, value ? b : a});
      return;
    }
  }

  void make(const Group& group, const std::vector<Joined>& members) {
    std::map<FlowValue, size_t> captured;
    std::vector<FlowValue> outer{group.predicate};
    FlowBody then_branch(g_), else_branch(g_);
    const auto copy = [&](FlowBody& to, bool value, FlowValue v) {
      return to.copy(v, [&](FlowValue at) -> FlowBody::Place {
        const FlowNode& n = g_.nodes[at.node];
        const bool chooses = is_switch(n) && n.inputs.size() == 2 && predicate(n) == group.predicate;
        const auto its = at.node < conditions_.size() ? conditions_[at.node].find(group.predicate)
                                                      : made_conditions_[at.node].find(group.predicate);
        const auto& all = at.node < conditions_.size() ? conditions_[at.node] : made_conditions_[at.node];
        const bool inside = its != all.end() && its->second == value;
        if (chooses) return {{}, n.inputs[0]};
        if (inside || (n.op == "Const" && n.inputs.empty())) return {};
        const auto [place, fresh] = captured.try_emplace(at, outer.size() - 1);
        if (fresh) outer.push_back(at);
        return {to.argument(place->second), {}};
      });
    };
    std::vector<FlowValue> yes, no;
    for (const Joined& m : members) {
      yes.push_back(copy(then_branch, true, m.when_true));
      no.push_back(copy(else_branch, false, m.when_false));
    }
    FlowNode choice;
    choice.op = "If";
    choice.name = text(g_.nodes[members[0].node].name, "/If");
    choice.inputs = outer;
    choice.bodies.push_back(then_branch.finish(outer.size() - 1, yes));
    choice.bodies.push_back(else_branch.finish(outer.size() - 1, no));
    const size_t made = g_.nodes.size();
    made_conditions_[made] = group.rest;
    g_.nodes.push_back(std::move(choice));
    for (size_t i = 0; i < members.size(); ++i) {
      FlowNode& merge = g_.nodes[members[i].node];
      merge.op = "Identity";
      merge.inputs = {{made, static_cast<uint32_t>(i)}};
    }
  }

  // What still reads a Switch reads its input.
  void forward_switches() {
    for (FlowNode& n : g_.nodes)
      for (FlowValue& v : n.inputs) pass(v);
    for (FlowValue& v : g_.results) pass(v);
    for (FlowNode& n : g_.nodes)
      if (is_switch(n) && n.inputs.size() == 2) n.gone = true;
  }
  void pass(FlowValue& v) const {
    for (size_t steps = 0; steps < g_.nodes.size(); ++steps) {
      const FlowNode& n = g_.nodes[v.node];
      if (!is_switch(n) || n.inputs.size() != 2) return;
      v = n.inputs[0];
    }
  }

  // Of what was computed under a condition, copies are in the branches.
  void drop_unused() {
    std::vector<size_t> waiting;
    std::vector<bool> kept(g_.nodes.size(), false);
    const auto keep = [&](size_t n) {
      if (kept[n]) return;
      kept[n] = true;
      waiting.push_back(n);
    };
    for (size_t n = 0; n < g_.nodes.size(); ++n) {
      const bool conditional = n < conditions_.size() ? dead_[n] || !conditions_[n].empty() : true;
      if (!g_.nodes[n].gone && !conditional) keep(n);
    }
    for (const FlowValue& v : g_.results) keep(v.node);
    for (const size_t a : g_.arguments) keep(a);
    while (!waiting.empty()) {
      const size_t n = waiting.back();
      waiting.pop_back();
      for (const FlowValue& v : g_.nodes[n].inputs) keep(v.node);
    }
    for (size_t n = 0; n < g_.nodes.size(); ++n)
      if (!kept[n]) g_.nodes[n].gone = true;
    for (FlowNode& n : g_.nodes) std::erase_if(n.controls, [&](size_t c) { return g_.nodes[c].gone; });
  }

  FlowGraph& g_;
  const KnownBoolean& known_;
  std::vector<Conditions> conditions_;
  std::map<size_t, Conditions> made_conditions_;
  std::vector<bool> dead_;
  std::vector<size_t> level_;
  std::map<Group, std::vector<Joined>> groups_;
};

}  // namespace branches

void replace_branches(FlowGraph& g, const KnownBoolean& known) {
  const bool any = std::any_of(g.nodes.begin(), g.nodes.end(), [](const FlowNode& n) {
    return !n.gone && (branches::is_switch(n) || branches::is_merge(n));
  });
  if (any) branches::Branches(g, known).run();
}

}  // namespace mo::tensorflow
