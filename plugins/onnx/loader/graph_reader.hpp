// Makes a graph from a GraphProto.
#pragma once

#include "loader/functions.hpp"
#include "loader/model.hpp"

#include <tsl/robin_set.h>

#include <set>

namespace mo::onnx {

class GraphReader {
 public:
  // `outer` reads the graph around this one, whose values are visible here.
  GraphReader(Context c, OnnxModel& model, const Scope& scope, Graph graph, GraphReader* outer = nullptr)
      : c_(c), model_(model), scope_(scope), graph_(graph), outer_(outer) {}
  void read(Bytes graph_proto);

 private:
  static constexpr uint32_t none = ~uint32_t{0};
  // A value: where it comes from, or the initializer that becomes a constant when it is first read.
  struct Value {
    std::string_view name;
    mo_node node = 0;
    uint32_t port = 0;
    uint32_t initializer = none;  // in initializers_
    uint32_t definer = none;      // number of the node in the file
    ValueType type;
    bool defined = false;
  };
  struct Initializer {
    Bytes bytes;
    bool sparse = false;
  };
  // Values by name: a table of their numbers, which stays small enough for the processor's caches.
  struct Hash {
    const std::vector<Value>* values;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    size_t operator()(uint32_t number) const { return (*this)((*values)[number].name); }
  };
  struct Equal {
    using is_transparent = void;
    const std::vector<Value>* values;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(uint32_t a, std::string_view b) const { return (*values)[a].name == b; }
    bool operator()(std::string_view a, uint32_t b) const { return (*this)(b, a); }
  };
  using Numbers = tsl::robin_set<uint32_t, Hash, Equal, std::allocator<uint32_t>, true>;  // keeps hashes
  // A graph that an attribute of node_ holds; where the values of this graph go that it reads.
  struct Body {
    std::string_view prefix;
    Graph graph;
    std::vector<std::string> port_map;
    std::vector<ValueType> outputs;
  };
  struct Pending {  // an input whose value is defined by a later node
    mo_port in;
    std::string_view value;
    std::string reader;
  };

  // function_reader.cpp
  struct Call {
    std::string prefix;                               // of all names
    std::map<std::string_view, std::string> results;  // outputs of the function: their names in the graph
  };
  struct Delayed {  // a call with an input that a later node defines
    Bytes node;
    uint32_t number;
  };
  void add_call(const FunctionMessage&);
  void add_delayed_calls();
  bool inputs_are_known();
  void take_result(std::string_view output, std::string_view result, GraphReader& function);
  // An input of the function that its call leaves out; its node is 0.
  void define_absent(std::string_view name);
  // Names of this function as the graph has them; other names stay as they are.
  std::string name_in_graph(std::string_view node) const;
  std::string value_in_graph(std::string_view value) const;

  // flex_attention.cpp
  bool add_modified_attention();
  // The nodes of a graph of one input and one output, which see the values of this graph; its output.
  mo_port add_graph(Bytes attribute_proto, std::string_view attribute, mo_port given, const ValueType&);

  void read_nodes(Bytes proto, uint32_t node_field);
  void add_node(Bytes node, uint32_t number);
  void warn_of_repeated(std::string_view kind, std::string_view of_graph,
                        const std::set<std::string_view>& names, std::string_view counts) const;
  void add_initializers();
  void add_parameters();
  void add_parameter(const ValueInfo&);
  void add_node();
  void add_constant();
  void name_outputs();
  void take_name(const Node&, std::string_view);
  std::string name_for_const(std::string_view initializer) const;
  void add_results();
  void declare_output(const Node& result, const ValueInfo&) const;
  // An error where node_ would compute with numbers of a type that the IR does not have.
  void check_held_types() const;
  // For those that round to the type of an input.
  void note_held_type(const Node&) const;
  void tell_of_held_type(std::string_view what, std::string_view name, const ValueType&) const;
  void connect_pending();
  // body_reader.cpp
  void read_bodies();
  void read_body(std::string_view attribute, std::string_view prefix, uint32_t own_inputs);
  void give_bodies(const Node&) const;
  ValueType type_from_bodies(uint32_t output) const;
  // A value of a graph around this one becomes a constant or a Parameter; nullptr when there is none yet.
  // At the end of this graph it is taken for one that comes later there; nullptr in the main graph only.
  const Value* capture(std::string_view name, bool at_end);
  // The value of a name; a new one for a new name. Stays where it is until the next call.
  Value& value(std::string_view name);
  void define(std::string_view name, mo_port port, ValueType type, uint32_t definer);
  // A value with its port; nullptr when it is not defined (yet).
  const Value* find(std::string_view name);
  // By the rules of ONNX; the front phase has nothing else to know types by.
  ValueType type_of_output(uint32_t output);
  void make_initializer(std::string_view name, Value&);
  Node make_const(std::string_view node_name, std::string_view value, const Tensor&, uint64_t native = 0);
  std::string describe(uint32_t node) const;

  Context c_;
  OnnxModel& model_;
  const Scope& scope_;
  Graph graph_;
  GraphReader* outer_;
  GraphReader* around_ = nullptr;  // reads the same graph: this one's nodes come from an attribute there
  const Call* call_ = nullptr;     // what this function is expanded for
  uint32_t body_depth_ = 0;
  std::vector<std::string_view>
      captured_;  // values around this graph that are Parameters now, in their order
  Bytes proto_;
  uint32_t node_field_ = field::graph::node;
  GraphMessage message_;
  NodeMessage node_;  // the one that is being added
  uint32_t node_number_ = 0;
  std::vector<Value> values_;
  Numbers numbers_{0, Hash{&values_}, Equal{&values_}};
  std::vector<Initializer> initializers_;
  std::vector<Pending> pending_;
  std::vector<Delayed> delayed_;
  bool last_round_ = false;
  std::vector<mo_port> sources_;       // of node_
  std::vector<ValueType> types_;       // of its inputs, as far as they are known
  std::vector<mo_str> names_;          // of its outputs
  std::vector<std::string> in_graph_;  // names_ of a function's node
  std::vector<Body> bodies_;           // of it
};

}  // namespace mo::onnx
