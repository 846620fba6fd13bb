// What all transformations that make one operation of several have in common.
#pragma once

#include "support/expressions.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

// Runs when Transposes have found their places and before constants are merged, which would hide what is
// written out.
class Fusion : public ModelPass {
 protected:
  Fusion() : ModelPass(MO_PHASE_POST_MIDDLE) {
    run_after = {"middle.reshape_transposes", "middle.fuse_clamp"};
    run_before = {"middle.fuse_linear"};
  }
};

// Operations of this set may be made: the release has it, or --newer_operations asks for them all the same.
inline bool may_make(const Graph& g, int opset) {
  return has_opset(g.context(), opset) || option<bool>(g.context(), "newer_operations").value_or(false);
}

}  // namespace mo::builtin_passes
