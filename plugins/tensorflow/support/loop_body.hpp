// What a While is about, before it becomes a Loop: its variables, and how often it runs.
#pragma once

#include "support/list_operators.hpp"

namespace mo::tensorflow {

struct LoopVariable {
  OutPort first;   // the value it begins with, outside of the loop
  Node parameter;  // in the body
  Node result;     // in the body; empty when the variable does not change
  // begin + step * (number of the iteration)
  std::optional<std::pair<int64_t, int64_t>> counter;
  bool counts_iterations() const { return counter && counter->first == 0 && counter->second == 1; }
};

class LoopBody {
 public:
  LoopBody(const Graph& outer, const SourceNode& loop);

  const Graph& condition() const { return condition_; }
  const Graph& body() const { return body_; }
  std::vector<LoopVariable>& variables() { return variables_; }
  // Number of the variable whose Parameter this is.
  std::optional<size_t> variable_at(const OutPort& inside) const;
  // Whether `p`, in the body, is the number of the iteration.
  bool is_iteration(const OutPort& p) const;
  // The number of iterations when the condition compares counters with bounds only. One port: the number is
  // what this one holds.
  std::optional<Ports> bounds(const Build& b) const;

 private:
  void hand_in_constants();
  void find_counters();
  bool add_bounds(const Build& b, const OutPort& test, Ports& bounds, int depth) const;
  std::optional<OutPort> bound_of(const Build& b, const OutPort& counter, const OutPort& limit,
                                  bool inclusive) const;
  std::optional<size_t> condition_variable(const OutPort& inside) const;

  Graph condition_, body_;
  std::vector<LoopVariable> variables_;
  std::vector<Node> condition_parameters_;
};

// The number of iterations as i64, not negative.
OutPort trip_count(const Build& b, const Ports& bounds);

}  // namespace mo::tensorflow
