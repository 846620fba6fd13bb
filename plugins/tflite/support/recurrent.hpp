// Cells of recurrent operators, and sequences of steps.
#pragma once

#include "support/build.hpp"

#include <array>

namespace mo::tflite {

// How a quantized kernel rounds on its way; nothing of it of kernels that compute with floats.
struct LstmLevels {
  std::array<Levels, 4> sums;   // i, f, c, o in front of a normalization, 16 bits
  std::array<double, 4> norms;  // scales of what a normalization multiplies by
  Levels hidden, output;        // the output before and behind the projection, 8 bits
  Levels cell;                  // 16 bits
};

// What the steps of a sequence share; empty ports are left out.
struct LstmWeights {
  Ports input, recurrent;  // of the gates i, f, c, o: [cells, inputs] and [cells, outputs]; i may be left out
  Ports peepholes;         // i, f, o: [cells]
  Ports bias;              // i, f, c, o: [cells]
  OutPort projection, projection_bias;
  Ports norms;  // i, f, c, o: [cells]
  double cell_clip = 0, projection_clip = 0;
  std::optional<LstmLevels> levels;

  // What LSTMSequence can do.
  bool is_plain() const;
};

// One step: {output, cell state} from x [batch, inputs], h [batch, outputs] and c [batch, cells].
Ports lstm_step(const Build& b, const LstmWeights& w, const OutPort& x, const OutPort& h, const OutPort& c);
// All steps of x [batch, time, inputs]: {outputs [batch, time, outputs], last output, last cell state}.
Ports lstm_sequence(const Build& b, const LstmWeights& w, const OutPort& x, const OutPort& h,
                    const OutPort& c, bool reverse);
// The same of a cell that only hands on its output: activation(x * w + h * r + bias).
Ports rnn_sequence(const Build& b, const SourceNode& n, const OutPort& x, const Ports& w_r_bias,
                   const OutPort& h, bool reverse);

}  // namespace mo::tflite
