// Sub-graphs that operators of StableHLO apply to single elements: which function they are.
#pragma once

#include "loader/model.hpp"

namespace mo::tflite {

constexpr std::string_view second_argument = "its second argument";

// Of a sub-graph with two arguments for each of its outputs, first those of one kind and then those of the
// other: for each output the operator that is applied to its two arguments, in any order, or
// second_argument. Empty when it does anything else.
std::vector<std::string> reductions_of(const SubGraph& g);

// In which order a sub-graph puts elements of several tensors; it has two arguments for each, one behind the
// other. Of tensors key[0], and where these are equal of key[1], …, the "LT" less or "GT" greater comes
// first. Empty when the sub-graph does anything else.
struct Order {
  std::vector<std::string> directions;
  std::vector<int64_t> keys;
};
Order order_of(const SubGraph& g);

}  // namespace mo::tflite
