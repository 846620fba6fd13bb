// Recurrent cells of ONNX in the operations of a step, for what the sequence operations of the IR do not have:
// other activations, or other ones in each direction.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

struct Activation {
  std::string name;  // in small letters
  double alpha = 0, beta = 0;
};
// Whether the sequence operations have it.
bool is_of_sequences(const Activation& a);
// The activations of all directions with the numbers of 'activation_alpha' and 'activation_beta', which go to those
// that have one, in their order. `defaults` are those of one direction.
std::vector<Activation> activations_of(const SourceNode& n, const std::vector<std::string>& defaults,
                                       int64_t directions);

struct CellForm {
  int64_t gates = 1, hidden = 0;
  std::vector<Activation> activations;
  double clip = 0;           // of what goes into an activation; 0: none
  bool coupled = false;      // LSTM: the forget gate is 1 - the input gate
  bool reset_after = false;  // GRU: behind the product with the state
  bool reverse = false;
};
// Of one direction. `x` [time, batch, inputs], `w` [gates * hidden, inputs], `r` [gates * hidden, hidden], `bias`
// [2 * gates * hidden] or null, `states` [batch, hidden], `peepholes` [3 * hidden] or null, `alive`
// [time, batch, 1] or null: whether a sample has that step.
struct CellInputs {
  OutPort x, w, r, bias, peepholes, alive;
  Ports states;
};
// {all outputs [time, batch, hidden], last states…}
Ports stepped_cell(const Build& b, const SourceNode& n, const CellForm& form, const CellInputs& inputs);

}  // namespace mo::onnx
