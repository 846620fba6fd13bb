// Makes a graph from a body. Calls of functions are replaced by what they call; nodes first, connections
// after them, as a GraphDef has its nodes in any order.
#pragma once

#include "loader/body_reader.hpp"

namespace mo::tensorflow {

class GraphReader {
 public:
  // `names` of tensors are for users: those of the main graph alone.
  GraphReader(Context c, TensorflowModel& model, Graph graph, bool names)
      : c_(c), model_(model), graph_(graph), names_(names) {}

  // Arguments become Parameters. All nodes are there that `outputs` need; when there are none, all nodes, and
  // Results for those that no other node reads.
  void read(const Body& body, const Scope& scope, const std::vector<Body::Output>& outputs);
  // A function: its arguments and outputs in their order. `types` are those of the arguments that do not
  // state one.
  void read_function(const Body& body, const Scope& scope, const std::vector<ElementType>& types);

 private:
  struct Instance;
  struct Emitted {
    mo_node node = 0;
    Instance* called = nullptr;
    uint32_t outputs = 0;
  };
  // A body with the nodes that were made of it.
  struct Instance {
    const Body* body;
    const Scope* scope;
    Instance* caller;
    uint32_t call;  // node of the caller's body
    std::vector<Emitted> nodes;
  };
  struct Place {
    Instance* in;
    Source at;
    friend bool operator<(const Place& a, const Place& b) {
      return std::tie(a.in, a.at.node, a.at.output) < std::tie(b.in, b.at.node, b.at.output);
    }
  };

  Instance& add(const Body&, const Scope&, Instance* caller, uint32_t call, const std::vector<bool>& needed);
  void add_node(Instance&, uint32_t index);
  void add_call(Instance&, uint32_t index, const FunctionValue&);
  void add_parameter(Instance&, uint32_t index, ElementType type);
  void add_argument(Instance&, uint32_t index);
  bool add_variable(Instance&, uint32_t index);
  bool add_constant(Instance&, uint32_t index);
  bool add_table(Instance&, uint32_t index);
  void add_native(Instance&, uint32_t index);
  void set_types(const Node&, const NodeDef&, const Scope&, const std::vector<DataType>&);
  void connect();
  // Bodies are read when all inputs are there, producers first: they tell types.
  void add_bodies();
  void add_bodies(const Node&, const NodeDef&, const Scope&);
  void add_body(const Node&, std::string_view attribute, const Body&, const Scope&);
  void add_function(const Node&, std::string_view attribute, const NodeDef&, const Scope&,
                    const FunctionValue&);
  // The port that gives a value, through calls and arguments.
  mo_port resolve(Instance& in, Source at);
  std::optional<Place> step(const Place&) const;
  void add_result(Instance&, const Body::Output&);
  void name_tensors(const Node&, std::string_view name, uint32_t outputs);
  uint32_t outputs_read(const Instance&, uint32_t index);

  Context c_;
  TensorflowModel& model_;
  Graph graph_;
  bool names_;
  std::vector<ElementType> argument_types_;
  struct Holder {
    const NodeDef* node;
    const Scope* scope;
  };
  std::map<mo_node, Holder> holders_;  // of bodies
  std::deque<Instance> instances_;
  std::map<Place, mo_port> resolved_;  // outputs of calls and arguments
  std::map<const Body*, std::vector<uint32_t>> reads_;
};

// Nodes that outputs need, through data inputs.
std::vector<bool> reachable(const Body& body, const std::vector<Body::Output>& outputs);
// Outputs that no other node reads, nor waits for.
std::vector<Body::Output> leaves(TensorflowModel&, const Body& body, const Scope& scope);

}  // namespace mo::tensorflow
