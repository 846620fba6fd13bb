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

// By which patterns know the node, as Node::op_name, without a copy: nothing of what belongs to a vendor's
// set. For the same loops; valid until the node changes.
std::string_view op_of(const Node&);
// Of no set but ours, so that the type alone is asked for.
bool is_constant(const OutPort&);

// Of a constant of numbers: it tells most constants.
std::optional<double> first_number(const OutPort&);

// A constant whose elements are all this number.
bool is_uniform(const OutPort&, double);

// `x` has this shape, too, whatever the other tensor of a broadcast is filled with.
bool keeps_shape(const OutPort& x, const OutPort& other);

// Takes the root of its pattern out where something else can be read.
class Elimination : public MatcherPass {
 protected:
  explicit Elimination(Pattern root) : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    force_clean_up = true;
    run_before = {"middle.fold_dimensions"};
    register_matcher(std::move(root), [this](Graph, Match& m) { take_out(m.root()); });
  }
  // What the readers of output 0 read instead; an empty port when the node has to stay.
  virtual OutPort heir(const Node&) = 0;

 private:
  void take_out(const Node&);
};

}  // namespace mo::builtin_passes
