// Control flow of TensorFlow 1 made functional. A model has loops as cycles of Enter, Merge, Switch,
// NextIteration and Exit, and branches as Switch and Merge; the graph of the host has neither. Before nodes
// are made, loops become While with the graphs `cond` and `body`, and branches If with `then_branch` and
// `else_branch`: what newer models have from the start.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mo::tensorflow {

struct FlowGraph;

struct FlowValue {
  size_t node = 0;
  uint32_t output = 0;
  friend bool operator==(const FlowValue& a, const FlowValue& b) {
    return a.node == b.node && a.output == b.output;
  }
  friend bool operator<(const FlowValue& a, const FlowValue& b) {
    return a.node != b.node ? a.node < b.node : a.output < b.output;
  }
};

struct FlowNode {
  static constexpr size_t made = SIZE_MAX;

  std::string name, op;
  std::vector<FlowValue> inputs;
  std::vector<size_t> controls;
  size_t origin = made;  // the NodeDef that has the attributes
  std::string frame;     // of Enter: attribute frame_name
  bool gone = false;
  // While: cond, body; If: then_branch, else_branch.
  std::vector<FlowGraph> bodies;
};

// A model, or a body. Nodes that are gone keep their place in the list.
struct FlowGraph {
  std::vector<FlowNode> nodes;
  std::vector<size_t> arguments;   // of a body: nodes with op "Placeholder" and no origin
  std::vector<FlowValue> results;  // of a body
};

// The value of a Const that is one boolean; nothing for all others.
using KnownBoolean = std::function<std::optional<bool>(const FlowNode&)>;

// Loops and branches, nested ones too. What no control flow leads out of is dropped with it. Error: frames
// that do not nest, loops without a condition.
void make_functional(FlowGraph&, const KnownBoolean&);

// The parts of it.
void replace_frames(FlowGraph&);
void replace_branches(FlowGraph&, const KnownBoolean&);

// `v` behind operators that give their input as it is.
FlowValue without_identities(const FlowGraph&, FlowValue v);
// Producers before readers; empty when there is a cycle. Nodes that are gone are left out.
std::vector<size_t> in_order(const FlowGraph&);

// Copies what values depend on into a body, up to where `stop` says what stands for a value in the body.
class FlowBody {
 public:
  explicit FlowBody(const FlowGraph& from) : from_(from) {}
  // The argument with this number; it is made when it is asked for first.
  FlowValue argument(size_t number);
  // Nothing: the node is copied. A value of the outer graph may be given for another one to be copied
  // instead.
  struct Place {
    std::optional<FlowValue> inside, instead;
  };
  using Stop = std::function<Place(FlowValue)>;
  FlowValue copy(FlowValue v, const Stop& stop);
  // The body, with `count` arguments.
  FlowGraph finish(size_t count, const std::vector<FlowValue>& results);

 private:
  const FlowGraph& from_;
  FlowGraph body_;
  std::vector<std::optional<size_t>> arguments_;
  std::unordered_map<size_t, size_t> copies_;  // by node of `from_`
};

}  // namespace mo::tensorflow
