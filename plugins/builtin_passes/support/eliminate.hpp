// Taking operations out that change nothing.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Readers of `gone` read `heir`, which gets its names. False, and nothing is done, where the name of an
// output of the model cannot move: to an input, to a constant, to one of several outputs, to what has such a
// name already.
bool eliminate(const OutPort& gone, const OutPort& heir);

// What input `i` reads, without a look at whether there is such an input: an empty port when not. For loops
// over all nodes of a large graph.
OutPort source_of(const Node&, uint32_t i);

// Without a copy, for the same loops; valid until the node changes.
std::string_view op_of(const Node&);
std::string_view opset_of(const Node&);

// Of a constant of numbers: it tells most constants.
std::optional<double> first_number(const OutPort&);

// A constant whose elements are all this number.
bool is_uniform(const OutPort&, double);

// `x` has this shape, too, whatever the other tensor of a broadcast is filled with.
bool keeps_shape(const OutPort& x, const OutPort& other);

// Looks at each node of the types in `ops`, and takes out those for which something else can be read.
class Elimination : public ModelPass {
 protected:
  explicit Elimination(std::vector<std::string> ops) : ModelPass(MO_PHASE_PRE_MIDDLE), ops_(std::move(ops)) {
    force_clean_up = true;
    run_before = {"middle.fold_dimensions"};
  }
  // What the readers of output 0 read instead; an empty port when the node has to stay.
  virtual OutPort heir(const Node&) = 0;
  void run_on_model(Graph) override;

 private:
  std::vector<std::string> ops_;
};

}  // namespace mo::builtin_passes
