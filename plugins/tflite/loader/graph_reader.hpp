// Makes a graph from a sub-graph of the file.
#pragma once

#include "loader/model.hpp"
#include "loader/variables.hpp"

#include <functional>

namespace mo::tflite {

class GraphReader {
 public:
  // `outer` reads the graph that calls this sub-graph.
  GraphReader(Context c, TfliteModel& model, Graph graph, Variables& variables, std::string prefix = {},
              const GraphReader* outer = nullptr)
      : c_(c),
        model_(model),
        graph_(graph),
        variables_(variables),
        prefix_(std::move(prefix)),
        outer_(outer),
        depth_(outer == nullptr ? 0 : outer->depth_ + 1) {}

  // The model itself: inputs and outputs are integers where the file says so.
  void read_main(const SubGraph& g, const Signature* signature);

 private:
  // What a call hands to a sub-graph.
  struct Argument {
    OutPort port;
    std::string variable;  // of a handle
  };
  struct Body {
    Graph graph;
    std::vector<OutPort> outputs;     // those of the sub-graph, and what its variables hold in the end
    std::vector<OutPort> parameters;  // empty ports for arguments that came in as constants
    Variables variables;
    std::vector<OutPort> entered;  // what its variables hold at first
  };
  // Sub-graphs of which one runs.
  struct Choice {
    std::string name;
    std::vector<int64_t> graphs;
    std::vector<std::string> sides;    // what each is called
    std::vector<std::string> carried;  // variables
    size_t outputs;
    bool by_number;  // and not by a condition
  };

  void begin(const SubGraph& g);
  void add_input(int32_t tensor, std::string_view alias);
  void add_operators();
  void add_operator(const Operator& op);
  void add_result(int32_t tensor, std::string_view alias);
  std::vector<std::string> names_of(int32_t tensor, std::string_view alias) const;

  // The value of a tensor as operators see it; a constant is made when it is first read.
  OutPort value(int32_t tensor);
  OutPort constant(int32_t tensor, const Tensor& value);
  OutPort state(int32_t tensor);
  Tensor required_constant(int64_t tensor, std::string_view what) const;
  void define(int32_t tensor, const OutPort& port);
  // An operator's result, with its name, and quantized where the file says so.
  void define_result(const Operator& op, size_t output, const OutPort& port);
  bool keeps_levels(const Operator& op, const TensorInfo& result) const;
  bool is_rounded(const Operator& op, const TensorInfo& result) const;
  bool is_integer_output(int32_t tensor) const;
  // The name of a tensor is that of the node which gives its value in the end.
  std::string node_name(const Operator& op) const;

  void add_native(const Operator& op);
  OutPort input_of(const Operator& op, size_t i);

  // calls.cpp
  bool add_call(const Operator& op);
  void add_if(const Operator& op);
  void add_case(const Operator& op);
  void add_choice(const Operator& op, Choice& c);
  std::string choice_name(const Operator& op) const;
  std::vector<OutPort> chosen(const Choice& c, size_t first, const std::string& name, const OutPort& selector,
                              std::vector<Argument> arguments);
  OutPort equals(const OutPort& number, int64_t value, std::string_view name);
  void add_while(const Operator& op);
  void add_composite(const Operator& op);
  void add_call_once(const Operator& op);
  int64_t called(const Operator& op, std::string_view option) const;
  std::vector<Argument> arguments_of(const Operator& op, size_t first);
  std::vector<OutPort> inlined(int64_t sub_graph, const std::vector<Argument>& arguments, Graph into,
                               std::string_view what, Variables& variables);
  // Adds what a body computes, of its arguments, and gives its outputs.
  using ReadBody = std::function<std::vector<OutPort>(GraphReader&, const std::vector<Argument>&)>;
  // The last arguments are the values of the variables.
  Body body(const std::vector<Argument>& arguments, std::string_view what, const std::vector<bool>& varies,
            const std::vector<std::string>& carried, const ReadBody& read);
  std::vector<OutPort> read_call(const SubGraph& g, const std::vector<Argument>& arguments);
  // Error when it calls itself, directly or not.
  const SubGraph& callee(int64_t sub_graph) const;
  bool is_active(const SubGraph& g) const;

  // resources.cpp
  bool add_resource(const Operator& op);
  const std::string& variable_of(int32_t tensor) const;
  OutPort current_value(const std::string& variable);
  void keep_variable(const std::string& variable, const OutPort& value);
  // Variables that a sub-graph reads or assigns, itself or by what it calls, and its states: their values go
  // into a body and come out of it as others do.
  void find_variables(int64_t sub_graph, const std::string& prefix, std::vector<std::string>& found,
                      std::vector<int64_t>& seen);
  std::vector<std::string> carried_by(const std::vector<int64_t>& sub_graphs,
                                      const std::vector<std::string>& prefixes,
                                      const std::vector<Argument>& arguments);
  // The loader's own value of a state, zeros before the first run.
  OutPort first_state(const std::string& name, const TensorInfo& t);
  bool is_body() const { return body_ || (outer_ != nullptr && outer_->is_body()); }

  const TensorInfo& info(int32_t tensor) const { return sub_graph_->tensors[static_cast<size_t>(tensor)]; }
  std::string name_of(int32_t tensor) const;
  mo_node create(std::string_view op, std::string_view name, const std::vector<mo_port>& inputs,
                 uint32_t outputs, uint64_t native);

  Context c_;
  TfliteModel& model_;
  Graph graph_;
  Variables& variables_;
  std::string prefix_;
  const GraphReader* outer_;
  int depth_;
  bool body_ = false;
  const SubGraph* sub_graph_ = nullptr;
  std::vector<OutPort> values_;       // by tensor; empty ports are not defined yet
  std::vector<std::string> handles_;  // variables that tensors stand for
};

}  // namespace mo::tflite
