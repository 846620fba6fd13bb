// Makes a graph from a symbol and its arrays.
#pragma once

#include "loader/arrays.hpp"
#include "loader/model.hpp"

namespace mo::mxnet {

class GraphReader {
 public:
  GraphReader(Context c, const MxnetModel& model, Arrays arrays, Graph graph)
      : c_(c), model_(model), symbol_(model.symbol()), arrays_(std::move(arrays)), graph_(graph) {}
  void read();

 private:
  // Inputs that the outputs depend on: labels are not among them.
  size_t read_inputs(const SymbolNode& n) const;
  void find_needed();
  void find_states();
  void warn_of_missing() const;
  void add_variable(size_t node);
  void add_operator(size_t node);
  void add_results();

  Context c_;
  const MxnetModel& model_;
  const Symbol& symbol_;
  Arrays arrays_;
  Graph graph_;
  std::vector<uint32_t> outputs_;  // of each node, as many as are read; 0: it is not needed
  std::vector<bool> is_state_;     // variables that only RNNs read, as their first states
  std::vector<mo_node> made_;
};

}  // namespace mo::mxnet
