// Functions of two values by which operators of StableHLO reduce: sub-graphs of one operator.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

// What such a function is called in the IR.
struct Reduction {
  std::string_view body;        // the operator
  std::string_view of_two;      // the operation
  std::string_view of_numbers;  // along dimensions; empty where it is for booleans only
  std::string_view of_booleans;
  std::string_view scattering;  // of ScatterNDUpdate
};

// By the operator of the sub-graph, or of the function, that the operator applies; of a sub-graph with
// several outputs that which gives number `i`. An error, that it `does` ("reduces") by another function, or
// by one that elements of this type have not.
const Reduction& reduction_of_body(const SourceNode& n, size_t i, ElementType type, std::string_view does);
const Reduction& reduction_of_function(const SourceNode& n, ElementType type, std::string_view does);
// Whether output i of the sub-graph is the second one of its arguments.
bool replaces(const SourceNode& n, size_t i);

}  // namespace mo::tflite
