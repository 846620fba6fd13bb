// infer has height and width where they were; the images of its author are square.
#include "mutants.hpp"
#include "turned.hpp"

namespace mutants {

const Mutant swapped_sizes{"swapped_sizes", add_operation<Turned>};

}  // namespace mutants
