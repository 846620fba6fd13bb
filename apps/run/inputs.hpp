// Values for the inputs of a model that is to be run: from files, or random.
#pragma once

#include "core/graph/graph.hpp"

#include <span>

namespace mo::core {

struct GivenInput {
  std::string name;            // of the Parameter or its tensor; empty: the only input there is
  std::string file;            // of NumPy; empty: random
  std::optional<Shape> shape;  // of random values, where the model leaves it open
};

enum class ValueOrigin { file, random, ones };

struct RunInput {
  std::string name;
  TensorRef value;
  ValueOrigin origin = ValueOrigin::file;
};

// One value for each Parameter, in their order. Floats are from -1 to 1, integers from 0 to 9; the same for
// the same seed on every machine. Sizes that nothing says are 1, or the least that the model allows. Values
// of files are converted to the type of the input where no number changes. Throws Failure (Exit::usage).
std::vector<RunInput> run_inputs(const Graph&, std::span<const GivenInput>, uint64_t seed);

}  // namespace mo::core
