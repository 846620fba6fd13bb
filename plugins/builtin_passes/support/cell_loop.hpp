// Loops that do nothing but step a recurrent cell through a sequence.
#pragma once

#include "support/expressions.hpp"

namespace mo::builtin_passes {

struct CellLoop {
  // What the loop gives: all values of the first state, joined along `axis`, or the last value of a state.
  // `rank` and the place of the dimension of 1 that is not the batch tell the form it has.
  struct Output {
    size_t state = 0;
    std::optional<int64_t> axis;
    size_t rank = 0;
    std::optional<size_t> one;
  };
  Node cell;
  OutPort x;         // outside of the loop: [batch, time, input], or [time, batch, input]
  int64_t axis = 0;  // of x: time
  bool reverse = false;
  std::vector<OutPort> states;   // outside of the loop, before the first step
  std::vector<OutPort> weights;  // outside of the loop, or a constant inside of it
  std::vector<Output> outputs;   // as the loop has them
};

// Nothing when the TensorIterator or Loop computes something else; declines where only that is missing which it
// says.
std::optional<CellLoop> cell_loop(const Node&);

}  // namespace mo::builtin_passes
