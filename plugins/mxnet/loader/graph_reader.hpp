// Makes a graph from a symbol and its arrays.
#pragma once

#include "loader/arrays.hpp"
#include "loader/model.hpp"

namespace mo::mxnet {

class GraphReader {
 public:
  // `prefix`: of names in the graph.
  GraphReader(Context c, const MxnetModel& model, const Symbol& symbol, Arrays arrays, Graph graph,
              std::string prefix = {})
      : c_(c),
        model_(model),
        symbol_(symbol),
        arrays_(std::move(arrays)),
        graph_(graph),
        prefix_(std::move(prefix)) {}
  void read();

 private:
  using Ports = std::vector<OutPort>;

  // Inputs that the outputs depend on: labels are not among them.
  size_t read_inputs(const SymbolNode& n) const;
  void find_needed();
  void find_states();
  void find_packed();
  void warn_of_missing() const;
  void add_variable(size_t node);
  void add_operator(size_t node);
  void add_all(bool variables, void (GraphReader::*add)(size_t));
  void add_results();
  OutPort port(const Entry& e) const;  // error where there is no such output
  Ports inputs_of(const SymbolNode& n) const;
  std::string name_of(const SymbolNode& n) const { return prefix_ + n.name; }

  // control_flow.cpp
  // False: the node has no sub-graphs that run.
  bool add_control_flow(size_t node);
  void add_foreach(size_t node);
  void add_while(size_t node);
  void add_cond(size_t node);
  // Heads of a sub-graph whose variables are these, in `into`.
  Ports part(const Symbol& s, const Ports& variables, Graph into, std::string_view prefix) const;
  void set_outputs(size_t node, const Ports& outputs);

  Context c_;
  const MxnetModel& model_;
  const Symbol& symbol_;
  Arrays arrays_;
  Graph graph_;
  std::string prefix_;
  std::vector<uint32_t> outputs_;            // of each node, as many as are read; 0: it is not needed
  std::vector<bool> is_state_;               // variables that only RNNs read, as their first states
  std::vector<bool> is_packed_;              // variables that only quantized operators read
  std::vector<std::vector<mo_port>> ports_;  // of each node, that which stand for its outputs
};

}  // namespace mo::mxnet
