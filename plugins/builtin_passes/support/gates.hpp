// Gates of recurrent cells: sums of products with weights, whichever way they are cut into gates.
#pragma once

#include <mo/symbols.hpp>

#include "support/expressions.hpp"

namespace mo::builtin_passes {

// Columns of a matrix that rows of data are multiplied by.
struct GatePart {
  OutPort data, weights;
  int64_t first_row = 0, first_column = 0;
  bool turned = false;  // transpose_b
};

// The sum that a gate is the sigmoid or tanh of: of parts, and of a bias.
struct Gate {
  std::vector<GatePart> parts;
  std::vector<double> bias;
  std::vector<int64_t> key;  // tells gates of other weights apart
};

// The sum at the port, of `size` columns: all it has, or those that `piece`, an output of a Split, takes from
// a function of them. Nothing when it is something else.
std::optional<Gate> gate_at(const OutPort&, int64_t size, Nodes& inside, const OutPort& piece = {});

// W and R of a cell, row by row of its gates, or B. `from` is their data.
Tensor gate_weights(Context, const std::vector<Gate>&, const OutPort& from, int64_t size);
Tensor gate_bias(Context, const std::vector<Gate>&, int64_t size);

// The ports that the gates multiply, each once, and nothing but these.
std::vector<OutPort> data_of(const std::vector<Gate>&);

// Rows of both must be as many, also when the number is not known: it comes from one place, or they are joined.
bool have_same_rows(SymbolsOf&, const Nodes& inside, const OutPort& a, const OutPort& b);

}  // namespace mo::builtin_passes
