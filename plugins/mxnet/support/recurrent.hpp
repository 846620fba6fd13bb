// The form of an RNN, and where its list of parameters has which numbers.
#pragma once

#include <mo/build.hpp>

#include <optional>

namespace mo::mxnet {

struct RecurrentForm {
  std::string mode;
  int64_t gates = 1, hidden = 0, layers = 1, directions = 1;
  bool has_lengths = false;  // of sequences, on its last input
  int64_t projection = 0;    // size of an LSTM's output; 0: that of its state
  std::optional<std::pair<double, double>> clip = std::nullopt;  // of an LSTM's state
  // The size of what a step gives.
  int64_t output() const { return projection == 0 ? hidden : projection; }
  // No operation of the IR has its cells.
  bool is_written_out() const { return projection != 0 || clip; }
};

RecurrentForm recurrent_form(const SourceNode& n);

// Weights and biases of one layer, of all directions.
struct RecurrentLayer {
  OutPort w, r, bx, bh;  // [directions, gates * hidden, …]
  OutPort projection;    // [directions, output, hidden], or none
};

// Where the list has which numbers: first the weights of all layers and directions, a projection behind those
// of its direction, then the biases.
class RecurrentParameters {
 public:
  RecurrentParameters(const Build& b, const RecurrentForm& f, int64_t inputs);
  RecurrentLayer layer(int64_t index) const;

 private:
  int64_t width(int64_t layer) const { return layer == 0 ? inputs_ : f_.output() * f_.directions; }
  const Build& b_;
  const RecurrentForm& f_;
  int64_t inputs_;
  Ports parts_;
  size_t first_bias_ = 0;
};

// An LSTM of one layer, step by step: x [batch, time, width], first states [batch, directions, …], biases as
// one, lengths [batch] where sequences have such. Gives what LSTMSequence does.
Ports lstm_written_out(const Build& b, const RecurrentForm& f, const RecurrentLayer& l, const OutPort& x,
                       const Ports& first, const OutPort& lengths);

}  // namespace mo::mxnet
