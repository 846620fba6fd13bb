// An LSTM written out: a TensorIterator for each direction whose body has the equations of one step. For what
// LSTMSequence cannot do.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

// As ONNX has them: gates i, o, f, c, peepholes i, o, f, of x the time first.
struct LstmSteps {
  OutPort x;                             // [time, batch, inputs]
  OutPort w, r, bias;                    // [directions, 4 * hidden, ...]; bias or nothing
  OutPort peepholes, lengths;            // [directions, 3 * hidden], [batch]; or nothing
  OutPort h, c;                          // [directions, batch, hidden]
  OutPort time;                          // list of one element
  std::string direction;                 // forward, reverse, bidirectional
  std::vector<std::string> activations;  // sigmoid, tanh, relu: of the gates, the cell, the result
  double clip = 0;                       // 0: none
  bool coupled = false;                  // the forget gate is 1 - the input gate
};

// All states [time, directions, batch, hidden], the last h and the last c [directions, batch, hidden].
Ports lstm_steps(const Build& b, const SourceNode& n, const LstmSteps& lstm);

}  // namespace mo::onnx
