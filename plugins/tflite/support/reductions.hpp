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

// By the native attribute `attribute`, the operator. An error, that it `does` ("reduces") by another
// function, or by one that elements of this type have not.
const Reduction& reduction_of(const SourceNode& n, std::string_view attribute, ElementType type,
                              std::string_view does);

}  // namespace mo::tflite
