// Loops of TensorFlow 1 become While. A frame is what one pair of Enter and Exit encloses:
//
//   m = Merge(Enter(x), NextIteration(y))      one for each variable
//   s = Switch(m, LoopCond(condition))         s:1 goes into the body, s:0 to Exit
//   c = Enter(z), is_constant                  what does not change
//
// While(x…, z…): `condition` with m and c as arguments is one graph, y with s:1 and c as arguments the other.
#include "loader/flow.hpp"

#include <mo/error.hpp>
#include <mo/text.hpp>

#include <algorithm>
#include <map>

namespace mo::tensorflow {

namespace frames {

constexpr size_t outside = 0;  // the frame of all that is in none

static bool is_enter(const FlowNode& n) { return n.op == "Enter" || n.op == "RefEnter"; }
static bool is_exit(const FlowNode& n) { return n.op == "Exit" || n.op == "RefExit"; }
static bool is_merge(const FlowNode& n) { return n.op == "Merge" || n.op == "RefMerge"; }
static bool is_switch(const FlowNode& n) { return n.op == "Switch" || n.op == "RefSwitch"; }
static bool is_next(const FlowNode& n) { return n.op == "NextIteration" || n.op == "RefNextIteration"; }

struct Frame {
  std::string name;
  size_t parent = outside;
  std::vector<size_t> nodes;
};

// Which frame each node is in. That of an Exit is the one it leaves.
class Frames {
 public:
  explicit Frames(const FlowGraph& g) : g_(g), of_(g.nodes.size(), outside), list_(1) {
    std::map<std::string, size_t, std::less<>> ids;
    for (const FlowNode& n : g.nodes)
      if (is_enter(n) && ids.try_emplace(n.frame, list_.size()).second)
        list_.push_back({n.frame, outside, {}});
    readers_.resize(g.nodes.size());
    exits_.resize(list_.size());
    for (size_t n = 0; n < g.nodes.size(); ++n) {
      for (const FlowValue& v : g.nodes[n].inputs) readers_[v.node].push_back(n);
      for (const size_t c : g.nodes[n].controls) readers_[c].push_back(n);
      edges_ += 1 + g.nodes[n].inputs.size() + g.nodes[n].controls.size();
    }
    std::vector<size_t> waiting;
    for (size_t n = 0; n < g.nodes.size(); ++n)
      if (is_enter(g.nodes[n])) {
        of_[n] = ids.find(g.nodes[n].frame)->second;
        waiting.push_back(n);
      }
    spread(std::move(waiting));
    for (size_t n = 0; n < g.nodes.size(); ++n)
      if (of_[n] != outside) list_[of_[n]].nodes.push_back(n);
  }
  const std::vector<Frame>& list() const { return list_; }
  size_t depth(size_t frame) const {
    constexpr size_t deepest = 32;
    size_t d = 0;
    for (size_t f = frame; f != outside; f = list_[f].parent)
      require(++d <= deepest, "loops are nested deeper than ", deepest, " levels, or frame '",
              list_[frame].name, "' is inside itself");
    return d;
  }

 private:
  // Of the value a node gives.
  size_t behind(size_t node) const { return is_exit(g_.nodes[node]) ? list_[of_[node]].parent : of_[node]; }
  bool encloses(size_t outer, size_t inner) const {
    for (size_t f = inner, steps = 0; steps <= list_.size(); f = list_[f].parent, ++steps) {
      if (f == outer) return true;
      if (f == outside) return false;
    }
    return false;
  }
  void spread(std::vector<size_t> waiting) {
    // Every frame a node gets lies deeper than the one it had.
    size_t left = 64 * edges_;
    while (!waiting.empty()) {
      const size_t from = waiting.back();
      waiting.pop_back();
      const size_t frame = behind(from);
      if (frame == outside) continue;
      for (const size_t n : readers_[from]) {
        require(left-- != 0, "the frames of the loops do not nest");
        if (is_enter(g_.nodes[n])) {
          Frame& f = list_[of_[n]];
          if (f.parent == frame || of_[n] == frame || encloses(frame, f.parent)) continue;
          f.parent = frame;
          depth(of_[n]);
          const auto& leaving = exits_[of_[n]];  // what they give is in another frame now
          waiting.insert(waiting.end(), leaving.begin(), leaving.end());
        } else if (of_[n] != frame && !encloses(frame, of_[n])) {
          of_[n] = frame;
          if (is_exit(g_.nodes[n])) exits_[frame].push_back(n);
          waiting.push_back(n);
        }
      }
    }
  }

  const FlowGraph& g_;
  std::vector<size_t> of_;
  std::vector<Frame> list_;
  std::vector<std::vector<size_t>> readers_, exits_;
  size_t edges_ = 0;
};

static size_t size_of(const FlowGraph& g) {
  size_t n = g.nodes.size();
  for (const FlowNode& node : g.nodes)
    for (const FlowGraph& body : node.bodies) n += size_of(body);
  return n;
}

class Lowering {
 public:
  Lowering(FlowGraph& g, const Frame& frame, const std::vector<bool>& inside)
      : g_(g), frame_(frame), inside_(inside), read_(g.nodes.size(), false) {
    for (const FlowNode& n : g.nodes)
      if (!n.gone)
        for (const FlowValue& v : n.inputs) read_[v.node] = true;
  }

  void run() {
    find();
    if (!next_.empty()) {
      require(condition_.has_value(), "the loop '", frame_.name, "' has no LoopCond");
      make();
    }
    for (const size_t n : frame_.nodes) {
      FlowNode& node = g_.nodes[n];
      if (is_exit(node)) {
        leave(node);
      } else if (next_.empty() && is_enter(node)) {  // no loop: values pass through
        node.op = "Identity";
      } else if (!next_.empty()) {
        node.gone = true;
      }
    }
  }

 private:
  void find() {
    for (const size_t n : frame_.nodes) {
      const FlowNode& node = g_.nodes[n];
      if (node.op == "LoopCond" && !node.inputs.empty()) {
        require(!condition_ || *condition_ == node.inputs[0], "the loop '", frame_.name,
                "' has more than one LoopCond");
        condition_ = node.inputs[0];
      }
      if (is_merge(node) && node.inputs.size() == 2) find_variable(n);
    }
    for (const size_t n : frame_.nodes) {
      const FlowNode& node = g_.nodes[n];
      if (!is_enter(node)) continue;
      require(node.inputs.size() == 1, "node '", node.name, "' has ", node.inputs.size(),
              " inputs, expected 1");
      if (read_[n] && variable_.emplace(n, outer_.size()).second) outer_.push_back(node.inputs[0]);
    }
  }
  void find_variable(size_t n) {
    const auto& in = g_.nodes[n].inputs;
    const bool second = is_next(g_.nodes[in[1].node]), first = is_next(g_.nodes[in[0].node]);
    if (first == second) return;  // joins branches
    const FlowValue enter = in[second ? 0 : 1], next = in[second ? 1 : 0];
    const FlowNode& start = g_.nodes[enter.node];
    require(is_enter(start) && start.inputs.size() == 1 && g_.nodes[next.node].inputs.size() == 1, "node '",
            g_.nodes[n].name, "' joins the iterations of a loop, but not with an Enter");
    variable_.emplace(n, outer_.size());
    outer_.push_back(start.inputs[0]);
    next_.push_back(g_.nodes[next.node].inputs[0]);
  }

  bool is_condition(FlowValue v) const {
    v = without_identities(g_, v);
    const FlowNode& n = g_.nodes[v.node];
    return n.op == "LoopCond" || (condition_ && v == without_identities(g_, *condition_));
  }
  FlowBody::Place place(FlowBody& to, FlowValue v) {
    if (const auto known = variable_.find(v.node); known != variable_.end())
      return {to.argument(known->second), {}};
    const FlowNode& n = g_.nodes[v.node];
    if (n.op == "LoopCond" && !n.inputs.empty()) return {{}, n.inputs[0]};
    if (is_switch(n) && n.inputs.size() == 2 && is_condition(n.inputs[1])) {
      require(v.output == 1, "the loop '", frame_.name, "' uses after its end what '", n.name,
              "' gives, without an Exit");
      return {{}, n.inputs[0]};
    }
    if (inside_[v.node] || (n.inputs.empty() && n.op == "Const")) return {};
    const auto [captured, fresh] = captured_.try_emplace(v, outer_.size());
    if (fresh) outer_.push_back(v);
    return {to.argument(captured->second), {}};
  }
  void make() {
    FlowBody condition(g_), body(g_);
    const FlowValue test = condition.copy(*condition_, [&](FlowValue v) { return place(condition, v); });
    std::vector<FlowValue> results;
    for (const FlowValue& y : next_)
      results.push_back(body.copy(y, [&](FlowValue v) { return place(body, v); }));
    for (size_t i = next_.size(); i < outer_.size(); ++i) results.push_back(body.argument(i));
    FlowNode loop;
    loop.op = "While";
    loop.name = frame_.name;
    loop.inputs = outer_;
    loop.bodies.push_back(condition.finish(outer_.size(), {test}));
    loop.bodies.push_back(body.finish(outer_.size(), results));
    made_ = g_.nodes.size();
    g_.nodes.push_back(std::move(loop));
  }
  void leave(FlowNode& exit) {
    require(exit.inputs.size() == 1, "node '", exit.name, "' has ", exit.inputs.size(),
            " inputs, expected 1");
    exit.op = "Identity";
    exit.controls.clear();
    if (next_.empty()) return;
    FlowValue v = without_identities(g_, exit.inputs[0]);
    while (is_switch(g_.nodes[v.node]) && v.output == 0)
      v = without_identities(g_, g_.nodes[v.node].inputs.at(0));
    const auto known = variable_.find(v.node);
    require(known != variable_.end(), "node '", exit.name, "' leaves the loop '", frame_.name,
            "' with a value that is none of its variables");
    exit.inputs = {{made_, static_cast<uint32_t>(known->second)}};
  }

  FlowGraph& g_;
  const Frame& frame_;
  const std::vector<bool>& inside_;
  std::vector<bool> read_;
  std::optional<FlowValue> condition_;
  std::map<size_t, size_t> variable_;     // Merge and Enter: number of the variable
  std::map<FlowValue, size_t> captured_;  // values from outside of the frame
  std::vector<FlowValue> outer_, next_;   // by number; those that change come first
  size_t made_ = 0;
};

}  // namespace frames

void replace_frames(FlowGraph& g) {
  constexpr size_t most = 4'000'000;
  const frames::Frames all(g);
  std::vector<size_t> order;
  for (size_t f = 1; f < all.list().size(); ++f) order.push_back(f);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return all.depth(a) > all.depth(b); });
  // The loops that have been made, by the frame they are in.
  std::vector<frames::Frame> list = all.list();
  size_t total = g.nodes.size();
  for (const size_t f : order) {
    std::vector<bool> inside(g.nodes.size(), false);
    for (const size_t n : list[f].nodes) inside[n] = true;
    const size_t before = g.nodes.size();
    frames::Lowering(g, list[f], inside).run();
    frames::Frame& parent = list[list[f].parent];
    for (size_t n = before; n < g.nodes.size(); ++n) {
      parent.nodes.push_back(n);
      for (const FlowGraph& body : g.nodes[n].bodies) total += frames::size_of(body);
    }
    for (const size_t n : list[f].nodes)
      if (!g.nodes[n].gone) parent.nodes.push_back(n);
    require(total <= most, "the loops of the model make more than ", most, " operators");
  }
  // Dependencies on what is gone have no meaning any more.
  for (FlowNode& n : g.nodes) std::erase_if(n.controls, [&](size_t c) { return g.nodes[c].gone; });
}

}  // namespace mo::tensorflow
