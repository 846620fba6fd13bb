// Fusions that ask what dimensions are in terms of those of another tensor.
#pragma once

#include <mo/symbols.hpp>
#include "support/fusion.hpp"
#include "support/relative_extents.hpp"

namespace mo::builtin_passes {

class ExtentFusion : public Fusion {
 public:
  bool graph_condition(Graph) override {
    symbols_ = {};
    return true;
  }

 protected:
  SymbolsOf symbols_;  // of the run
};

}  // namespace mo::builtin_passes
