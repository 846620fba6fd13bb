// Makes a graph from the program.
#pragma once

#include "loader/program.hpp"
#include "loader/views.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <set>

namespace mo::pytorch {

class GraphReader {
 public:
  GraphReader(Context c, PytorchModel& model, Graph graph, std::string prefix = {})
      : c_(c), model_(model), graph_(graph), prefix_(std::move(prefix)) {}
  void read_program(bool keeps_state);

 private:
  static constexpr size_t no_slot = SIZE_MAX;

  // What the program says of a result.
  struct Result {
    std::string_view name;  // "": nobody reads it
    ElementType type = ElementType::unknown;
    Shape shape = Shape::unknown();
    bool is_complex = false, is_number = false;
  };
  // Names of one graph of the program.
  struct Scope {
    std::unordered_map<std::string_view, size_t> slots;
    std::unordered_map<std::string_view, Value> tensors;
  };
  // A tensor, or a number that is computed. Names of the same tensor have the same slot.
  struct Slot {
    Result is;
    OutPort port;         // what it holds; of a view as it was at `seen`
    std::string weight;   // where no port was needed yet
    std::string problem;  // why it cannot be read
    // A view of another slot: the node that makes it, and which of its results.
    size_t base = no_slot;
    Value view;
    std::shared_ptr<Scope> scope;
    size_t part = 0;
    uint64_t writes = 0;  // how often something was written, of what is no view
    uint64_t seen = 0;    // of what it is a view of
  };
  // A buffer, or an input, that the program writes into.
  struct Changed {
    std::string name;
    size_t slot;
    bool is_buffer;
    OutPort last;  // empty: what the slot holds
  };

  // graph_reader.cpp
  void begin(const Value& graph);
  void add_inputs(const Value& graph, bool keeps_state);
  void add_input(const Value& argument);
  void add_weight(std::string_view name, std::string_view fqn, bool keeps_state);
  void add_outputs(const Value& graph, bool keeps_state);
  void add_result(const OutPort& port, std::string_view name);
  void add_nodes(const Value& graph);
  void add_node(const Value& node);
  void add_call(const Value& node, Target target);
  void find_changed(const Value& graph);
  void warn_of_training();
  std::string node_name(const Value& node, const std::vector<Result>& results) const;
  std::vector<Result> results_of(const Value& node) const;
  Result tensor_result(std::string_view name) const;
  Node emit(Target target, Arguments arguments, const std::vector<Result>& results, const Value& node,
            std::string_view name);
  size_t define(const Result& r, const OutPort& port);
  void give_name(std::string_view name, size_t slot) { scope_->slots.insert_or_assign(name, slot); }
  size_t slot_of(std::string_view name) const;
  OutPort value_of(const Value& argument);  // of a result or an operand; an empty port when it is None
  Shape known_rank(const Result& r) const;

  // arguments.cpp
  Arguments arguments_of(const Value& node);
  void add_argument(Arguments& to, const std::string& name, const Value& argument);
  void add_tensors(Arguments& to, const std::string& name, const Value& list, bool optional);
  void add_sizes(Arguments& to, const std::string& name, const Value& list);
  void add_tensor(Arguments& to, std::string port, std::string_view name);
  void add_number(Arguments& to, const std::string& name, std::string_view value);

  // aliases.cpp: views, and writing in place.
  OutPort current(size_t slot);
  size_t root_of(size_t slot) const;
  void write(size_t slot, const OutPort& value);
  OutPort put_back(const Slot& view, const OutPort& base, const OutPort& value);
  std::vector<OutPort> replay(const Slot& view);
  void add_views(const Value& node, const std::vector<Result>& results, const Node& n, size_t base);
  bool is_view(const Target& target, const Value& node) const;
  size_t written_slot(const Value& node) const;

  // control_flow.cpp
  struct Body {
    Graph graph;
    std::vector<OutPort> parameters;  // empty ports for operands that came in as constants
    std::vector<OutPort> outputs;
  };
  using ReadBody = std::function<std::vector<OutPort>(GraphReader&, const std::vector<OutPort>&)>;
  void add_higher_order(const Value& node, const Target& target);
  void add_cond(const Value& node);
  void add_while(const Value& node);
  void add_steps(const Value& node, bool carries);
  bool add_inlined(const Value& node);
  std::vector<OutPort> operands_of(const Value& argument);
  Body body(const std::string& name, const std::vector<OutPort>& operands, const std::vector<bool>& varies,
            const ReadBody& read);
  std::vector<OutPort> read_graph(const Value& graph, const std::vector<OutPort>& operands);
  std::vector<size_t> read_inlined(const Value& graph, const std::vector<size_t>& operands);
  void define_results(const Value& node, const std::vector<OutPort>& ports);

  Context c_;
  PytorchModel& model_;
  Graph graph_;
  std::string prefix_;
  std::shared_ptr<Scope> scope_, main_scope_;
  std::deque<Slot> slots_;
  std::set<std::string_view> changed_names_;  // inputs of the program that are written into
  std::vector<Changed> changed_;
  bool has_warned_ = false;
};

}  // namespace mo::pytorch
