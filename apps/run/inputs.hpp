// Values for the inputs of a model that is to be run: from files, or random.
#pragma once

#include "core/graph/graph.hpp"

#include <map>
#include <span>

namespace mo::app {

struct GivenInput {
  std::string name;            // of the Parameter or its tensor; empty: the only input there is
  std::string file;            // of NumPy; empty: random
  std::optional<Shape> shape;  // of random values, where the model leaves it open
  core::TensorRef value{};     // instead of a file
};

enum class ValueOrigin { file, given, random, ones };

struct RunInput {
  std::string name;
  core::TensorRef value;
  ValueOrigin origin = ValueOrigin::file;
  int64_t largest = 0;  // of random integers
  Shape said;           // by the model, or by --input
};

// What stands for sizes that nothing says, within what the model allows. Those of one name are alike.
enum class Sizes {
  ones,
  small,  // 2, 3, 5, …: so that dimensions that change places are seen
  large,  // different, and such that an image can be made smaller many times
  sound,  // different, and so many that windows of a sound fit in
  twos
};

struct InputChoice {
  Sizes sizes = Sizes::ones;
  std::map<std::string, int64_t, std::less<>> largest =
      {};                                                  // of random integers, by the input; 9 when absent
  std::shared_ptr<core::MemoryAccount> account = nullptr;  // that random values are charged to
};

// One value for each Parameter, in their order. Floats are from -1 to 1, integers from 0 to 9 or what is
// chosen; the same for the same seed on every machine. Values of files are converted to the type of the input
// where no number changes. Throws Failure (Exit::usage; MO0510 where the account has no room).
std::vector<RunInput> run_inputs(const core::Graph&, std::span<const GivenInput>, uint64_t seed,
                                 const InputChoice& = {});

}  // namespace mo::app
