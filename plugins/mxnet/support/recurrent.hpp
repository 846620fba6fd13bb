// The form of an RNN, and where its list of parameters has which numbers.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

struct RecurrentForm {
  std::string mode;
  int64_t gates = 1, hidden = 0, layers = 1, directions = 1;
  bool has_lengths = false;  // of sequences, on its last input
};

RecurrentForm recurrent_form(const SourceNode& n);

// Weights and biases of one layer, of all directions.
struct RecurrentLayer {
  OutPort w, r, bx, bh;  // [directions, gates * hidden, ...]
};

// Where the list has which numbers: first the weights of all layers and directions, then the biases.
class RecurrentParameters {
 public:
  RecurrentParameters(const Build& b, const RecurrentForm& f, int64_t inputs);
  RecurrentLayer layer(int64_t index) const;

 private:
  int64_t width(int64_t layer) const { return layer == 0 ? inputs_ : f_.hidden * f_.directions; }
  const Build& b_;
  const RecurrentForm& f_;
  int64_t inputs_;
  Ports parts_;
};

}  // namespace mo::mxnet
