// Models of one operator by a row of text: the operator, its inputs and attributes, and what it computes.
//
//     Sum (f32[2,3] {1,2,3,4,5,6}; fixed i32[] {-1}) {keep_dims=false, Tidx=i32} -> f32[2] {6,15}
//
// "fixed": a constant in all models, as it is in those that people have. "needs_shapes" before the operator:
// the dimensions of its inputs have to be known. Attributes are numbers, with a dot where they are floats;
// true or false; texts; types; "shape [2,-1]"; lists of these in brackets. The rows are in the files of
// rows/.
#pragma once

#include <ostream>

#include "graph_def.hpp"
#include "text_rows.hpp"

namespace mo::test {

struct OperatorInput {
  TfTensor value;
  bool is_fixed = false;
};

struct OperatorRow {
  std::string op;
  std::vector<OperatorInput> inputs;
  std::vector<TfAttribute> attributes;
  std::vector<RowTensor> outputs;  // the first ones
  bool needs_shapes = false;
  std::string place = {};  // "rows/arrays.txt:12"
};

inline void PrintTo(const OperatorRow& r, std::ostream* out) { *out << r.place << ": " << r.op; }

OperatorRow read_operator(RowReader& in);

}  // namespace mo::test
